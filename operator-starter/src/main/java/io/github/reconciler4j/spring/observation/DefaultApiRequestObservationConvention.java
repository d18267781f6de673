package io.github.reconciler4j.spring.observation;

import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.spring.observation.OperatorObservation.ApiRequestDetails;
import io.github.reconciler4j.spring.observation.OperatorObservation.ApiRequestKeys;
import io.micrometer.common.KeyValues;

/**
 * The default {@link ApiRequestObservationConvention}: the observation is named {@code reconciler4j.api.request}, and its span
 * after the verb and the resource, for example {@code patch webapps/status}. Thread-safe.
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
public class DefaultApiRequestObservationConvention implements ApiRequestObservationConvention {

    private static final String NONE = "none";
    private static final String HOME = "home";

    /** Create the convention. */
    public DefaultApiRequestObservationConvention() {}

    @Override
    public String getName() {
        return "reconciler4j.api.request";
    }

    @Override
    public String getContextualName(ApiRequestObservationContext context) {
        ClientCall call = context.call();
        String subresource = call.subresource().isEmpty() ? "" : "/" + call.subresource();
        return call.verb().word() + " " + call.kind().resource() + subresource;
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(ApiRequestObservationContext context) {
        ClientCall call = context.call();
        return KeyValues.of(
                ApiRequestKeys.CLUSTER.withValue(context.cluster().isEmpty() ? HOME : context.cluster()),
                ApiRequestKeys.VERB.withValue(call.verb().word()),
                ApiRequestKeys.KIND.withValue(call.kind().kind().toString()),
                ApiRequestKeys.SUBRESOURCE.withValue(call.subresource().isEmpty() ? NONE : call.subresource()),
                ApiRequestKeys.STATUS.withValue(context.status() == 0 ? NONE : Integer.toString(context.status())));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(ApiRequestObservationContext context) {
        ClientCall call = context.call();
        return KeyValues.of(
                ApiRequestDetails.NAMESPACE.withValue(call.key()
                        .map(ObjectKey::namespace)
                        .filter(namespace -> !namespace.isEmpty())
                        .orElse(NONE)),
                ApiRequestDetails.NAME.withValue(call.key().map(ObjectKey::name).orElse(NONE)),
                ApiRequestDetails.PATH.withValue(call.request().path()));
    }
}
