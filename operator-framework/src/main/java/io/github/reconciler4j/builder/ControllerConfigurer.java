package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Customizes a controller that is being built from a bean: watches, predicates, options. Usually implemented by the
 * reconciler itself.
 *
 * @param <T> the class of the primary kind
 * @since 0.1.0
 */
@FunctionalInterface
public interface ControllerConfigurer<T extends HasMetadata> {

    /** Customize a controller that is being built. */
    void configure(ControllerBuilder<T> controller);
}
