package io.github.reconciler4j.test.cluster;

import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.cluster.internal.CurrentDefinitions;
import io.github.reconciler4j.test.cluster.internal.DefinitionFiles;
import io.github.reconciler4j.test.expect.EventExpectation;
import io.github.reconciler4j.test.expect.ListExpectation;
import io.github.reconciler4j.test.expect.ObjectExpectation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster that a test runs against. By default it is a {@link KubernetesServer} in this JVM. The system property
 * {@code reconciler4j.test.cluster}, or the environment variable {@code RECONCILER4J_TEST_CLUSTER}, selects another:
 *
 * <ul>
 *   <li>{@code assets}: etcd and kube-apiserver from the folder that {@code KUBEBUILDER_ASSETS} names, without
 *       controllers; they start once in a JVM and end with it
 *   <li>{@code context:NAME}: the cluster of that context of the kubeconfig; closing deletes the namespaces and definitions
 *       that this object created, and keeps everything else
 * </ul>
 *
 * <p>A test that works in a namespace of its own ({@link #createNamespace}) runs against all of them. Safe for use by
 * multiple threads.
 *
 * <!-- snippet: WebPageTests -->
 * <pre>{@code
 * String namespace = cluster.createNamespace("pages");
 * WebPage page = new WebPage();
 * page.setMetadata(new ObjectMetaBuilder().withName("hello").build());
 * page.setSpec(new WebPageSpec());
 * page.getSpec().setHtml("<h1>Hi</h1>");
 *
 * cluster.client().resource(page).inNamespace(namespace).create();
 *
 * cluster.expect(ConfigMap.class, namespace, "hello").toHave("/data/index.html", "<h1>Hi</h1>");
 * }</pre>
 *
 * @since 0.1.0
 */
public final class TestCluster implements AutoCloseable {

    /** The user name of the operator, except on the cluster of a context. */
    public static final String OPERATOR = "operator";

    /**
     * Selects all controllers of Kubernetes, the scheduler and the nodes, as in
     * {@code @OperatorTest(cluster = TestCluster.FULL)}.
     */
    public static final String FULL = "*";

    private static final List<String> DEPLOYING = List.of("deployment", "replicaset", "scheduler", "kubelet");

    private static final Logger LOG = LoggerFactory.getLogger(TestCluster.class);

    private final Backend backend;
    private final KubernetesClient client;
    private final Queue<HasMetadata> created = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CurrentDefinitions current;

    private TestCluster(Backend backend) {
        this.backend = backend;
        client = new KubernetesClientBuilder()
                .withConfig(backend.admin())
                .withKubernetesSerialization(serialization())
                .build();
        current = new CurrentDefinitions(client.getKubernetesSerialization());
    }

    /** Creates objects of Kotlin classes as the operator does, if the library for it is there. */
    private static KubernetesSerialization serialization() {
        ObjectMapper mapper = new ObjectMapper();
        ServiceLoader.load(Module.class, TestCluster.class.getClassLoader()).stream()
                .filter(module -> module.type().getSimpleName().equals("KotlinModule"))
                .forEach(module -> mapper.registerModule(module.get()));
        return new KubernetesSerialization(mapper, true);
    }

    /**
     * Start the cluster that the settings of this JVM select, and install the custom resource definitions.
     *
     * @throws IllegalStateException if the cluster cannot be started, {@code reconciler4j-test-server} is not on the class
     *     path of a test that needs it, or a definition is not served within 30 seconds
     */
    public static TestCluster start(TestClusterOptions options) {
        TestCluster cluster = new TestCluster(Backend.start(options));
        try {
            cluster.install(DefinitionFiles.read(options.definitions(), cluster.client.getKubernetesSerialization()));
            return cluster;
        } catch (Throwable e) {
            cluster.close();
            throw e;
        }
    }

    /** Return whether the settings of this JVM select the server in this JVM. */
    public static boolean isInThisJvm() {
        return Backend.isInThisJvm();
    }

    /** Return a new configuration for the test itself, of a user who may do everything. */
    public Config config() {
        return backend.admin();
    }

    /**
     * Return a new configuration for the operator under test. It may do everything, with the user name {@value #OPERATOR},
     * so that its requests differ from those of the test. On the cluster of a context it is the same user.
     */
    public Config operatorConfig() {
        return backend.operator();
    }

    /** Return the client of the test. It is closed with the cluster. */
    public KubernetesClient client() {
        return client;
    }

    /** Return the server in this JVM, with its faults and its log of requests, or empty for a real cluster. */
    public Optional<KubernetesServer> server() {
        return backend.server();
    }

    /** Return the controllers that run in this JVM; empty if none were selected, and for a real cluster. */
    public Optional<ClusterControllers> controllers() {
        return backend.controllers();
    }

    /**
     * Return whether the pods of Deployments become ready: in this JVM with the controllers for it, never with {@code assets}, which
     * has no controllers, and always on the cluster of a context.
     */
    public boolean runsDeployments() {
        return backend.outlivesTest()
                || controllers()
                        .filter(running -> running.names().containsAll(DEPLOYING))
                        .isPresent();
    }

    /** Create a new namespace and return its name: the prefix, a dash and random characters. */
    public String createNamespace(String prefix) {
        Namespace wanted = new NamespaceBuilder()
                .withNewMetadata()
                .withGenerateName(prefix + "-")
                .endMetadata()
                .build();
        Namespace namespace = client.resource(wanted).create();
        created.add(namespace);
        return namespace.getMetadata().getName();
    }

    /**
     * Create or update custom resource definitions, and wait until they are served.
     *
     * @return the names of those that are new or have changed
     * @throws AssertionError if that takes longer than 30 seconds
     */
    public List<String> install(List<CustomResourceDefinition> definitions) {
        List<String> changed = new ArrayList<>();
        definitions.stream().filter(this::apply).forEach(definition -> changed.add(nameOf(definition)));
        definitions.forEach(this::awaitEstablished);
        return changed;
    }

    /** Return whether the definition is new or has changed. */
    private boolean apply(CustomResourceDefinition definition) {
        CustomResourceDefinition former = client.resource(definition).get();
        CustomResourceDefinition installed =
                client.resource(definition).forceConflicts().serverSideApply();
        if (former == null) {
            created.add(installed);
        }
        return former == null || !former.getSpec().equals(installed.getSpec());
    }

    private void awaitEstablished(CustomResourceDefinition definition) {
        expect(CustomResourceDefinition.class, nameOf(definition)).toHaveCondition("Established", "True");
    }

    private static String nameOf(CustomResourceDefinition definition) {
        return definition.getMetadata().getName();
    }

    /**
     * Create or update the custom resource definitions of the application as they are now; see {@link #install(List)}. They are at
     * places of the class path. If {@code reconciler4j-generator} is there, those that it has written are generated again in this
     * JVM, from the classes in folders of the class path, and so are those of new kinds. Their descriptions are those of the files. If
     * they cannot be generated, the reason is logged and the former ones stay; so does a definition whose change the API server
     * refuses, except at the first call, which fails then. Without the generator, a warning names the kinds
     * whose classes have changed since the call that last found other files.
     *
     * @param places folders and files, as in {@link TestClusterOptions#withDefinitions}
     * @throws IllegalStateException if a file cannot be read
     */
    public synchronized List<String> installFrom(List<String> places) {
        boolean first = !current.isReadBefore();
        List<CustomResourceDefinition> definitions = current.read(places);
        return first ? install(definitions) : installAgain(definitions);
    }

    private List<String> installAgain(List<CustomResourceDefinition> definitions) {
        List<String> changed = new ArrayList<>();
        for (CustomResourceDefinition definition : definitions) {
            try {
                boolean isNew = apply(definition);
                awaitEstablished(definition);
                if (isNew) {
                    changed.add(nameOf(definition));
                }
            } catch (KubernetesClientException | AssertionError e) {
                LOG.error(
                        "The API server does not take over the changed definition {}, so the former one stays (R4J-509): {}",
                        nameOf(definition),
                        reason(e));
            }
        }
        return changed;
    }

    private static @Nullable String reason(Throwable failure) {
        return failure instanceof KubernetesClientException refused && refused.getStatus() != null
                ? refused.getStatus().getMessage()
                : failure.getMessage();
    }

    /**
     * Change an object in a namespace as a user would with {@code kubectl edit}. If another writer was faster, the change is made
     * again to the newer object.
     *
     * @param change changes the object that it gets; called again after each conflict
     * @return the object as the API server has it now
     * @throws AssertionError if there is no such object, or if it changes so often that no attempt of 50 succeeds
     */
    public <T extends HasMetadata> T edit(Class<T> type, String namespace, String name, Consumer<T> change) {
        return new ObjectEdit<>(client, type, namespace, name).edit(change);
    }

    /** Change a cluster-scoped object; see {@link #edit(Class, String, String, Consumer)}. */
    public <T extends HasMetadata> T edit(Class<T> type, String name, Consumer<T> change) {
        return new ObjectEdit<>(client, type, null, name).edit(change);
    }

    /** Return an expectation of an object in a namespace. Its methods wait. */
    public <T extends HasMetadata> ObjectExpectation<T> expect(Class<T> type, String namespace, String name) {
        return new ObjectExpectation<>(client, type, namespace, name);
    }

    /** Return an expectation of a cluster-scoped object. Its methods wait. */
    public <T extends HasMetadata> ObjectExpectation<T> expect(Class<T> type, String name) {
        return new ObjectExpectation<>(client, type, null, name);
    }

    /** Return an expectation of the objects of a kind in a namespace. Its methods wait. */
    public <T extends HasMetadata> ListExpectation<T> expectAll(Class<T> type, String namespace) {
        return new ListExpectation<>(client, type, namespace);
    }

    /** Return an expectation of the events about an object. Its methods wait. */
    public EventExpectation expectEvents(HasMetadata about) {
        return new EventExpectation(client, about);
    }

    /**
     * End the cluster. On the cluster of a context, delete the namespaces and definitions that this object created. There,
     * finalizers of the operator are removed first, because the operator has ended; the deletion is asynchronous.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            if (backend.outlivesTest()) {
                new Cleanup(client).delete(created);
            }
        } finally {
            client.close();
            backend.close();
        }
    }
}
