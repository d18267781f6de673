package io.github.reconciler4j.test.cluster;

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
}
