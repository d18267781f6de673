package io.github.reconciler4j.builder;

/**
 * Customizes a controller before the code that declares it: what this sets is the default, which the annotation or the builder
 * of the controller overrides. Watches, sources and predicates are added. The type argument says what is customized:
 *
 * <ul>
 *   <li>{@code ControllerBuilder<WebPage>}: the controllers of a kind, or {@code ControllerBuilder<?>} those of all kinds
 *   <li>{@code RequestControllerBuilder<Tenant>}: the controllers with this type of request
 *   <li>{@link ConfigurableController}: all controllers of a manager, also those that are built by hand
 * </ul>
 *
 * <p>The Spring Boot starter applies beans of this type. A reconciler that implements it customizes its own controller. Without
 * Spring, {@link ControllerCustomizers} has those for all controllers.
 *
 * <!-- snippet: OperatorCustomizations -->
 * <pre>{@code
 * ControllerCustomizer<ControllerBuilder<Bucket>> remindersCustomizer() {
 *     return controller -> controller.customizeOptions(options -> options.withMaxConcurrentReconciles(4));
 * }
 * }</pre>
 *
 * @param <B> what is customized
 * @since 0.1.0
 */
@FunctionalInterface
public interface ControllerCustomizer<B> {

    /**
     * Customize a controller. Called on the thread that builds it, once for each controller. An exception makes the build fail.
     *
     * @param controller the controller, which nothing else uses during the call
     */
    void customize(B controller);
}
