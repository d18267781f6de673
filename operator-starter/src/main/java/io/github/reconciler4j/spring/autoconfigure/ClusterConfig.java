package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.utils.Utils;
import io.github.reconciler4j.client.connection.InvalidKubeconfigException;
import io.github.reconciler4j.client.connection.Kubeconfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds out which cluster to connect to, and reports what is missing or unreadable. */
final class ClusterConfig {

    private static final String KUBECONFIG = "reconciler4j.client.kubeconfig";
    private static final String CONTEXT = "reconciler4j.client.context";
    private static final String PLUGIN_TIMEOUT = "reconciler4j.client.plugin-timeout";

    private ClusterConfig() {}

    /**
     * Return the configuration that the properties name, or else the one of the environment.
     *
     * @throws OperatorConfigurationException if no cluster is configured, or if the kubeconfig is invalid
     */
    static Config read(OperatorProperties.Client properties) {
        Config config = properties.kubeconfig() == null
                ? ofEnvironment(properties.context(), properties.pluginTimeout())
                : ofFile(Path.of(properties.kubeconfig()), properties.context(), properties.pluginTimeout());
        if (properties.context() != null && config.getCurrentContext() == null) {
            throw noContext(properties.context());
        }
        return config;
    }

    /**
     * Return the configuration for a test. Only a kubeconfig that the properties name is used, since the current context
     * of a developer's kubeconfig may be any cluster.
     *
     * @param starts whether the operator starts with the application
     */
    static Config readForTest(OperatorProperties.Client properties, boolean starts) {
        if (properties.kubeconfig() != null) {
            return read(properties);
        }
        if (!starts) {
            return new ConfigBuilder(Config.empty())
                    .withMasterUrl("https://no-cluster-in-tests.invalid")
                    .build();
        }
        throw new OperatorConfigurationException(
                "A test started the operator without naming a cluster. The operator does not use the current context of the"
                        + " kubeconfig in tests, because this could be any cluster.",
                "Annotate the test with @OperatorTest, which starts an API server for it, set '" + KUBECONFIG
                        + "', or define a bean of type io.fabric8.kubernetes.client.Config. If the test does not need the"
                        + " operator, set 'reconciler4j.auto-startup' or 'reconciler4j.enabled' to false. (R4J-306)");
    }

    private static Config ofFile(Path file, @Nullable String context, Duration pluginTimeout) {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw OperatorConfigurationException.property(
                    KUBECONFIG, "is '" + file + "', which is not a readable file", null);
        }
        try {
            return read(Kubeconfig.ofFile(file), context, pluginTimeout);
        } catch (InvalidKubeconfigException e) {
            throw OperatorConfigurationException.property(KUBECONFIG, "is '" + file + "', which " + e.problem(), e);
        }
    }

    private static Config ofEnvironment(@Nullable String context, Duration pluginTimeout) {
        List<Path> files =
                Config.getKubeconfigFilenames().stream().map(Path::of).toList();
        List<Path> present = files.stream().filter(Files::isRegularFile).toList();
        if (present.isEmpty()
                && !hasValue(Config.KUBERNETES_SERVICE_HOST_PROPERTY)
                && !hasValue(Config.KUBERNETES_MASTER_SYSTEM_PROPERTY)) {
            throw missing(files);
        }
        try {
            return read(Kubeconfig.ofEnvironment(), present.isEmpty() ? null : context, pluginTimeout);
        } catch (InvalidKubeconfigException e) {
            throw new OperatorConfigurationException(
                    e.getMessage() + ".",
                    "Correct the file, or name another one in the environment variable KUBECONFIG or the property '"
                            + KUBECONFIG + "'.",
                    e);
        }
    }

    private static Config read(Kubeconfig kubeconfig, @Nullable String context, Duration pluginTimeout) {
        Kubeconfig limited = set(kubeconfig, pluginTimeout);
        if (context == null) {
            return limited.read();
        }
        if (!limited.hasContext(context)) {
            throw noContext(context);
        }
        return limited.withContext(context).read();
    }

    private static Kubeconfig set(Kubeconfig kubeconfig, Duration pluginTimeout) {
        try {
            return kubeconfig.withPluginTimeout(pluginTimeout);
        } catch (IllegalArgumentException e) {
            throw OperatorConfigurationException.property(PLUGIN_TIMEOUT, "must be positive", e);
        }
    }

    private static OperatorConfigurationException noContext(String context) {
        return OperatorConfigurationException.property(
                CONTEXT, "is '" + context + "', which is not a context of the kubeconfig", null);
    }

    private static OperatorConfigurationException missing(List<Path> files) {
        return new OperatorConfigurationException(
                "No Kubernetes cluster is configured: the application does not run in a pod, and the kubeconfig "
                        + (files.size() == 1 ? "'" + files.get(0) + "' does not exist." : files + " do not exist."),
                "Set the environment variable KUBECONFIG or the property '" + KUBECONFIG
                        + "' to the path of a kubeconfig. (R4J-307)");
    }

    private static boolean hasValue(String name) {
        return Utils.isNotNullOrEmpty(Utils.getSystemPropertyOrEnvVar(name));
    }
}
