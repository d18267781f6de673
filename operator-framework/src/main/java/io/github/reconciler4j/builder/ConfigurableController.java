package io.github.reconciler4j.builder;

import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.scheme.KindName;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What any controller has while it is being built, for a {@link ControllerCustomizer} of all controllers. Not thread-safe, not
 * implemented by users.
 *
 * <!-- snippet: TunedControllers -->
 * <pre>{@code
 * ControllerCustomizers customizers = ControllerCustomizers.none()
 *         .withDefaults(controller ->
 *                 controller.customizeOptions(options -> options.withReconcileTimeout(Duration.ofMinutes(1))));
 * return ManagerOptions.defaults().withComponentDefaults(customizers);
 * }</pre>
 *
 * @since 0.1.0
 */
public interface ConfigurableController {

    /** Return the name of the controller. */
    String name();

    /** Return the primary kind of the controller; empty if it has none. */
    Optional<KindName> kind();

    /**
     * Change the options set so far.
     *
     * @param change returns the new options
     */
    ConfigurableController customizeOptions(UnaryOperator<ControllerOptions> change);
}
