package io.github.reconciler4j.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.ApiConnection;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The cache against a real API server that is stopped, halted, and loses kinds and rights. */
@RealKubernetesTest(dedicated = true, components = KubernetesComponent.CONTROLLER_MANAGER)
class CacheIntegrationTests {

    private static final Duration LONG = Duration.ofSeconds(90);
    private static final GroupVersionKind WIDGET = new GroupVersionKind("cache.example.io", "v1", "Widget");
    private static final String CRD = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.cache.example.io}
            spec:
              group: cache.example.io
              scope: Namespaced
              names: {kind: Widget, plural: widgets, singular: widget}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    private final RealKubernetes kubernetes;
    private final Scheme scheme = Scheme.create().register(new KindInfo(WIDGET, "widgets", true));
    private final Map<String, String> told = new ConcurrentHashMap<>();
    private ApiConnection connection;
    private Cache cache;

    CacheIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    private void open(Config config, CacheOptions options) {
        connection = ApiConnection.open(config);
        cache = Cache.create(connection, scheme, options);
    }

    private static CacheOptions options() {
        return CacheOptions.defaults()
                .withSyncTimeout(LONG)
                .withWatch(WatchOptions.defaults().withBackoff(Duration.ofMillis(100), Duration.ofSeconds(2)));
    }

    @AfterEach
    void close() {
        cache.close();
        connection.close();
    }

    private void configMap(String namespace, String name, String value) {
        kubernetes.kubectlWithInput(
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name + "\",\"namespace\":\""
                        + namespace + "\"},\"data\":{\"key\":\"" + value + "\"}}",
                "apply",
                "-f",
                "-");
    }

    private void record(ObjectEvent<ConfigMap> event) {
        String name = event.snapshot().key().toString();
        if (event instanceof ObjectEvent.Deleted<ConfigMap>) {
            told.remove(name);
        } else {
            told.put(name, event.snapshot().object().getData().getOrDefault("key", ""));
        }
    }

    private Map<String, String> cached(String namespace) {
        Map<String, String> values = new TreeMap<>();
        for (ConfigMap map : cache.list(ConfigMap.class, ListOptions.inNamespace(namespace))) {
            if (!map.getMetadata().getName().equals("kube-root-ca.crt")) {
                values.put(map.getMetadata().getName(), map.getData().get("key"));
            }
        }
        return values;
    }

    private void awaitCached(String namespace, Map<String, String> expected) {
        await("content of the cache")
                .atMost(LONG)
                .untilAsserted(() -> assertThat(cached(namespace)).isEqualTo(expected));
    }

    @Test
    void cacheWhenServerIsRestartedAndHaltedFollowsEveryChange() {
        String namespace = kubernetes.createNamespace("cache");
        open(kubernetes.config(), options());
        cache.informer(ConfigMap.class).subscribe("test", this::record);
        cache.start();
        configMap(namespace, "a", "1");
        configMap(namespace, "b", "1");
        awaitCached(namespace, Map.of("a", "1", "b", "1"));

        kubernetes.kill(KubernetesComponent.APISERVER);
        assertThat(cached(namespace)).isEqualTo(Map.of("a", "1", "b", "1"));
        kubernetes.start(KubernetesComponent.APISERVER);
        configMap(namespace, "a", "2");
        kubernetes.kubectl("-n", namespace, "delete", "configmap", "b");
        configMap(namespace, "c", "1");

        awaitCached(namespace, Map.of("a", "2", "c", "1"));
        await("events")
                .atMost(LONG)
                .untilAsserted(() -> assertThat(told)
                        .containsEntry(namespace + "/a", "2")
                        .containsEntry(namespace + "/c", "1")
                        .doesNotContainKey(namespace + "/b"));
    }

    @Test
    void cacheWhenThreeFormsAreReadKeepsOneWatch() {
        String namespace = kubernetes.createNamespace("cache");
        configMap(namespace, "a", "1");
        open(kubernetes.config(), options());
        cache.start();
        GroupVersionKind kind = GroupVersionKind.of("v1", "ConfigMap");
        ObjectKey key = ObjectKey.of(namespace, "a");

        ConfigMap typed = cache.get(ConfigMap.class, key).orElseThrow();
        GenericKubernetesResource generic = cache.get(kind, key).orElseThrow();

        assertThat(typed.getKind()).isEqualTo("ConfigMap");
        assertThat(typed.getApiVersion()).isEqualTo("v1");
        assertThat(typed.getMetadata().getManagedFields()).isEmpty();
        assertThat(generic.getKind()).isEqualTo("ConfigMap");
        assertThat(generic.getApiVersion()).isEqualTo("v1");
        assertThat(generic.<Map<String, String>>get("data")).isEqualTo(typed.getData());
        assertThat(cache.header(kind, key).orElseThrow().uid())
                .isEqualTo(typed.getMetadata().getUid());
        assertThat(cache.kinds()).hasSize(1);
        typed.getData().put("key", "changed by the caller");
        assertThat(cache.get(ConfigMap.class, key).orElseThrow().getData()).containsEntry("key", "1");
        assertThat(cache.list(Namespace.class, ListOptions.all())).isNotEmpty();
    }

    @Test
    void cacheWhenDefinitionComesAndGoesFollows() throws InterruptedException {
        String namespace = kubernetes.createNamespace("cache");
        open(kubernetes.config(), options());
        Informer<GenericKubernetesResource> widgets = cache.informer(WIDGET);
        cache.start();

        assertThatThrownBy(() -> cache.list(WIDGET, ListOptions.all()))
                .isInstanceOf(KindUnavailableException.class)
                .hasMessageContaining("widgets.cache.example.io")
                .hasMessageContaining("CustomResourceDefinition");
        kubernetes.kubectlWithInput(CRD, "apply", "-f", "-");
        widgets.awaitSync(LONG);
        kubernetes.kubectl("wait", "--for=condition=Established", "crd/widgets.cache.example.io");
        kubernetes.kubectlWithInput(
                "{\"apiVersion\":\"cache.example.io/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\",\"namespace\":\""
                        + namespace + "\"},\"spec\":{\"size\":3}}",
                "create",
                "-f",
                "-");
        await("widget")
                .atMost(LONG)
                .until(() -> cache.list(WIDGET, ListOptions.all()).size() == 1);

        kubernetes.kubectl("delete", "crd", "widgets.cache.example.io");
        await("no widget")
                .atMost(LONG)
                .until(() -> cache.list(WIDGET, ListOptions.all()).isEmpty());
        await("trouble").atMost(LONG).until(() -> cache.kinds().get(0).trouble().contains("CustomResourceDefinition"));

        kubernetes.kubectlWithInput(CRD, "apply", "-f", "-");
        await("no trouble")
                .atMost(LONG)
                .until(() -> cache.kinds().get(0).trouble().isEmpty());
    }

    @Test
    void cacheWhenRightIsMissingNamesTheRuleAndSyncsOnceItIsGranted() throws InterruptedException {
        String namespace = kubernetes.createNamespace("cache");
        configMap(namespace, "a", "1");
        KindCacheOptions one = KindCacheOptions.defaults().withNamespaces(Set.of(namespace));
        open(kubernetes.config("alice"), options().withOtherKinds(one));
        Informer<ConfigMap> informer = cache.informer(ConfigMap.class);
        cache.start();

        assertThatThrownBy(() -> cache.list(ConfigMap.class, ListOptions.all()))
                .isInstanceOf(KindUnavailableException.class)
                .hasMessageContaining("Role in namespace " + namespace)
                .hasMessageContaining("resources: [\"configmaps\"]");

        kubernetes.kubectl("-n", namespace, "create", "role", "r", "--verb=list,watch", "--resource=configmaps");
        kubernetes.kubectl("-n", namespace, "create", "rolebinding", "r", "--role=r", "--user=alice");
        informer.awaitSync(LONG);
        awaitCached(namespace, Map.of("a", "1"));

        kubernetes.kubectl("-n", namespace, "delete", "rolebinding", "r");
        assertThat(cached(namespace)).isEqualTo(Map.of("a", "1"));
    }

    @Test
    void cacheWhenOnlyMetadataIsKeptFollowsHeaders() {
        String namespace = kubernetes.createNamespace("cache");
        configMap(namespace, "a", "1");
        open(
                kubernetes.config(),
                options().withOtherKinds(KindCacheOptions.defaults().withStorage(StorageForm.METADATA)));
        cache.start();
        GroupVersionKind kind = GroupVersionKind.of("v1", "ConfigMap");

        assertThat(cache.headers(scheme.kindOf(ConfigMap.class).kind(), ListOptions.inNamespace(namespace)))
                .extracting(header -> header.key().name())
                .contains("a");
        assertThatThrownBy(() -> cache.get(kind, ObjectKey.of(namespace, "a"))).hasMessageContaining("metadata");
        configMap(namespace, "b", "1");
        await("new header")
                .atMost(LONG)
                .until(() -> cache.header(kind, ObjectKey.of(namespace, "b")).isPresent());
        assertThat(List.copyOf(cache.kinds())).hasSize(1);
    }
}
