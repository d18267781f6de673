package io.github.reconciler4j.cache;

import static io.github.reconciler4j.cache.ServedCache.CONFIG_MAP;
import static io.github.reconciler4j.cache.ServedCache.LONG;
import static io.github.reconciler4j.cache.ServedCache.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which namespaces of a kind are cached, and what of them. */
class CacheNamespacesTests {

    private final ServedCache served = new ServedCache();

    @BeforeEach
    void fill() {
        served.namespace("a", "team", "one");
        served.namespace("b", "team", "two");
        served.namespace("c", "team", "one");
        for (String namespace : Set.of("a", "b", "c")) {
            served.configMap(namespace, "x", "app", "web");
            served.configMap(namespace, "y", "app", "db");
        }
    }

    @AfterEach
    void close() {
        served.close();
    }

    private Cache start(CachedNamespaces namespaces) {
        Cache cache = served.open(KindCacheOptions.defaults().withNamespaces(namespaces));
        cache.informer(ConfigMap.class).subscribe("test", served::deliver);
        cache.start();
        return cache;
    }

    private void awaitNames(String... names) {
        until("content", () -> served.names(Selection.all()).equals(List.of(names)));
    }

    @Test
    void onlyWhenTwoAreNamedReadsBothAndRefusesOthers() {
        Cache cache = start(CachedNamespaces.only(Set.of("a", "b")));

        assertThat(served.names(Selection.all())).containsExactly("a/x", "a/y", "b/x", "b/y");
        assertThat(served.names(Selection.all().withLimit(3))).containsExactly("a/x", "a/y", "b/x");
        assertThat(served.names(Selection.inNamespace("b"))).containsExactly("b/x", "b/y");
        until("two watches", () -> served.watches() == 2);
        assertThatThrownBy(() -> cache.get(ConfigMap.class, ObjectKey.of("c", "x")))
                .isInstanceOf(NotCachedException.class)
                .hasMessageContaining("namespace c of configmaps");
        assertThatThrownBy(() -> cache.list(Kind.of(ConfigMap.class), Selection.inNamespace("c")))
                .isInstanceOf(NotCachedException.class);
        assertThat(cache.get(Namespace.class, ObjectKey.of("", "c"))).isPresent();
    }

    @Test
    void allButWhenOneIsLeftOutWatchesTheOthersWithOneWatch() {
        Cache cache = start(CachedNamespaces.allExcept(Set.of("b", "default", "kube-system", "kube-public")));

        assertThat(served.names(Selection.all())).contains("a/x", "a/y", "c/x", "c/y");
        assertThat(served.names(Selection.all())).noneMatch(name -> name.startsWith("b/"));
        until("one watch", () -> served.watches() == 1);
        assertThatThrownBy(() -> cache.list(Kind.of(ConfigMap.class), Selection.inNamespace("b")))
                .isInstanceOf(NotCachedException.class);
    }

    @Test
    void withWhenNamespaceHasASelectorOfItsOwnUsesItThere() {
        served.open(KindCacheOptions.defaults()
                        .withLabelSelector("app=web")
                        .withNamespaces(CachedNamespaces.only(Set.of("a"))
                                .with("b", ObjectSelector.everything().withLabels("app=db"))
                                .with("c", ObjectSelector.everything().withFields("metadata.name!=x"))))
                .start();

        assertThat(served.names(Selection.all())).containsExactly("a/x", "b/y", "c/y");
    }

    @Test
    void labelledWhenNamespacesChangeFollowsThem() {
        start(CachedNamespaces.matchingLabels("team=one"));
        assertThat(served.names(Selection.all())).containsExactly("a/x", "a/y", "c/x", "c/y");

        served.namespace("d", "team", "one");
        served.configMap("d", "z");
        awaitNames("a/x", "a/y", "c/x", "c/y", "d/z");
        until("all events", () -> served.delivered.size() == 5);

        served.client.patch(
                Kind.of(Namespace.class),
                ObjectKey.of("", "c"),
                ObjectPatch.merge(Map.of("metadata", Map.of("labels", Map.of("team", "three")))),
                WriteOptions.defaults());
        awaitNames("a/x", "a/y", "d/z");
        until("events", () -> served.delivered.contains("Deleted? c/x") && served.delivered.contains("Deleted? c/y"));
        assertThat(served.delivered).contains("Created d/z").doesNotContain("Deleted? a/x");
        assertThat(served.names(Selection.inNamespace("c"))).isEmpty();
    }

    @Test
    void labelledWhenNoneMatchesIsSyncedAndEmpty() throws InterruptedException {
        Cache cache = start(CachedNamespaces.matchingLabels("team=unknown"));
        cache.awaitSync(LONG);
        assertThat(served.names(Selection.all())).isEmpty();
        assertThat(served.watches()).isZero();
    }

    @Test
    void changeNamespacesWhenRunningDisturbsNothingElse() {
        Cache cache = start(CachedNamespaces.only(Set.of("a", "b")));
        assertThat(served.names(Selection.all())).hasSize(4);
        until("initial events", () -> served.delivered.contains("Created a/x"));
        until("two watches", () -> served.watches() == 2);
        served.server.requests().clear();

        cache.changeNamespaces(Kind.of(CONFIG_MAP), CachedNamespaces.only(Set.of("b", "c")));

        assertThat(served.names(Selection.inNamespace("c"))).containsExactly("c/x", "c/y");
        awaitNames("b/x", "b/y", "c/x", "c/y");
        until("events", () -> served.delivered.contains("Deleted? a/x") && served.delivered.contains("Created c/y"));
        assertThat(served.server.requests().all())
                .noneMatch(request -> request.toString().contains("/namespaces/b/"));
        served.configMap("b", "new");
        until("event", () -> served.delivered.contains("Created b/new"));

        cache.changeNamespaces(Kind.of(ConfigMap.class), CachedNamespaces.all());
        until("content", () -> served.names(Selection.all()).contains("a/x"));
        assertThat(served.delivered).doesNotContain("Deleted? b/x", "Deleted? c/x");
        until("one watch", () -> served.watches() == 1);
    }

    @Test
    void namespacesWhenKindIsClusterScopedAreRefused() {
        KindName namespace = KindName.of("v1", "Namespace");
        Cache cache = served.open(CacheOptions.defaults()
                .withKind(Kind.of(namespace), KindCacheOptions.defaults().withNamespaces(Set.of("a"))));
        assertThatThrownBy(() -> cache.informer(Namespace.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("namespaces is cluster-scoped");
        assertThatThrownBy(() -> cache.changeNamespaces(Kind.of(namespace), CachedNamespaces.all()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void optionsWhenTheirSourcesChangeStayUnchanged() {
        Set<String> names = new HashSet<>(Set.of("a"));
        CachedNamespaces only = CachedNamespaces.only(names);
        names.add("b");
        CachedNamespaces more = only.with("c", ObjectSelector.everything());
        assertThat(only.named()).containsExactly("a");
        assertThat(more.named()).containsExactlyInAnyOrder("a", "c");

        CacheOptions options = CacheOptions.defaults();
        CacheOptions other = options.withKind(Kind.of(CONFIG_MAP), KindCacheOptions.defaults());
        assertThat(options.kinds()).isEmpty();
        assertThat(other.kinds()).containsOnlyKeys(Kind.of(CONFIG_MAP));
    }

    @Test
    void matchingLabelsWhenNamespaceIsDeletedDeliversDeletions() {
        start(CachedNamespaces.matchingLabels("team=one"));
        assertThat(served.names(Selection.all())).hasSize(4);
        until("initial events", () -> served.delivered.size() == 4);
        served.delete("a", "x");
        served.delete("a", "y");
        served.client.delete(Kind.of(Namespace.class), ObjectKey.of("", "a"), DeletionOptions.defaults());
        awaitNames("c/x", "c/y");
        until(
                "events",
                () -> served.delivered.stream()
                                .filter(text -> text.startsWith("Deleted"))
                                .count()
                        == 2);
    }

    @Test
    void watchWhenKindSetsOnlyItsStorageStaysWithinTheNamespacesAndLabelsOfAllKinds() {
        CacheOptions options = CacheOptions.defaults()
                .withKindDefaults(
                        KindCacheOptions.defaults().withNamespaces(Set.of("a")).withLabelSelector("app=web"))
                .withKind(ConfigMap.class, KindCacheOptions.defaults().withStorage(StorageForm.METADATA));
        Cache cache = served.open(options);
        served.server.requests().clear();
        cache.start();

        assertThat(served.names(Selection.inNamespace("a"))).containsExactly("a/x");
        assertThatThrownBy(() -> served.names(Selection.inNamespace("b"))).isInstanceOf(NotCachedException.class);
        assertThat(served.server.requests().all())
                .extracting(Object::toString)
                .filteredOn(request -> request.contains(" configmaps "))
                .isNotEmpty()
                .allMatch(request -> request.contains(" configmaps a/"));
    }
}
