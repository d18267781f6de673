package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.manager.ManagerOptions;

/**
 * Changes the options of the manager after the properties have been applied; a bean for what no property says. Several
 * are asked in their order.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ManagerOptionsCustomizer {

    /** The options to go on with. */
    ManagerOptions customize(ManagerOptions options);
}
