package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import io.fabric8.kubernetes.client.utils.Utils;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
            Config read = selfContained(context, List.of(file));
            Config config = read == null ? Config.fromKubeconfig(context, file) : read;
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
            boolean used = Utils.getSystemPropertyOrEnvVar(Config.KUBERNETES_AUTH_TRYKUBECONFIG_SYSTEM_PROPERTY, true);
            Config read = used && !present.isEmpty() ? selfContained(context, present) : null;
            if (read == null) {
                return Config.autoConfigure(context);
            }
            Config.configFromSysPropsOrEnvVars(read);
            read.setAutoConfigure(true);
            return read;
        } catch (RuntimeException e) {
            if (present.isEmpty()) {
                throw e;
            }
            throw unusable(firstInvalid(present), "is not a valid kubeconfig" + reason(e), e);
        }
    }

    /**
     * Return what fabric8 makes of kubeconfigs, or null if they are not valid or need more than their own content. To parse one,
     * fabric8 loads the classes of all kinds, which is a tenth of the start of an operator; and it remembers the files for what
     * refers to others.
     */
    private static @Nullable Config selfContained(@Nullable String context, List<File> files) {
        List<io.fabric8.kubernetes.api.model.Config> parsed = new ArrayList<>();
        try {
            for (File file : files) {
                parsed.add(parse(Files.readString(file.toPath())));
            }
            if (!parsed.stream().allMatch(ClusterConfig::isSelfContained)) {
                return null;
            }
            Config config = Config.empty();
            KubeConfigUtils.merge(config, context, parsed.toArray(io.fabric8.kubernetes.api.model.Config[]::new));
            return config;
        } catch (IOException | RuntimeException e) { // is reported when fabric8 reads the file
            return null;
        }
    }

    private static io.fabric8.kubernetes.api.model.Config parse(String yaml) {
        io.fabric8.kubernetes.api.model.Config plain = PlainKubeconfig.of(KubernetesJson.readYaml(yaml, Map.class));
        return plain != null ? plain : KubernetesJson.readYaml(yaml, io.fabric8.kubernetes.api.model.Config.class);
    }

    private static boolean isSelfContained(io.fabric8.kubernetes.api.model.Config kubeconfig) {
        return kubeconfig.getClusters().stream()
                        .allMatch(each -> Utils.isNullOrEmpty(each.getCluster().getCertificateAuthority()))
                && kubeconfig.getUsers().stream().map(NamedAuthInfo::getUser).allMatch(ClusterConfig::isSelfContained);
    }

    private static boolean isSelfContained(AuthInfo user) {
        return user.getExec() == null
                && user.getAuthProvider() == null
                && Stream.of(user.getTokenFile(), user.getClientCertificate(), user.getClientKey())
                        .allMatch(Utils::isNullOrEmpty);
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
