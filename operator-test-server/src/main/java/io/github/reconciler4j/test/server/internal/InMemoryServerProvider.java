package io.github.reconciler4j.test.server.internal;

import io.github.reconciler4j.test.KubernetesServerBuilder;
import io.github.reconciler4j.test.KubernetesServerProvider;

/**
 * Lets {@link io.github.reconciler4j.test.KubernetesServer#builder} find this module. Safe for use by multiple threads.
 */
public final class InMemoryServerProvider implements KubernetesServerProvider {

    public InMemoryServerProvider() {}

    @Override
    public KubernetesServerBuilder builder() {
        return new InMemoryServerBuilder();
    }
}
