package io.github.reconciler4j.test.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.expect.EventExpectation;
import io.github.reconciler4j.test.expect.ListExpectation;
import io.github.reconciler4j.test.expect.ObjectExpectation;
import io.github.reconciler4j.test.simulation.Simulator;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The cluster that a test runs against. By default that is a {@link KubernetesServer} in this JVM. The system property
 * {@code reconciler4j.test.cluster}, or the environment variable {@code RECONCILER4J_TEST_CLUSTER}, makes it a real one:
 *
 * <ul>
 *   <li>{@code assets}: etcd and kube-apiserver from the folder that {@code KUBEBUILDER_ASSETS} names, without controllers;
 *       they are started once in a JVM and end with it
 *   <li>{@code context:NAME}: the cluster of that context of the kubeconfig; at the end the namespaces and definitions that
 *       this object created are deleted there, the rest stays
 * </ul>
 *
 * <p>A test that works in a namespace of its own ({@link #createNamespace}) runs against all of them. Safe for use by
 * many threads.
 *
 * @since 0.1.0
 */
public final class TestCluster implements AutoCloseable {
    /** The user whose name the requests of the operator carry, unless the cluster was there before. */
    public static final String OPERATOR = "operator";

    private final Backend backend;
    private final KubernetesClient client;
    private final Queue<HasMetadata> created = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    private TestCluster(Backend backend) {
        this.backend = backend;
        client = new KubernetesClientBuilder().withConfig(backend.admin()).build();
    }

    /**
     * Starts what the settings of this JVM say, and installs the custom resource definitions.
     *
     * @throws IllegalStateException if it cannot be started, or a definition is not served within 30 seconds
     */
    public static TestCluster start(TestClusterOptions options) {
        TestCluster cluster = new TestCluster(ClusterChoice.start(options));
        try {
            cluster.install(Definitions.read(options.definitions(), cluster.client.getKubernetesSerialization()));
            return cluster;
        } catch (Throwable e) {
            cluster.close();
            throw e;
        }
    }

    /** Returns whether the settings of this JVM choose the server in this JVM. */
    public static boolean isInThisJvm() {
        return ClusterChoice.isInThisJvm();
    }

    /** Returns the configuration of a user who may do everything, for the test itself; each call makes a new one. */
    public Config config() {
        return backend.admin();
    }

    /**
     * Returns the configuration for the operator under test; each call makes a new one. It may do everything, under the
     * name {@value #OPERATOR}, so that its requests can be told from those of the test; on a cluster that was there
     * before it is the same user.
     */
    public Config operatorConfig() {
        return backend.operator();
    }

    /** Returns the client of the test; it is closed with the cluster. */
    public KubernetesClient client() {
        return client;
    }

    /** Returns the server in this JVM, with its faults and its log of requests; empty for a real cluster. */
    public Optional<KubernetesServer> server() {
        return backend.server();
    }

    /**
     * Returns whether pods of Deployments become ready here: in this JVM with that stand-in; never with {@code assets},
     * which have no controllers; always on a cluster that was there before.
     */
    public boolean runsDeployments() {
        return server().map(server -> server.simulators().contains(Simulator.DEPLOYMENTS))
                .orElseGet(backend::outlivesTest);
    }

    /** Creates a namespace that nobody else has and returns its name: the prefix, a dash and a few characters. */
    public String createNamespace(String prefix) {
        Namespace wish = new NamespaceBuilder()
                .withNewMetadata()
                .withGenerateName(prefix + "-")
                .endMetadata()
                .build();
        Namespace namespace = client.resource(wish).create();
        created.add(namespace);
        return namespace.getMetadata().getName();
    }

    /**
     * Creates or updates custom resource definitions and waits until they are served.
     *
     * @throws AssertionError if that takes longer than 30 seconds
     */
    public void install(List<CustomResourceDefinition> definitions) {
        for (CustomResourceDefinition definition : definitions) {
            boolean isNew = client.resource(definition).get() == null;
            CustomResourceDefinition installed =
                    client.resource(definition).forceConflicts().serverSideApply();
            if (isNew) {
                created.add(installed);
            }
        }
        for (CustomResourceDefinition definition : definitions) {
            expect(CustomResourceDefinition.class, definition.getMetadata().getName())
                    .toHaveCondition("Established", "True");
        }
    }

    /** Expects something of an object in a namespace; the methods of the result wait for it. */
    public <T extends HasMetadata> ObjectExpectation<T> expect(Class<T> type, String namespace, String name) {
        return new ObjectExpectation<>(client, type, namespace, name);
    }

    /** Expects something of an object that is in no namespace; the methods of the result wait for it. */
    public <T extends HasMetadata> ObjectExpectation<T> expect(Class<T> type, String name) {
        return new ObjectExpectation<>(client, type, null, name);
    }

    /** Expects something of the objects of a kind in a namespace; the methods of the result wait for it. */
    public <T extends HasMetadata> ListExpectation<T> expectAll(Class<T> type, String namespace) {
        return new ListExpectation<>(client, type, namespace);
    }

    /** Expects events about an object; the methods of the result wait for them. */
    public EventExpectation expectEvents(HasMetadata about) {
        return new EventExpectation(client, about);
    }

    /** Ends it. Of a cluster that goes on, what this object created is deleted, without waiting for the end of that. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            if (backend.outlivesTest()) {
                created.forEach(object -> client.resource(object).delete());
            }
        } finally {
            client.close();
            backend.close();
        }
    }

    /** Reads the custom resource definitions of the class path. */
    private static final class Definitions {
        private Definitions() {}

        /** The definitions in the files of these places, one for each name; of several files the first wins. */
        static List<CustomResourceDefinition> read(List<String> places, KubernetesSerialization serialization) {
            Map<String, CustomResourceDefinition> definitions = new LinkedHashMap<>();
            for (URL file : ClassPathFiles.find(places, List.of(".yml", ".yaml", ".json"))) {
                for (CustomResourceDefinition definition : read(file, serialization)) {
                    definitions.putIfAbsent(definition.getMetadata().getName(), definition);
                }
            }
            return List.copyOf(definitions.values());
        }

        private static List<CustomResourceDefinition> read(URL file, KubernetesSerialization serialization) {
            try (InputStream content = file.openStream()) {
                Object parsed = serialization.unmarshal(content);
                List<? extends Object> objects =
                        parsed instanceof KubernetesResourceList<?> list ? list.getItems() : single(parsed);
                List<CustomResourceDefinition> definitions = new ArrayList<>();
                for (Object object : objects) {
                    if (object instanceof CustomResourceDefinition definition) {
                        definitions.add(definition);
                    }
                }
                return definitions;
            } catch (IOException | RuntimeException e) {
                throw new IllegalStateException("The custom resource definitions in " + file + " cannot be read", e);
            }
        }

        private static List<Object> single(Object parsed) {
            if (parsed instanceof List<?> several) {
                return List.copyOf(several);
            }
            return parsed instanceof HasMetadata ? List.of(parsed) : List.of();
        }
    }
}
