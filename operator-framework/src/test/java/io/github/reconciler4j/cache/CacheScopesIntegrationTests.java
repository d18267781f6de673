package io.github.reconciler4j.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.fixtures.CuttableProxy;
import io.github.reconciler4j.fixtures.Definitions;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an API server selects, and how it compresses lists. */
@AnyKubernetesTest
class CacheScopesIntegrationTests {

    private static final Duration LONG = Duration.ofSeconds(90);
    private static final KindName GADGET = new KindName("scopes.example.io", "v1", "Gadget");
    private static final int OBJECTS = 60;
    private static final String CRD = Definitions.of("scopes.example.io", "Gadget");

    private final AnyKubernetes kubernetes;
    private final Scheme scheme = Scheme.create().register(new KindInfo(GADGET, "gadgets", true));
    private String first;
    private String second;
    private ApiConnection connection;
    private Cache cache;

    CacheScopesIntegrationTests(AnyKubernetes kubernetes) {
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
            kubernetes.apply(objects.toString());
        }
    }

    @AfterEach
    void close() {
        if (cache != null) {
            cache.close();
            connection.close();
        }
    }

    private void open(CachedNamespaces namespaces, ObjectSelector selector, boolean gzip) {
        open(kubernetes.config(), namespaces, selector, gzip, !gzip);
    }

    private void open(
            Config config, CachedNamespaces namespaces, ObjectSelector selector, boolean gzip, boolean watchList) {
        connection = ApiConnection.open(config);
        WatchOptions watch = WatchOptions.defaults()
                .withListMode(watchList ? WatchOptions.ListMode.STREAMED : WatchOptions.ListMode.WHOLE)
                .withGzipLists(gzip);
        KindCacheOptions gadgets =
                KindCacheOptions.defaults().withNamespaces(namespaces).withSelector(selector);
        cache = Cache.create(
                connection,
                scheme,
                CacheOptions.defaults().withSyncTimeout(LONG).withWatch(watch).withKind(Kind.of(GADGET), gadgets));
        cache.start();
    }

    private int size(Selection options) {
        return cache.list(Kind.of(GADGET).metadata(), options).size();
    }

    @Test
    void allButWhenListsAreCompressedHasEverythingElse() {
        open(CachedNamespaces.allExcept(Set.of(second)), ObjectSelector.everything(), true);

        assertThat(size(Selection.inNamespace(first))).isEqualTo(OBJECTS);
        assertThat(cache.list(Kind.of(GADGET).metadata(), Selection.all()))
                .noneMatch(header -> header.key().namespace().equals(second));
        assertThat(cache.list(Kind.of(GADGET), Selection.inNamespace(first).withLimit(1))
                        .get(0)
                        .<String>get("spec", "text"))
                .startsWith("0123");
    }

    /** Bytes from the server while the cache synced. */
    private long received(boolean gzip, Map<String, String> content) throws IOException {
        Config config = kubernetes.config();
        URI address = URI.create(config.getMasterUrl());
        try (CuttableProxy counting = new CuttableProxy(address.getPort())) {
            config.setMasterUrl("https://" + address.getHost() + ":" + counting.port() + "/");
            open(config, CachedNamespaces.only(Set.of(first)), ObjectSelector.everything(), gzip, false);
            cache.list(Kind.of(GADGET), Selection.all())
                    .forEach(gadget -> content.put(gadget.getMetadata().getUid(), gadget.get("spec", "text")));
            close();
            return counting.received();
        }
    }

    @Test
    @Tag("whole") // the server inside the JVM does not compress
    void listsWhenCompressedBringTheSameInFewerBytes() throws IOException {
        Map<String, String> plainly = new HashMap<>();
        Map<String, String> compressed = new HashMap<>();

        long plain = received(false, plainly);
        long gzip = received(true, compressed);

        assertThat(compressed).hasSize(OBJECTS).isEqualTo(plainly);
        assertThat(gzip).as("bytes compressed, of %s", plain).isLessThan(plain / 4);
    }

    @Test
    @Tag("whole") // the server inside the JVM does not compress
    void listWhenAskedForGzipIsCompressedByTheServer() throws Exception {
        String path = "apis/scopes.example.io/v1/namespaces/" + first + "/gadgets";
        Config config = kubernetes.config();
        HttpClient client =
                HttpClient.newBuilder().sslContext(SSLUtils.sslContext(config)).build();
        HttpRequest.Builder list =
                HttpRequest.newBuilder(URI.create(config.getMasterUrl()).resolve("/" + path));

        HttpResponse<byte[]> plain = client.send(list.build(), HttpResponse.BodyHandlers.ofByteArray());
        HttpResponse<byte[]> packed =
                client.send(list.header("Accept-Encoding", "gzip").build(), HttpResponse.BodyHandlers.ofByteArray());

        assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(packed.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(packed.body().length).isLessThan(plain.body().length / 4);
        try (InputStream unpacked = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
            assertThat(items(unpacked.readAllBytes()))
                    .hasSize(OBJECTS)
                    .isEqualTo(
                            items(plain.body())); // not all of the list: its version grows with any write to the server
        }
    }

    private static JsonNode items(byte[] list) throws IOException {
        return new ObjectMapper().readTree(list).path("items");
    }

    /** Sets the label of a namespace, or removes it. */
    private void label(String namespace, String value) {
        String quoted = value == null ? "null" : "\"" + value + "\"";
        kubernetes.with(client -> client.namespaces()
                .withName(namespace)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\": {\"labels\": {\"scope-test\": " + quoted + "}}}"));
    }

    @Test
    void labelledWhenLabelsChangeFollows() {
        label(first, first);
        open(CachedNamespaces.matchingLabels("scope-test=" + first), ObjectSelector.everything(), false);
        assertThat(size(Selection.all())).isEqualTo(OBJECTS);

        label(second, first);
        await("both").atMost(LONG).until(() -> size(Selection.all()) == 2 * OBJECTS);
        label(first, null);
        await("one").atMost(LONG).until(() -> size(Selection.all()) == OBJECTS);
        assertThat(size(Selection.inNamespace(second))).isEqualTo(OBJECTS);
    }
}
