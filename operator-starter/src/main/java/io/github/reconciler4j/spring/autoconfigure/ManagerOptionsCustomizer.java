package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.manager.ManagerOptions;

/**
 * Customizes the options of the manager after the properties were applied. Declare a bean of this type for settings without a
 * property. Several beans are called in their order.
 *
 * <!-- snippet: OperatorCustomizations -->
 * <pre>{@code
 * ManagerOptionsCustomizer apiCalls() {
 *     return options -> options.withClient(options.client().withWriteObserver(write -> {}));
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ManagerOptionsCustomizer {

    /**
     * Return the customized options.
     *
     * @param options the options so far
     */
    ManagerOptions customize(ManagerOptions options);
}
