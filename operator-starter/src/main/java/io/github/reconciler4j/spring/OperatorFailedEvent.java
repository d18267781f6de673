package io.github.reconciler4j.spring;

import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerFailedException;

/**
 * Published when the operator has stopped because it lost its lease or a component failed, before the application context
 * is closed. Afterwards the process ends with a non-zero exit code if the JVM was started for the application; see
 * {@code reconciler4j.exit-on-failure}.
 *
 * @param manager the manager, which has stopped
 * @param cause the failure
 * @since 0.1.0
 */
public record OperatorFailedEvent(Manager manager, ManagerFailedException cause) {}
