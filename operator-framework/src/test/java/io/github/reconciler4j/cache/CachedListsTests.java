package io.github.reconciler4j.cache;

import static io.github.reconciler4j.cache.ServedCache.CONFIG_MAP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.fixtures.Definitions;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists with selectors, index terms, namespaces and limits; and the form in which objects are handed out. */
class CachedListsTests {

    private final ServedCache served = new ServedCache();

    @BeforeEach
    void fill() {
        served.namespace("n1");
        served.namespace("n2");
        served.configMap("n2", "ab", "app", "web");
        served.configMap("n1", "ba", "app", "web");
        served.configMap("n1", "ac", "app", "db");
        served.configMap("n1", "aa");
    }

    @AfterEach
    void close() {
        served.close();
    }

    private static Selection fields(String selector) {
        return Selection.all().withFieldSelector(selector);
    }

    private Informer<ConfigMap> start() {
        Cache cache = served.open(CacheOptions.defaults());
        cache.start();
        Informer<ConfigMap> informer = cache.informer(ConfigMap.class);
        informer.addIndex(
                "letter",
                map -> map.key().name().chars().mapToObj(Character::toString).toList());
        return informer;
    }

    @Test
    void listWhenIndexTermsAreGivenReturnsObjectsThatHaveAll() {
        Informer<ConfigMap> informer = start();
        informer.addIndex(
                "first", map -> List.of(map.object().getMetadata().getName().substring(0, 1)));

        assertThat(served.names(fields("letter=b"))).contains("n1/ba", "n2/ab").doesNotContain("n1/ac");
        assertThat(served.names(fields("letter=b,first==a"))).containsExactly("n2/ab");
        assertThat(served.names(fields("letter=a").withNamespace("n1"))).containsExactly("n1/aa", "n1/ac", "n1/ba");
        assertThat(served.names(fields("letter=a,metadata.namespace=n1")
                        .withLabelSelector("app")
                        .withLimit(1)))
                .containsExactly("n1/ac");
        assertThat(informer.list(fields("letter=c").withNamespace("n1")))
                .extracting(map -> map.key().name())
                .containsExactly("ac");
    }

    @Test
    void listWhenSelectorIsUnsupportedFailsAndExplains() {
        start();
        for (String selector : List.of("letter!=a", "spec.nodeName=x", "letter")) {
            assertThatThrownBy(() -> served.names(fields(selector)))
                    .isInstanceOf(UnsupportedSelectorException.class)
                    .hasMessageContaining(selector);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lettre=a | has no index 'lettre', so it cannot select by 'lettre=a': did you mean 'letter'? Declare",
                "letter=a,spec.node=x | has no index 'spec.node', so it cannot select by 'letter=a,spec.node=x'. It has [letter]. Declare"
            })
    void listWhenTheIndexDoesNotExistNamesThoseThatDo(String selector, String message) {
        Informer<ConfigMap> informer = start();
        informer.addLabelIndex("app");
        assertThatThrownBy(() -> served.names(fields(selector)))
                .hasMessageContaining("The cache of configmaps " + message)
                .hasMessageEndingWith("(R4J-118)");
        assertThatThrownBy(() -> informer.byIndex("ltter", "a"))
                .isInstanceOf(UnsupportedSelectorException.class)
                .hasMessageContaining("has no index 'ltter': did you mean 'letter'? Declare the index with @Index");
    }

    @Test
    void listWhenLabelHasAnIndexFindsTheSame() {
        Informer<ConfigMap> informer = start();
        Selection web = Selection.all().withLabelSelector("app=web");
        assertThat(served.names(web)).containsExactly("n1/ba", "n2/ab");

        informer.addLabelIndex("app");
        informer.addLabelIndex("app");

        assertThat(served.names(web)).containsExactly("n1/ba", "n2/ab");
        assertThat(served.names(web.withLabelSelector("app in (web, db)")).size())
                .isEqualTo(3);
        assertThat(served.names(web.withLabelSelector("app=web,app!=web"))).isEmpty();
        assertThat(served.names(web.withNamespace("n2"))).containsExactly("n2/ab");
    }

    @Test
    void getWhenStorageIsDecodedReturnsOneInstanceToAll() {
        Cache cache = served.open(KindCacheOptions.defaults().withStorage(StorageForm.DECODED));
        cache.start();
        ObjectKey key = ObjectKey.of("n1", "aa");

        ConfigMap first = cache.get(ConfigMap.class, key).orElseThrow();
        GenericKubernetesResource generic = cache.get(Kind.of(CONFIG_MAP), key).orElseThrow();

        assertThat(cache.get(ConfigMap.class, key).orElseThrow()).isSameAs(first);
        assertThat(cache.list(Kind.of(ConfigMap.class), Selection.inNamespace("n1")))
                .anyMatch(map -> map == first);
        assertThat(cache.informer(ConfigMap.class).get(key).orElseThrow().object())
                .isSameAs(first);
        assertThat(cache.get(Kind.of(CONFIG_MAP), key).orElseThrow()).isSameAs(generic);
        assertThat(first.getData()).containsEntry("key", "aa");
        assertThat(generic.<Object>get("data", "key")).isEqualTo("aa");
    }

    @Test
    void getWhenOnlyMetadataIsStoredFailsAndExplains() {
        Cache cache = served.open(KindCacheOptions.defaults().withStorage(StorageForm.METADATA));
        cache.start();
        assertThat(cache.get(Kind.of(CONFIG_MAP).metadata(), ObjectKey.of("n1", "aa")))
                .isPresent();
        assertThatThrownBy(() -> cache.get(ConfigMap.class, ObjectKey.of("n1", "aa")))
                .isInstanceOf(NotCachedException.class);
    }

    @Test
    void addIndexWhenKindHasNotSyncedDoesNotWait() {
        served.fault(FaultRule.of(RequestMatch.verbs("list", "watch").kind("configmaps"), Fault.stall()));
        Cache cache = served.open(CacheOptions.defaults());
        cache.start();
        Informer<ConfigMap> informer = cache.informer(ConfigMap.class);

        informer.addIndex("name", map -> List.of(map.key().name()));

        assertThat(informer.hasSynced()).isFalse();
        assertThat(informer.byIndex("name", "aa")).isEmpty();
    }

    @Test
    void byIndexWhenKindIsClusterScopedFindsItsObjects() throws InterruptedException {
        Cache cache = served.open(CacheOptions.defaults());
        cache.start();
        Informer<Namespace> namespaces = cache.informer(Namespace.class);
        namespaces.addIndex("length", name -> List.of(name.key().name().length() + ""));
        namespaces.awaitSync(ServedCache.LONG);

        assertThat(namespaces.byIndex("length", "2"))
                .extracting(namespace -> namespace.key().toString())
                .containsExactlyInAnyOrder("n1", "n2");
        assertThat(cache.list(Kind.of(Namespace.class), Selection.all().withFieldSelector("length=2")))
                .extracting(namespace -> namespace.getMetadata().getName())
                .containsExactly("n1", "n2");
    }

    /** Creates a custom resource with a number, and returns it as the cache has it. */
    private GenericKubernetesResource createLarge(KindName widget, String digits) {
        served.scheme.register(new KindInfo(widget, "widgets", true));
        served.client.create(new KubernetesSerialization()
                .unmarshal(Definitions.of("lists.example.io", "Widget"), CustomResourceDefinition.class));
        GenericKubernetesResource large = new GenericKubernetesResource();
        large.setApiVersion(widget.apiVersion());
        large.setKind(widget.kind());
        large.setMetadata(
                new ObjectMetaBuilder().withNamespace("n1").withName("large").build());
        large.setAdditionalProperty("spec", Map.of("size", new BigInteger(digits)));
        served.client.create(large);
        Cache cache = served.open(CacheOptions.defaults());
        cache.start();
        return cache.get(Kind.of(widget), ObjectKey.of("n1", "large")).orElseThrow();
    }

    @Test
    void getAndPatchWhenNumbersAreLargerThanAnyJavaTypeKeepEveryDigit() {
        String digits = "123456789012345678901234567890";
        KindName widget = KindName.of("lists.example.io/v1", "Widget");
        GenericKubernetesResource read = createLarge(widget, digits);
        assertThat(read.<Object>get("spec", "size")).hasToString(digits);

        GenericKubernetesResource changed = new KubernetesSerialization().clone(read);
        changed.setAdditionalProperty("spec", Map.of("size", new BigInteger(digits + "1")));
        ObjectPatch patch = ObjectPatch.between(read, changed);

        assertThat(new String(patch.body(), StandardCharsets.UTF_8)).contains(digits + "1");
        GenericKubernetesResource answer = served.client.patch(read, patch);
        assertThat(answer.<Object>get("spec", "size")).hasToString(digits + "1");
        GenericKubernetesResource stored = served.client
                .live()
                .get(Kind.of(widget), ObjectKey.of("n1", "large"))
                .orElseThrow();
        assertThat(stored.<Object>get("spec", "size")).hasToString(digits + "1");
    }
}
