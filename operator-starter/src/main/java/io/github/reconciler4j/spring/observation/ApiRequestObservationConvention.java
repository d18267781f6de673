package io.github.reconciler4j.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * The name and the keys of observations of requests to the API server. A bean of this type replaces
 * {@link DefaultApiRequestObservationConvention}. Implementations are thread-safe.
 *
 * <!-- snippet: ObservationKeys -->
 * <pre>{@code
 * ApiRequestObservationConvention requests() {
 *     return new DefaultApiRequestObservationConvention() {
 *         @Override
 *         public String getName() {
 *             return "shop.api.requests";
 *         }
 *     };
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface ApiRequestObservationConvention extends ObservationConvention<ApiRequestObservationContext> {

    /** Return whether the observation is one of requests to the API server. */
    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof ApiRequestObservationContext;
    }
}
