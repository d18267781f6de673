package io.github.reconciler4j.cache.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.internal.watch.Scope.Form;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScopeTests {

    private static final KindInfo PODS = new KindInfo(KindName.of("v1", "Pod"), "pods", true);
    private static final Form WHOLE = new Form(true, "");
    private static final Form METADATA = new Form(false, "");

    private final Scope all = new Scope(PODS, "", ObjectSelector.everything(), List.of());
    private final Scope some = new Scope(
            PODS,
            "",
            ObjectSelector.everything().withLabels("app=v").withFields("status.phase=Running"),
            List.of("x", "y"));
    private final Scope one = new Scope(PODS, "a", ObjectSelector.everything(), List.of());

    @Test
    void listWhenItHasABoundAsksForThatVersionOrALaterOne() {
        ApiRequest request = all.list("77", 0, "", WHOLE);
        assertThat(request.path()).isEqualTo("/api/v1/pods");
        assertThat(request.timeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(request.query())
                .isEqualTo(Map.of("resourceVersion", List.of("77"), "resourceVersionMatch", List.of("NotOlderThan")));
        assertThat(one.list("", 0, "", WHOLE).query()).isEmpty();
        assertThat(one.list("", 0, "", WHOLE).path()).isEqualTo("/api/v1/namespaces/a/pods");
    }

    @Test
    void listWhenItHasPagesNamesTheLimitAndWhereToContinue() {
        assertThat(all.list("", 500, "", WHOLE).query()).isEqualTo(Map.of("limit", List.of("500")));
        assertThat(all.list("77", 500, "token", WHOLE).query())
                .isEqualTo(Map.of("limit", List.of("500"), "continue", List.of("token")));
    }

    @Test
    void nameSelectorWhenTheNameHasSeparatorsEscapesThem() {
        assertThat(Scope.nameSelector("web.a-1")).isEqualTo("metadata.name=web.a-1");
        assertThat(Scope.nameSelector("system:a,b=c\\d$1")).isEqualTo("metadata.name=system:a\\,b\\=c\\\\d$1");
    }

    @Test
    void requestsCarrySelectorsExcludedNamespacesAndParts() {
        Map<String, List<String>> query =
                some.list("", 0, "", new Form(true, "parts")).query();
        assertThat(query)
                .isEqualTo(Map.of(
                        "labelSelector", List.of("app=v"),
                        "fieldSelector", List.of("status.phase=Running,metadata.namespace!=x,metadata.namespace!=y"),
                        "shardSelector", List.of("parts")));
        assertThat(some.watch("5", 60, WHOLE).query()).containsEntry("labelSelector", List.of("app=v"));
    }

    @Test
    void listOfOneObjectSelectsItsNameToo() {
        ApiRequest request = some.list(ObjectKey.of("b", "n"), WHOLE);
        assertThat(request.path()).isEqualTo("/api/v1/namespaces/b/pods");
        assertThat(request.query().get("fieldSelector"))
                .containsExactly("metadata.name=n,status.phase=Running,metadata.namespace!=x,metadata.namespace!=y");
        assertThat(all.list(ObjectKey.of("b", "n"), WHOLE).query())
                .isEqualTo(Map.of("fieldSelector", List.of("metadata.name=n")));
    }

    @Test
    void watchAsksForBookmarksAndATimeout() {
        assertThat(all.watch("5", 60, WHOLE).query())
                .isEqualTo(Map.of(
                        "watch", List.of("true"),
                        "allowWatchBookmarks", List.of("true"),
                        "timeoutSeconds", List.of("60"),
                        "resourceVersion", List.of("5")));
        assertThat(all.watchList("", 60, WHOLE).query())
                .containsEntry("sendInitialEvents", List.of("true"))
                .containsEntry("resourceVersionMatch", List.of("NotOlderThan"))
                .doesNotContainKey("resourceVersion");
    }

    @Test
    void requestsWhenOnlyMetadataIsWantedAskForThat() {
        for (ApiRequest list : List.of(all.list("", 0, "", METADATA), all.list(ObjectKey.of("b", "n"), METADATA))) {
            assertThat(list.accept()).contains("as=PartialObjectMetadataList;");
        }
        for (ApiRequest watch : List.of(all.watch("5", 60, METADATA), all.watchList("5", 60, METADATA))) {
            assertThat(watch.accept()).contains("as=PartialObjectMetadata;");
        }
        for (ApiRequest whole : List.of(
                all.list("", 0, "", WHOLE),
                all.list(ObjectKey.of("b", "n"), WHOLE),
                all.watch("5", 60, WHOLE),
                all.watchList("5", 60, WHOLE))) {
            assertThat(whole.accept()).doesNotContain("PartialObjectMetadata");
        }
    }

    @Test
    void ofWhenTheKindHasNoNamespacesIsOneScope() {
        KindInfo nodes = new KindInfo(KindName.of("v1", "Node"), "nodes", false);
        ObjectSelector selector = ObjectSelector.everything().withLabels("app=v");
        assertThat(Scope.of(nodes, selector, CachedNamespaces.only(Set.of("a", "b")), Set.of("c")))
                .containsExactly(new Scope(nodes, "", selector, List.of()));
    }

    @Test
    void ofWhenNamespacesAreSelectedIsAScopeOfEachThatIsNotExcluded() {
        ObjectSelector selector = ObjectSelector.everything().withLabels("app=v");
        ObjectSelector own = ObjectSelector.everything().withLabels("app=w");
        CachedNamespaces namespaces =
                CachedNamespaces.only(Set.of("b", "x")).with("a", own).without(Set.of("x", "y"));
        assertThat(Scope.of(PODS, selector, namespaces, Set.of("c", "y")))
                .containsExactly(
                        new Scope(PODS, "a", own, List.of()),
                        new Scope(PODS, "b", selector, List.of()),
                        new Scope(PODS, "c", selector, List.of()));
    }

    @Test
    void ofWhenAllNamespacesAreSelectedHasALastScopeWithoutTheOthers() {
        ObjectSelector own = ObjectSelector.everything().withLabels("app=w");
        CachedNamespaces namespaces = CachedNamespaces.allExcept(Set.of("x")).with("a", own);
        assertThat(Scope.of(PODS, ObjectSelector.everything(), namespaces, Set.of()))
                .containsExactly(
                        new Scope(PODS, "a", own, List.of()),
                        new Scope(PODS, "", ObjectSelector.everything(), List.of("a", "x")));
    }

    @Test
    void coversIsItsNamespaceOrAllThatAreNotExcluded() {
        assertThat(one.covers("a")).isTrue();
        assertThat(one.covers("b")).isFalse();
        assertThat(some.covers("a")).isTrue();
        assertThat(some.covers("x")).isFalse();
        assertThat(one).hasToString("pods in namespace a");
        assertThat(all).hasToString("pods");
    }
}
