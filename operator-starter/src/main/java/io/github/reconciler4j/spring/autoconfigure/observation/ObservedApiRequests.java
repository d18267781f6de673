package io.github.reconciler4j.spring.autoconfigure.observation;

import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.spring.observation.ApiRequestObservationContext;
import io.github.reconciler4j.spring.observation.ApiRequestObservationConvention;
import io.github.reconciler4j.spring.observation.DefaultApiRequestObservationConvention;
import io.github.reconciler4j.spring.observation.OperatorObservation;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Observes the requests of a client within another observation, and passes the trace on to the API server. Thread-safe. */
final class ObservedApiRequests implements ClientInterceptor {

    private static final ApiRequestObservationConvention DEFAULT = new DefaultApiRequestObservationConvention();

    private final ObservationRegistry registry;
    private final @Nullable ApiRequestObservationConvention convention;
    private final String cluster;

    ObservedApiRequests(ObservationRegistry registry, @Nullable ApiRequestObservationConvention convention) {
        this(registry, convention, "");
    }

    private ObservedApiRequests(
            ObservationRegistry registry, @Nullable ApiRequestObservationConvention convention, String cluster) {
        this.registry = registry;
        this.convention = convention;
        this.cluster = cluster;
    }

    @Override
    public ClientInterceptor forCluster(String name) {
        return new ObservedApiRequests(registry, convention, name);
    }

    @Override
    public ApiResponse intercept(ClientCall call, Next next) {
        if (registry.getCurrentObservation() == null) {
            return next.proceed(call);
        }
        ApiRequestObservationContext context = new ApiRequestObservationContext(call, cluster);
        Observation observation = OperatorObservation.API_REQUEST.start(convention, DEFAULT, () -> context, registry);
        Observation.Scope scope = observation.openScope();
        try {
            ApiResponse response = next.proceed(withHeaders(call, context.getCarrier()));
            context.setStatus(response.code());
            return response;
        } catch (ApiException e) {
            context.setStatus(e.code());
            observation.error(e);
            throw e;
        } catch (RuntimeException | Error e) {
            observation.error(e);
            throw e;
        } finally {
            scope.close();
            observation.stop();
        }
    }

    private static ClientCall withHeaders(ClientCall call, @Nullable Map<String, String> added) {
        if (added == null || added.isEmpty()) {
            return call;
        }
        Map<String, String> headers = new TreeMap<>(call.request().headers());
        headers.putAll(added);
        return call.withRequest(call.request().withHeaders(headers));
    }
}
