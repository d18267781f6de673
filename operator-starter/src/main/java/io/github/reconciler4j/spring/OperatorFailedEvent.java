package io.github.reconciler4j.spring;

import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerFailedException;

/**
 * Published in the application when the operator has stopped because it lost its lease or a part of it failed, before
 * the application context is closed. A listener may end the process with an exit code, which the library never does:
 *
 * <pre>{@code
 * @EventListener
 * void operatorFailed(OperatorFailedEvent event) {
 *     System.exit(1);
 * }
 * }</pre>
 *
 * @param manager the operator, which has stopped
 * @param cause what failed
 * @since 0.1.0
 */
public record OperatorFailedEvent(Manager manager, ManagerFailedException cause) {}
