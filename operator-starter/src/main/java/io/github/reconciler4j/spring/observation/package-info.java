/**
 * Observations of reconciliations and of their requests to the API server, which Micrometer turns into spans and timers.
 *
 * <p>{@link io.github.reconciler4j.spring.observation.OperatorObservation} documents their names and keys. A bean of type
 * {@link io.github.reconciler4j.spring.observation.ReconcileObservationConvention} or
 * {@link io.github.reconciler4j.spring.observation.ApiRequestObservationConvention} changes them. The auto-configuration observes
 * once there is an {@code ObservationRegistry} with a handler.
 */
@NullMarked
package io.github.reconciler4j.spring.observation;

import org.jspecify.annotations.NullMarked;
