package io.github.reconciler4j.test.cluster;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.test.KubernetesServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which API server tests run against, as the system property or the environment variable says. */
final class ClusterChoice {
    /** {@code in-jvm} (the default), {@code assets}, or {@code context:NAME}. */
    static final String PROPERTY = "reconciler4j.test.cluster";

    /** The folder with {@code etcd} and {@code kube-apiserver}, for {@code assets}. */
    static final String ASSETS_PROPERTY = "reconciler4j.test.assets";

    private static final String VARIABLE = "RECONCILER4J_TEST_CLUSTER";
    private static final String ASSETS_VARIABLE = "KUBEBUILDER_ASSETS";
    private static final String IN_JVM = "in-jvm";
    private static final String CONTEXT = "context:";

    private ClusterChoice() {}

    static boolean isInThisJvm() {
        String choice = setting(PROPERTY, VARIABLE);
        return choice == null || choice.equals(IN_JVM);
    }

    static Backend start(TestClusterOptions options) {
        String choice = setting(PROPERTY, VARIABLE);
        if (choice == null || choice.equals(IN_JVM)) {
            return JvmBackend.start(options);
        }
        if (choice.equals("assets")) {
            return AssetsBackend.shared(setting(ASSETS_PROPERTY, ASSETS_VARIABLE));
        }
        if (choice.startsWith(CONTEXT) && choice.length() > CONTEXT.length()) {
            return ContextBackend.of(choice.substring(CONTEXT.length()));
        }
        throw new IllegalStateException("'" + PROPERTY + "' (or " + VARIABLE + ") is '" + choice
                + "', but must be 'in-jvm', 'assets' or 'context:' and the name of a context of the kubeconfig");
    }

    private static @Nullable String setting(String property, String variable) {
        String value = System.getProperty(property, System.getenv(variable));
        return value == null || value.isBlank() ? null : value.strip();
    }

    /**
     * A cluster that is there already, by a context of the kubeconfig.
     *
     * @param context its name
     */
    private record ContextBackend(String context) implements Backend {
        static Backend of(String context) {
            Config config = Config.autoConfigure(context);
            boolean exists = config.getContexts() != null
                    && config.getContexts().stream().anyMatch(known -> context.equals(known.getName()));
            if (!exists) {
                throw new IllegalStateException(ClusterChoice.PROPERTY + " names the context '" + context
                        + "', which the kubeconfig does not have. 'kubectl config get-contexts' lists those it has.");
            }
            return new ContextBackend(context);
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

    /**
     * A server in this JVM for one cluster.
     *
     * @param running the server
     * @param operatorToken the token of the operator's user
     */
    private record JvmBackend(KubernetesServer running, String operatorToken) implements Backend {
        private static final String MASTERS = "system:masters";

        static Backend start(TestClusterOptions options) {
            KubernetesServer server =
                    options.server().apply(KubernetesServer.builder()).start();
            return new JvmBackend(server, server.addUser(TestCluster.OPERATOR, MASTERS));
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
            running.close();
        }
    }

    /**
     * A real etcd and kube-apiserver, started from their programs. All clusters of this JVM share one, which ends with the
     * JVM.
     *
     * @param plane the running programs
     */
    private record AssetsBackend(ControlPlane plane) implements Backend {
        private static final Map<Path, ControlPlane> RUNNING = new ConcurrentHashMap<>();

        static Backend shared(@Nullable String assets) {
            if (assets == null) {
                throw new IllegalStateException(
                        "'" + ClusterChoice.PROPERTY + "' is 'assets': set KUBEBUILDER_ASSETS (or '"
                                + ClusterChoice.ASSETS_PROPERTY + "') to the folder with etcd and kube-apiserver");
            }
            Path folder = Path.of(assets).toAbsolutePath();
            for (String program : List.of("etcd", "kube-apiserver")) {
                if (!Files.isExecutable(folder.resolve(program))) {
                    throw new IllegalStateException("KUBEBUILDER_ASSETS (or '" + ClusterChoice.ASSETS_PROPERTY
                            + "') is " + folder + ", which has no executable '" + program + "'");
                }
            }
            return new AssetsBackend(RUNNING.computeIfAbsent(folder, ControlPlane::start));
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
}
