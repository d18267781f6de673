package io.github.reconciler4j.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * The name and the keys of observations of reconciliations. A bean of this type replaces
 * {@link DefaultReconcileObservationConvention}. Implementations are thread-safe.
 *
 * @since 0.1.0
 */
public interface ReconcileObservationConvention extends ObservationConvention<ReconcileObservationContext> {

    /** Return whether the observation is one of reconciliations. */
    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof ReconcileObservationContext;
    }
}
