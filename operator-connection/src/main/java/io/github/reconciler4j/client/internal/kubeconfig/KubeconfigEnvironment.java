package io.github.reconciler4j.client.internal.kubeconfig;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Utils;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The cluster that the environment names: by kubeconfigs, by the service account of the pod, or by fabric8's variables.
 *
 * @since 0.1.0
 */
public final class KubeconfigEnvironment {

    private KubeconfigEnvironment() {}

    /** Return the files that the environment names, whether they exist or not. */
    public static List<Path> files() {
        return Config.getKubeconfigFilenames().stream()
                .filter(name -> !name.isEmpty())
                .map(Path::of)
                .distinct()
                .collect(Collectors.toUnmodifiableList());
    }

    /** Read the kubeconfigs of the environment if there are any, and else what the pod and fabric8's variables say. */
    public static Config read(KubeconfigReader reader, @Nullable String context) {
        boolean isUsed = Utils.getSystemPropertyOrEnvVar(Config.KUBERNETES_AUTH_TRYKUBECONFIG_SYSTEM_PROPERTY, true);
        boolean exists = files().stream().anyMatch(Files::isRegularFile);
        if (isUsed && exists) {
            return ofFiles(reader, context);
        }
        boolean isNamed =
                hasValue(Config.KUBERNETES_SERVICE_HOST_PROPERTY) || hasValue(Config.KUBERNETES_MASTER_SYSTEM_PROPERTY);
        if (isUsed && !isNamed) {
            return reader.read(context); // says which file is missing
        }
        Config config = Config.autoConfigure(context);
        if (Utils.isNullOrEmpty(config.getHttpsProxy())
                && !EnvironmentProxies.isLoopback(KubeconfigReader.host(config.getMasterUrl()))) {
            EnvironmentProxies.apply(config, reader.environment());
        }
        return config;
    }

    private static Config ofFiles(KubeconfigReader reader, @Nullable String context) {
        Config config = reader.read(context);
        String http = config.getHttpProxy();
        String https = config.getHttpsProxy();
        String[] excluded = config.getNoProxy();
        Config.configFromSysPropsOrEnvVars(config);
        config.setHttpProxy(http);
        config.setHttpsProxy(https);
        config.setNoProxy(excluded);
        if (hasValue(Config.KUBERNETES_OAUTH_TOKEN_SYSTEM_PROPERTY)) {
            config.setOauthTokenProvider(null);
        }
        return config;
    }

    private static boolean hasValue(String name) {
        return Utils.isNotNullOrEmpty(Utils.getSystemPropertyOrEnvVar(name));
    }
}
