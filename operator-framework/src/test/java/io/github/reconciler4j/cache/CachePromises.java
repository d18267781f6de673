package io.github.reconciler4j.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The promises of the cache; subclasses say against which server they are held. */
@Timeout(400)
abstract class CachePromises extends CachePromisesFixture {

    @Test
    void cacheWhenServerCrashesServesReadsMeanwhileAndFollowsEveryChangeAfterwards() {
        open(options());
        subscribe();
        put("a", "1");
        put("b", "1");
        awaitCached(Map.of("a", "1", "b", "1"));

        crash();
        assertThat(cached()).isEqualTo(Map.of("a", "1", "b", "1"));
        recover();
        put("a", "2");
        remove("b");
        put("c", "1");

        awaitCached(Map.of("a", "2", "c", "1"));
        awaitDelivered(Map.of("a", "2", "c", "1"));
        assertThat(wrong).isEmpty();
    }

    @Test
    void cacheWhenHistoryIsGoneRelistsAndDeliversTheDifferenceOnce() {
        put("same", "1");
        put("changed", "1");
        put("gone", "1");
        open(options());
        subscribe();
        awaitDelivered(Map.of("same", "1", "changed", "1", "gone", "1"));
        events.clear();

        network.cut();
        put("changed", "2");
        remove("gone");
        put("new", "1");
        put("short", "1");
        remove("short");
        forgetHistory();
        network.restore();

        awaitDelivered(Map.of("same", "1", "changed", "2", "new", "1"));
        awaitCached(Map.of("same", "1", "changed", "2", "new", "1"));
        assertThat(events).contains("updated changed", "created new").doesNotContain("created same", "updated same");
        assertThat(events).filteredOn(event -> event.endsWith(" gone")).hasSize(1);
        assertThat(wrong).isEmpty();
    }

    @Test
    void cacheWhenConnectionsAreCutRepeatedlyDeliversEveryChangeInOrder() {
        open(options());
        subscribe();
        for (int i = 1; i <= 5; i++) {
            put("a", Integer.toString(i));
            put("n" + i, "1");
            network.closeConnections();
        }
        awaitCached(Map.of("a", "5", "n1", "1", "n2", "1", "n3", "1", "n4", "1", "n5", "1"));
        awaitDelivered(Map.of("a", "5", "n1", "1", "n2", "1", "n3", "1", "n4", "1", "n5", "1"));
        assertThat(wrong).isEmpty();
    }

    @Test
    void cacheWhenEveryTokenIsRefusedOnceRequestsAnotherAndLosesNothing() {
        Config config = tokenConfig();
        String right = config.getOauthToken() != null ? config.getOauthToken() : config.getAutoOAuthToken();
        AtomicInteger asked = new AtomicInteger();
        config.setOauthTokenProvider(() -> asked.incrementAndGet() % 2 == 1 ? "not-a-token" : right);
        open(config, options());
        subscribe();
        for (int i = 1; i <= 4; i++) {
            put("a", Integer.toString(i));
            put("n" + i, "1");
            network.closeConnections();
        }
        awaitCached(Map.of("a", "4", "n1", "1", "n2", "1", "n3", "1", "n4", "1"));
        awaitDelivered(Map.of("a", "4", "n1", "1", "n2", "1", "n3", "1", "n4", "1"));

        network.cut();
        put("a", "5");
        remove("n1");
        forgetHistory();
        network.restore();

        awaitCached(Map.of("a", "5", "n2", "1", "n3", "1", "n4", "1"));
        awaitDelivered(Map.of("a", "5", "n2", "1", "n3", "1", "n4", "1"));
        assertThat(wrong).isEmpty();
        assertThat(asked).as("tokens asked for").hasValueGreaterThan(6);
    }

    /** The configuration of a user with all permissions and a token only. */
    abstract Config tokenConfig();

    @Test
    void cacheWhenThreeFormsAreReadHasOneWatchAndReturnsCopies() {
        put("a", "1");
        open(options());
        KindName kind = KindName.of("v1", "ConfigMap");
        ObjectKey key = ObjectKey.of(namespace, "a");

        ConfigMap typed = cache.get(ConfigMap.class, key).orElseThrow();
        GenericKubernetesResource generic = cache.get(Kind.of(kind), key).orElseThrow();

        assertThat(typed.getKind()).isEqualTo("ConfigMap");
        assertThat(typed.getApiVersion()).isEqualTo("v1");
        assertThat(typed.getMetadata().getManagedFields()).isEmpty();
        assertThat(generic.getKind()).isEqualTo("ConfigMap");
        assertThat(generic.getApiVersion()).isEqualTo("v1");
        assertThat(generic.<Map<String, String>>get("data")).isEqualTo(typed.getData());
        assertThat(cache.get(Kind.of(kind).metadata(), key).orElseThrow().uid())
                .isEqualTo(typed.getMetadata().getUid());
        assertThat(cache.kinds()).hasSize(1);
        typed.getData().put("key", "changed by the caller");
        assertThat(cache.get(ConfigMap.class, key).orElseThrow().getData()).containsEntry("key", "1");
        assertThat(cache.get(ConfigMap.class, ObjectKey.of(namespace, "none"))).isEmpty();
        assertThat(cache.list(Kind.of(Namespace.class), Selection.all())).isNotEmpty();
    }

    @Test
    void cacheWhenDefinitionIsCreatedAndDeletedFollowsWhileOtherKindsWork() throws InterruptedException {
        put("a", "1");
        open(options());
        Informer<GenericKubernetesResource> widgets = cache.informer(Kind.of(WIDGET));

        assertThatThrownBy(() -> cache.list(Kind.of(WIDGET), Selection.all()))
                .isInstanceOf(KindUnavailableException.class)
                .hasMessageContaining("widgets.cache.example.io")
                .hasMessageContaining("CustomResourceDefinition");
        awaitCached(Map.of("a", "1"));
        install();
        widgets.awaitSync(LONG);
        createWidget("w", "3");
        await("widget").atMost(LONG).until(() -> widgets.list("").size() == 1);

        uninstall();
        await("no widget").atMost(LONG).until(() -> widgets.list("").isEmpty());
        await("failure").atMost(LONG).until(() -> failure(WIDGET).contains("CustomResourceDefinition"));
        put("a", "2");
        awaitCached(Map.of("a", "2"));

        install();
        await("recovery").atMost(LONG).until(() -> failure(WIDGET).isEmpty());
        createWidget("again", "3");
        await("widget again").atMost(LONG).until(() -> widgets.list("").size() == 1);
        uninstall();
    }

    @Test
    void cacheWhenOneObjectDoesNotFitItsClassServesTheOthers() {
        install();
        createWidget("good", "3");
        createWidget("bad", "\"three\"");
        open(options());
        await("both")
                .atMost(LONG)
                .until(() ->
                        cache.list(Kind.of(WIDGET).metadata(), Selection.all()).size() == 2);

        assertThat(cache.list(Kind.of(Widget.class), Selection.all()))
                .extracting(widget -> widget.getMetadata().getName())
                .containsExactly("good");
        assertThatThrownBy(() -> cache.get(Widget.class, ObjectKey.of(namespace, "bad")))
                .isInstanceOf(UndecodableObjectException.class)
                .hasMessageContaining("size");
        assertThat(cache.get(Kind.of(WIDGET), ObjectKey.of(namespace, "bad"))).isPresent();
        assertThat(status(WIDGET).content().undecodableObjects()).isEqualTo(1);
        uninstall();
    }

    @Test
    void cacheWhenRightIsMissingNamesTheRuleAndFollowsOnceItIsGrantedAndAgain() throws InterruptedException {
        put("a", "1");
        KindCacheOptions one = KindCacheOptions.defaults().withNamespaces(Set.of(namespace));
        open(config("alice"), options().withKindDefaults(one));
        Informer<ConfigMap> informer = cache.informer(ConfigMap.class);

        assertThatThrownBy(() -> cache.list(Kind.of(ConfigMap.class), Selection.all()))
                .isInstanceOf(KindUnavailableException.class)
                .hasMessageContaining("Role in namespace " + namespace)
                .hasMessageContaining("resources: [\"configmaps\"]");

        grant("alice");
        informer.awaitSync(LONG);
        awaitCached(Map.of("a", "1"));

        revoke();
        network.closeConnections();
        await("failure")
                .atMost(LONG)
                .until(() -> failure(KindName.of("v1", "ConfigMap")).contains("configmaps"));
        put("a", "2");
        assertThat(cached()).isEqualTo(Map.of("a", "1"));

        grant("alice");
        awaitCached(Map.of("a", "2"));
    }

    @Test
    void cacheWhenOnlyMetadataIsKeptFollowsHeaders() {
        put("a", "1");
        open(options().withKindDefaults(KindCacheOptions.defaults().withStorage(StorageForm.METADATA)));
        KindName kind = cache.informer(ConfigMap.class).kind().kind();

        assertThat(cache.list(Kind.of(kind).metadata(), Selection.inNamespace(namespace)))
                .extracting(header -> header.key().name())
                .contains("a");
        assertThatThrownBy(() -> cache.get(Kind.of(kind), ObjectKey.of(namespace, "a")))
                .hasMessageContaining("metadata");
        put("b", "1");
        await("new header")
                .atMost(LONG)
                .until(() -> cache.get(Kind.of(kind).metadata(), ObjectKey.of(namespace, "b"))
                        .isPresent());
        assertThat(List.copyOf(cache.kinds())).hasSize(1);
    }

    @Test
    void cacheWhenObjectLeavesTheSelectionDeliversItsDeletion() {
        put("a", "1");
        put("b", "1");
        label("a", "team", "x");
        open(options().withKindDefaults(KindCacheOptions.defaults().withLabelSelector("team=x")));
        subscribe();
        awaitDelivered(Map.of("a", "1"));

        label("b", "team", "x");
        awaitDelivered(Map.of("a", "1", "b", "1"));
        label("a", "team", "y");
        awaitDelivered(Map.of("b", "1"));
        awaitCached(Map.of("b", "1"));
        assertThat(wrong).isEmpty();
    }

    @Test
    void closeWhenWatchesAndListenersAreBusyEndsAllThreads() {
        put("a", "1");
        open(options());
        subscribe();
        awaitDelivered(Map.of("a", "1"));
        assertThat(threads()).isNotEmpty();

        cache.close();

        await("no thread of the cache")
                .atMost(LONG)
                .untilAsserted(() -> assertThat(threads()).isEmpty());
    }
}
