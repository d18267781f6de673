package io.github.reconciler4j.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.fixtures.CuttableProxy;
import io.github.reconciler4j.fixtures.Definitions;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A cache behind a network that can be cut, and another client that writes. */
abstract class CachePromisesFixture {

    static final Duration LONG = Duration.ofSeconds(90);
    static final KindName WIDGET = new KindName("cache.example.io", "v1", "Widget");
    private static final String RBAC = "rbac.authorization.k8s.io/v1";
    private static final String CRD = Definitions.of("cache.example.io", "Widget");

    private final KubernetesSerialization yaml = new KubernetesSerialization();
    final Map<String, String> delivered = new ConcurrentHashMap<>();
    final List<String> events = new CopyOnWriteArrayList<>();
    final List<String> wrong = new CopyOnWriteArrayList<>();
    String namespace;
    CuttableProxy network;
    Cache cache;
    private ApiConnection writing;
    private ApiConnection connection;
    private Client writer;

    /** A custom resource with a number in it. */
    @Group("cache.example.io")
    @Version("v1")
    @JsonIgnoreProperties(ignoreUnknown = true)
    public static class Widget extends CustomResource<WidgetSpec, Void>
            implements io.fabric8.kubernetes.api.model.Namespaced {
        private static final long serialVersionUID = 1L;
    }

    /** Its content. */
    public static class WidgetSpec {
        public int size;
    }

    /** The configuration of a user with all permissions. */
    abstract Config config();

    /** The configuration of a user without permissions. */
    abstract Config config(String user);

    /** Makes a namespace of the test's own and returns its name. */
    abstract String createNamespace();

    /** The server ends at once; what it has stored stays. */
    abstract void crash();

    /** The server restarts and answers. */
    abstract void recover();

    /** No watch can resume from before now. */
    abstract void forgetHistory();

    @BeforeEach
    void openWriter() throws InterruptedException, IOException {
        Config config = config();
        network = new CuttableProxy(URI.create(config.getMasterUrl()).getPort());
        writing = ApiConnection.open(config);
        writing.awaitServer(LONG);
        writer = Client.create(writing, scheme(), ClientOptions.defaults());
        namespace = createNamespace();
    }

    @AfterEach
    void close() throws IOException {
        if (cache != null) {
            cache.close();
            connection.close();
        }
        writing.close();
        network.close();
    }

    private static Scheme scheme() {
        return Scheme.create().register(new KindInfo(WIDGET, "widgets", true));
    }

    static CacheOptions options() {
        return CacheOptions.defaults()
                .withSyncTimeout(LONG)
                .withWatch(WatchOptions.defaults()
                        .withIdleTimeout(Duration.ofSeconds(70))
                        .withBackoff(Duration.ofMillis(100), Duration.ofSeconds(2)));
    }

    void open(CacheOptions options) {
        open(config(), options);
    }

    void open(Config config, CacheOptions options) {
        config.setMasterUrl("https://" + URI.create(config.getMasterUrl()).getHost() + ":" + network.port() + "/");
        connection = ApiConnection.open(config);
        cache = Cache.create(connection, scheme(), options);
        cache.start();
    }

    void subscribe() {
        cache.informer(ConfigMap.class).subscribe("test", this::record);
    }

    private void record(ObjectEvent<ConfigMap> event) {
        if (!event.snapshot().key().namespace().equals(namespace)
                || event.snapshot().key().name().equals("kube-root-ca.crt")) {
            return;
        }
        String name = event.snapshot().key().name();
        if (event instanceof ObjectEvent.Deleted<ConfigMap>) {
            events.add("deleted " + name);
            check("deleted " + name, delivered.remove(name) != null);
        } else {
            String value = event.snapshot().object().getData().get("key");
            boolean created = event instanceof ObjectEvent.Created<ConfigMap>;
            String change = (created ? "created " : "updated ") + name;
            events.add(change);
            check(change, (delivered.put(name, value) == null) == created);
        }
    }

    private void check(String event, boolean right) {
        if (!right) {
            wrong.add(event);
        }
    }

    void awaitDelivered(Map<String, String> expected) {
        await("delivered events")
                .atMost(LONG)
                .untilAsserted(() -> assertThat(delivered).isEqualTo(expected));
    }

    Map<String, String> cached() {
        Map<String, String> values = new TreeMap<>();
        for (ConfigMap map : cache.list(Kind.of(ConfigMap.class), Selection.inNamespace(namespace))) {
            if (!map.getMetadata().getName().equals("kube-root-ca.crt")) {
                values.put(map.getMetadata().getName(), map.getData().get("key"));
            }
        }
        return values;
    }

    void awaitCached(Map<String, String> expected) {
        await("content of the cache")
                .atMost(LONG)
                .untilAsserted(() -> assertThat(cached()).isEqualTo(expected));
    }

    KindStatus status(KindName kind) {
        return cache.kinds().stream()
                .filter(status -> status.kind().kind().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    String failure(KindName kind) {
        return status(kind).failure();
    }

    /** The threads of caches. */
    static List<String> threads() {
        return LiveThreads.named("reflector-", "subscription-");
    }

    private static ObjectKey inCluster(String name) {
        return ObjectKey.ofName(name);
    }

    void put(String name, String value) {
        writer.createOrUpdate(
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .build(),
                map -> map.setData(Map.of("key", value)));
    }

    void label(String name, String label, String value) {
        writer.patch(
                Kind.of(ConfigMap.class),
                ObjectKey.of(namespace, name),
                ObjectPatch.merge(Map.of("metadata", Map.of("labels", Map.of(label, value)))),
                WriteOptions.defaults());
    }

    void remove(String name) {
        writer.delete(Kind.of(ConfigMap.class), ObjectKey.of(namespace, name), DeletionOptions.defaults());
    }

    private void create(String text) {
        writer.createOrUpdate(yaml.unmarshal(text, GenericKubernetesResource.class), same -> {});
    }

    void install() {
        await("the definition can be created again") // a former one may still be on its way out
                .atMost(LONG)
                .ignoreExceptionsInstanceOf(ApiException.class)
                .until(() -> {
                    create(CRD);
                    return writer.discovery().find(WIDGET).isPresent();
                });
    }

    void uninstall() {
        KindName definition = KindName.of("apiextensions.k8s.io/v1", "CustomResourceDefinition");
        writer.delete(Kind.of(definition), inCluster("widgets.cache.example.io"), DeletionOptions.defaults());
        await("the definition is gone")
                .atMost(LONG)
                .until(() -> writer.get(Kind.of(definition), inCluster("widgets.cache.example.io"))
                        .isEmpty());
    }

    void createWidget(String name, String size) {
        await("widget " + name)
                .atMost(LONG)
                .ignoreExceptionsInstanceOf(ApiException.class) // the definition is served a moment after it says so
                .until(() -> {
                    create("apiVersion: cache.example.io/v1\nkind: Widget\nmetadata: {name: " + name + ", namespace: "
                            + namespace + "}\nspec: {size: " + size + "}\n");
                    return true;
                });
    }

    void grant(String user) {
        create("apiVersion: " + RBAC + "\nkind: Role\nmetadata: {name: r, namespace: " + namespace
                + "}\nrules: [{apiGroups: [''], resources: [configmaps], verbs: [list, watch]}]\n");
        create("apiVersion: " + RBAC + "\nkind: RoleBinding\nmetadata: {name: r, namespace: " + namespace
                + "}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}\nsubjects: [{apiGroup: "
                + "rbac.authorization.k8s.io, kind: User, name: " + user + "}]\n");
    }

    /** Takes the right away from the user of the cache, and waits until the server knows that. */
    void revoke() {
        writer.delete(Kind.of(RBAC, "RoleBinding"), ObjectKey.of(namespace, "r"), DeletionOptions.defaults());
        Client user = Client.create(connection, scheme(), ClientOptions.defaults());
        await("the user is refused").atMost(LONG).until(() -> {
            try {
                user.list(Kind.of(ConfigMap.class), Selection.inNamespace(namespace));
                return false;
            } catch (ForbiddenException e) {
                return true;
            }
        });
    }
}
