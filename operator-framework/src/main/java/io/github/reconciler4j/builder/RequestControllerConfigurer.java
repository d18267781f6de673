package io.github.reconciler4j.builder;

/**
 * Configures a controller with its own type of request, beyond what annotations can express. Usually implemented by the
 * reconciler itself.
 *
 * @param <R> the type of the requests
 * @since 0.1.0
 */
@FunctionalInterface
public interface RequestControllerConfigurer<R> {

    /**
     * Add watches, sources and options to a controller that is being built.
     *
     * @param controller the builder, which already has the reconciler
     */
    void configure(RequestControllerBuilder<R> controller);
}
