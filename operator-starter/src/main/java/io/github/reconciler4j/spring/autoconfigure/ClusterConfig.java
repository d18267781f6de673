package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.utils.Utils;
import java.io.File;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds out which cluster to connect to, and reports what is missing or unreadable. */
final class ClusterConfig {

    private static final String KUBECONFIG = "reconciler4j.client.kubeconfig";
    private static final String CONTEXT = "reconciler4j.client.context";

    private ClusterConfig() {}

    /**
     * Return the configuration that the properties name, or else the one of the environment.
     *
     * @throws OperatorConfigurationException if no cluster is configured, or if the kubeconfig is invalid
     */
    static Config read(OperatorProperties.Client properties) {
        String context = properties.context();
        Config config = properties.kubeconfig() == null
                ? ofEnvironment(context)
                : ofFile(new File(properties.kubeconfig()), context);
        if (context != null && !hasContext(config, context)) {
            throw OperatorConfigurationException.property(
                    CONTEXT, "is '" + context + "', which is not a context of the kubeconfig", null);
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
                        + " operator, set 'reconciler4j.auto-startup' or 'reconciler4j.enabled' to false.");
    }

    private static Config ofFile(File file, @Nullable String context) {
        if (!file.isFile() || !file.canRead()) {
            throw OperatorConfigurationException.property(
                    KUBECONFIG, "is '" + file + "', which is not a readable file", null);
        }
        try {
            Config config = Config.fromKubeconfig(context, file);
            if (config.getCurrentContext() == null || Utils.isNullOrEmpty(config.getMasterUrl())) {
                throw OperatorConfigurationException.property(
                        KUBECONFIG, "is '" + file + "', which has no current context with a cluster", null);
            }
            return config;
        } catch (OperatorConfigurationException e) {
            throw e;
        } catch (RuntimeException e) {
            throw OperatorConfigurationException.property(
                    KUBECONFIG, "is '" + file + "', which is not a valid kubeconfig" + reason(e), e);
        }
    }

    private static Config ofEnvironment(@Nullable String context) {
        List<File> files =
                Config.getKubeconfigFilenames().stream().map(File::new).toList();
        List<File> present = files.stream().filter(File::isFile).toList();
        boolean master = hasValue(Config.KUBERNETES_MASTER_SYSTEM_PROPERTY);
        if (present.isEmpty() && !hasValue(Config.KUBERNETES_SERVICE_HOST_PROPERTY) && !master) {
            throw missing(files);
        }
        for (File file : present) {
            if (!file.canRead()) {
                throw unusable(file, "cannot be read", null);
            }
        }
        Config config = autoConfigure(context, present);
        if (!present.isEmpty() && !master && config.getCurrentContext() == null) {
            throw unusable(present.get(0), "has no current context with a cluster", null);
        }
        return config;
    }

    private static OperatorConfigurationException missing(List<File> files) {
        return new OperatorConfigurationException(
                "No Kubernetes cluster is configured: the application does not run in a pod, and the kubeconfig "
                        + (files.size() == 1 ? "'" + files.get(0) + "' does not exist." : files + " do not exist."),
                "Set the environment variable KUBECONFIG or the property '" + KUBECONFIG
                        + "' to the path of a kubeconfig.");
    }

    private static Config autoConfigure(@Nullable String context, List<File> present) {
        try {
            return Config.autoConfigure(context);
        } catch (RuntimeException e) {
            if (present.isEmpty()) {
                throw e;
            }
            throw unusable(firstInvalid(present), "is not a valid kubeconfig" + reason(e), e);
        }
    }

    private static File firstInvalid(List<File> files) {
        for (File file : files) {
            try {
                Config.fromKubeconfig(file);
            } catch (RuntimeException e) {
                return file;
            }
        }
        return files.get(0);
    }

    private static OperatorConfigurationException unusable(File file, String problem, @Nullable Throwable cause) {
        return new OperatorConfigurationException(
                "The kubeconfig '" + file + "' " + problem + ".",
                "Correct the file, or name another one in the environment variable KUBECONFIG or the property '"
                        + KUBECONFIG + "'.",
                cause);
    }

    /** Only positions are repeated, since the message of a parser may quote the file and so its secrets. */
    private static String reason(RuntimeException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof com.fasterxml.jackson.core.JsonProcessingException parsing
                    && parsing.getLocation() != null) {
                return " (line " + parsing.getLocation().getLineNr() + ", column "
                        + parsing.getLocation().getColumnNr() + ")";
            }
        }
        return "";
    }

    private static boolean hasValue(String name) {
        return Utils.isNotNullOrEmpty(Utils.getSystemPropertyOrEnvVar(name));
    }

    private static boolean hasContext(Config config, String context) {
        return config.getContexts() != null
                && config.getContexts().stream().anyMatch(known -> context.equals(known.getName()));
    }
}
