package io.github.reconciler4j.test.server.internal;

import io.github.reconciler4j.test.KubernetesServerBuilder;
import io.github.reconciler4j.test.KubernetesServerProvider;

/**
 * Lets {@link io.github.reconciler4j.test.KubernetesServer#builder} find this module. Safe for use by multiple threads.
 *
 * @since 0.1.0
 */
public final class InMemoryServerProvider implements KubernetesServerProvider {

    /** Create a provider. */
    public InMemoryServerProvider() {}

    @Override
    public KubernetesServerBuilder builder() {
        return new InMemoryServerBuilder();
    }
}
