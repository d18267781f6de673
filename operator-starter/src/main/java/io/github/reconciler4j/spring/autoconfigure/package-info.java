/**
 * Auto-configuration of an operator.
 *
 * <p>{@code OperatorAutoConfiguration} creates the {@code Manager} from {@code OperatorProperties}. {@code ReconcilerRegistry}
 * reads the declarations of {@code @Reconciler} beans from their definitions. {@code ControllerRegistrar} creates their
 * controllers once all singletons exist: {@code ControllerWiring} adds annotated watches and indexes, customizer beans
 * follow, and {@code ControllerSettings} merges annotation and properties. {@code ManagerLifecycle} starts and stops the
 * manager with the application. {@code OperatorFailureAnalyzer} explains failures of the start.
 */
@NullMarked
package io.github.reconciler4j.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
