package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.client.Config;
import java.io.File;
import org.jspecify.annotations.Nullable;

/** Reads the client configuration, with errors that say which property to mend. */
final class ClientConfigs {

    private ClientConfigs() {}

    static Config read(ClientProperties properties) {
        String context = properties.getContext();
        String kubeconfig = properties.getKubeconfig();
        Config config = kubeconfig == null ? Config.autoConfigure(context) : fromFile(new File(kubeconfig), context);
        if (context != null && !hasContext(config, context)) {
            throw new InvalidOperatorPropertyException(
                    "reconciler4j.client.context",
                    "names the context '" + context + "', which the kubeconfig does not have");
        }
        return config;
    }

    private static Config fromFile(File file, @Nullable String context) {
        if (!file.canRead()) {
            throw new InvalidOperatorPropertyException(
                    "reconciler4j.client.kubeconfig", "names '" + file + "', which is not a file that can be read");
        }
        Config config = Config.fromKubeconfig(file);
        if (config.getMasterUrl() == null || config.getCurrentContext() == null) {
            throw new InvalidOperatorPropertyException(
                    "reconciler4j.client.kubeconfig",
                    "names '" + file + "', which has no current context with a cluster");
        }
        return context == null ? config : Config.fromKubeconfig(context, file);
    }

    private static boolean hasContext(Config config, String context) {
        return config.getContexts() != null
                && config.getContexts().stream().anyMatch(known -> context.equals(known.getName()));
    }
}
