package io.github.reconciler4j.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * The name and the keys of observations of reconciliations. A bean of this type replaces
 * {@link DefaultReconcileObservationConvention}. Implementations are thread-safe.
 *
 * <!-- snippet: ObservationKeys -->
 * <pre>{@code
 * ReconcileObservationConvention reconciliations() {
 *     return new DefaultReconcileObservationConvention() {
 *         @Override
 *         public KeyValues getLowCardinalityKeyValues(ReconcileObservationContext context) {
 *             return super.getLowCardinalityKeyValues(context).and("team", "shop");
 *         }
 *     };
 * }
 * }</pre>
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
