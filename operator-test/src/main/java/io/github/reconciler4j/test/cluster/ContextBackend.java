package io.github.reconciler4j.test.cluster;

import io.fabric8.kubernetes.client.Config;

/**
 * A cluster that is there already, by a context of the kubeconfig.
 *
 * @param context its name
 */
record ContextBackend(String context) implements Backend {
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
