package io.github.reconciler4j.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.client.ApiConnection;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.fixtures.Definitions;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a real API server selects, and how it compresses lists. */
@RealKubernetesTest
class CacheScopesIntegrationTests {

    private static final Duration LONG = Duration.ofSeconds(90);
    private static final GroupVersionKind GADGET = new GroupVersionKind("scopes.example.io", "v1", "Gadget");
    private static final int OBJECTS = 60;
    private static final String CRD = Definitions.of("scopes.example.io", "Gadget");

    private final RealKubernetes kubernetes;
    private final Scheme scheme = Scheme.create().register(new KindInfo(GADGET, "gadgets", true));
    private String first;
    private String second;
    private ApiConnection connection;
    private Cache cache;

    CacheScopesIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @BeforeEach
    void fill() {
        kubernetes.applyDefinitions(CRD);
        first = kubernetes.createNamespace("scopes");
        second = kubernetes.createNamespace("scopes");
        for (String namespace : List.of(first, second)) {
            StringBuilder objects = new StringBuilder();
            for (int i = 0; i < OBJECTS; i++) {
                objects.append("---\napiVersion: scopes.example.io/v1\nkind: Gadget\nmetadata: {name: g")
                        .append(i)
                        .append(", namespace: ")
                        .append(namespace)
                        .append("}\nspec: {text: \"")
                        .append("0123456789 ".repeat(400))
                        .append("\"}\n");
            }
            kubernetes.kubectlWithInput(objects.toString(), "create", "-f", "-");
        }
    }

    @AfterEach
    void close() {
        cache.close();
        connection.close();
    }

    private void open(CachedNamespaces namespaces, ObjectSelector selector, boolean gzip) {
        connection = ApiConnection.open(kubernetes.config());
        WatchOptions watch = WatchOptions.defaults().withWatchList(!gzip).withGzipLists(gzip);
        KindCacheOptions gadgets =
                KindCacheOptions.defaults().withNamespaces(namespaces).withSelector(selector);
        cache = Cache.create(
                connection,
                scheme,
                CacheOptions.defaults().withSyncTimeout(LONG).withWatch(watch).withKind(GADGET, gadgets));
        cache.start();
    }

    private int size(ListOptions options) {
        return cache.headers(GADGET, options).size();
    }

    @Test
    void allButWhenListsAreCompressedHasEverythingElse() {
        open(CachedNamespaces.allBut(Set.of(second)), ObjectSelector.everything(), true);

        assertThat(size(ListOptions.inNamespace(first))).isEqualTo(OBJECTS);
        assertThat(cache.headers(GADGET, ListOptions.all()))
                .noneMatch(header -> header.key().namespace().equals(second));
        assertThat(cache.list(GADGET, ListOptions.inNamespace(first).withLimit(1))
                        .get(0)
                        .<String>get("spec", "text"))
                .startsWith("0123");
    }

    @Test
    void labelledWhenLabelsChangeFollows() {
        kubernetes.kubectl("label", "namespace", first, "scope-test=" + first);
        open(CachedNamespaces.labelled("scope-test=" + first), ObjectSelector.everything(), false);
        assertThat(size(ListOptions.all())).isEqualTo(OBJECTS);

        kubernetes.kubectl("label", "namespace", second, "scope-test=" + first);
        await("both").atMost(LONG).until(() -> size(ListOptions.all()) == 2 * OBJECTS);
        kubernetes.kubectl("label", "namespace", first, "scope-test-");
        await("one").atMost(LONG).until(() -> size(ListOptions.all()) == OBJECTS);
        assertThat(size(ListOptions.inNamespace(second))).isEqualTo(OBJECTS);
    }

    @Test
    void shardsWhenTakenTogetherAreEverything() {
        int all = 0;
        for (int part = 0; part < 3; part++) {
            open(
                    CachedNamespaces.only(Set.of(first)),
                    ObjectSelector.everything().withShard(new Shard(part, 3)),
                    false);
            all += size(ListOptions.all());
            if (part < 2) {
                close();
            }
        }
        assertThat(all).isEqualTo(OBJECTS);
    }
}
