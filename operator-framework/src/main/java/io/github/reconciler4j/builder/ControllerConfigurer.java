package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Wires a controller beyond what can be said by annotation; usually implemented by the reconciler itself.
 *
 * @param <T> the class the controller is for
 * @since 0.1.0
 */
@FunctionalInterface
public interface ControllerConfigurer<T extends HasMetadata> {

    /** Adds watches, predicates and options to a controller that is being built. */
    void configure(ControllerBuilder<T> controller);
}
