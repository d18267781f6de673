package io.github.reconciler4j.test.cluster;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.KubernetesServerBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The API server of a test. The system property or the environment variable selects it. */
interface Backend extends AutoCloseable {

    /** {@code in-jvm} (the default), {@code assets}, or {@code context:NAME}. */
    String PROPERTY = "reconciler4j.test.cluster";

    /** The folder with {@code etcd} and {@code kube-apiserver}, for {@code assets}. */
    String ASSETS_PROPERTY = "reconciler4j.test.assets";

    /** Return the configuration of the test, which may do everything. */
    Config admin();

    /** Return the configuration of the operator, which may do everything, with a user name of its own if possible. */
    Config operator();

    /** Return the server in this JVM, if it is that. */
    default Optional<KubernetesServer> server() {
        return Optional.empty();
    }

    /** Return the controllers of the server in this JVM, if the options select some. */
    default Optional<ClusterControllers> controllers() {
        return Optional.empty();
    }

    /** Return whether others use the cluster after the test. */
    default boolean outlivesTest() {
        return false;
    }

    @Override
    void close();

    static boolean isInThisJvm() {
        String choice = setting(PROPERTY, "RECONCILER4J_TEST_CLUSTER");
        return choice == null || choice.equals("in-jvm");
    }

    static Backend start(TestClusterOptions options) {
        String choice = setting(PROPERTY, "RECONCILER4J_TEST_CLUSTER");
        if (choice == null || choice.equals("in-jvm")) {
            return InJvm.start(options);
        }
        if (choice.equals("assets")) {
            return Assets.shared(setting(ASSETS_PROPERTY, "KUBEBUILDER_ASSETS"));
        }
        if (choice.startsWith("context:") && choice.length() > "context:".length()) {
            return Context.of(choice.substring("context:".length()));
        }
        throw new IllegalStateException("'" + PROPERTY + "' (or RECONCILER4J_TEST_CLUSTER) is '" + choice
                + "', but must be 'in-jvm', 'assets' or 'context:' and the name of a context of the kubeconfig");
    }

    private static @Nullable String setting(String property, String variable) {
        String value = System.getProperty(property, System.getenv(variable));
        return value == null || value.isBlank() ? null : value.strip();
    }

    /**
     * A server in this JVM for one cluster.
     *
     * @param around the controllers on the server, null for none
     */
    record InJvm(KubernetesServer running, @Nullable ClusterControllers around, String operatorToken)
            implements Backend {

        static Backend start(TestClusterOptions options) {
            KubernetesServerBuilder builder = options.server().apply(KubernetesServer.builder());
            ClusterControllers controllers = options.cluster().isEmpty()
                    ? null
                    : ClusterControllersProvider.find().start(builder, options.cluster());
            KubernetesServer server = controllers == null ? builder.start() : controllers.server();
            return new InJvm(server, controllers, server.addUser(TestCluster.OPERATOR, "system:masters"));
        }

        @Override
        public Optional<ClusterControllers> controllers() {
            return Optional.ofNullable(around);
        }

        @Override
        public Config admin() {
            return running.clientConfig();
        }

        @Override
        public Config operator() {
            return running.clientConfig(operatorToken);
        }

        @Override
        public Optional<KubernetesServer> server() {
            return Optional.of(running);
        }

        @Override
        public void close() {
            if (around == null) {
                running.close();
            } else {
                around.close();
            }
        }
    }

    /** A real etcd and kube-apiserver. The clusters of this JVM share one, which ends with the JVM. */
    record Assets(ControlPlane plane) implements Backend {
        private static final Map<Path, ControlPlane> RUNNING = new ConcurrentHashMap<>();

        static Backend shared(@Nullable String assets) {
            if (assets == null) {
                throw new IllegalStateException("'" + PROPERTY + "' is 'assets': set KUBEBUILDER_ASSETS (or '"
                        + ASSETS_PROPERTY + "') to the folder with etcd and kube-apiserver (R4J-802)");
            }
            Path folder = Path.of(assets).toAbsolutePath();
            for (String program : List.of("etcd", "kube-apiserver")) {
                if (!Files.isExecutable(folder.resolve(program))) {
                    throw new IllegalStateException("KUBEBUILDER_ASSETS (or '" + ASSETS_PROPERTY + "') is " + folder
                            + ", which has no executable '" + program + "'");
                }
            }
            return new Assets(RUNNING.computeIfAbsent(folder, ControlPlane::start));
        }

        @Override
        public Config admin() {
            return plane.config("admin");
        }

        @Override
        public Config operator() {
            return plane.config(TestCluster.OPERATOR);
        }

        @Override
        public void close() {}
    }

    /** The cluster of a context of the kubeconfig. */
    record Context(String context) implements Backend {

        static Backend of(String context) {
            Config config = Config.autoConfigure(context);
            boolean exists = config.getContexts() != null
                    && config.getContexts().stream().anyMatch(known -> context.equals(known.getName()));
            if (!exists) {
                throw new IllegalStateException(
                        PROPERTY + " names the context '" + context
                                + "', which the kubeconfig does not have. 'kubectl config get-contexts' lists those it has. (R4J-803)");
            }
            return new Context(context);
        }

        @Override
        public Config admin() {
            return Config.autoConfigure(context);
        }

        @Override
        public Config operator() {
            return Config.autoConfigure(context);
        }

        @Override
        public boolean outlivesTest() {
            return true;
        }

        @Override
        public void close() {}
    }
}
