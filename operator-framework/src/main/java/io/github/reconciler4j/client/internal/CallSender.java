package io.github.reconciler4j.client.internal;

import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.internal.http.RequestMetrics;
import io.github.reconciler4j.client.internal.spi.WriteGate;
import java.util.List;
import java.util.function.Supplier;

/**
 * Sends calls: through the interceptors, past the limiter and the gate, with repeats where they are safe. Shared by
 * derived clients. Safe for use by many threads.
 */
final class CallSender {

    private final ApiConnection connection;
    private final WriteGate gate;
    private final Limiter limiter;
    private final Observation observation;
    private final RequestMetrics metrics;
    private final WarningLog warnings = new WarningLog();

    CallSender(ClientWiring wiring, ClientOptions options) {
        this.connection = wiring.connection;
        this.gate = wiring.gate;
        this.limiter = new Limiter(options.throttle());
        this.observation = new Observation(connection);
        this.metrics = new RequestMetrics(connection.metrics(), RequestMetrics.host(connection.server()));
    }

    ApiConnection connection() {
        return connection;
    }

    ApiResponse send(ClientCall call, ClientOptions options) {
        ApiResponse response = next(options.interceptors(), 0, options).proceed(call);
        if (!response.warnings().isEmpty()) {
            warnings.log(Call.describe(call), response.warnings());
        }
        return response;
    }

    private ClientInterceptor.Next next(List<ClientInterceptor> interceptors, int at, ClientOptions options) {
        if (at == interceptors.size()) {
            return call -> deliver(call, options);
        }
        return call -> dispatch(interceptors.get(at), call, next(interceptors, at + 1, options));
    }

    private ApiResponse deliver(ClientCall call, ClientOptions options) {
        Supplier<ApiResponse> send = () -> Retries.run(call, metrics, () -> transmit(call));
        return options.mode() == WriteMode.OBSERVE && call.verb().isWrite()
                ? observation.run(call, options.writeObserver(), send)
                : send.get();
    }

    private static ApiResponse dispatch(ClientInterceptor interceptor, ClientCall call, ClientInterceptor.Next next) {
        if (!call.subresource().isEmpty()) {
            return interceptor.subresource(call, next);
        }
        return switch (call.verb()) {
            case GET -> interceptor.get(call, next);
            case LIST -> interceptor.list(call, next);
            case CREATE -> interceptor.create(call, next);
            case UPDATE -> interceptor.update(call, next);
            case PATCH -> interceptor.patch(call, next);
            case APPLY -> interceptor.apply(call, next);
            case DELETE -> interceptor.delete(call, next);
            case DELETE_ALL -> interceptor.deleteAll(call, next);
        };
    }

    private ApiResponse transmit(ClientCall call) {
        if (limiter.isOff()) {
            return transmitNow(call);
        }
        long start = System.nanoTime();
        try {
            limiter.enter();
            metrics.limited(call.request().method(), System.nanoTime() - start);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException(
                    Call.describe(call) + ": interrupted while waiting for the rate limit");
        }
        try {
            return transmitNow(call);
        } finally {
            limiter.leave();
        }
    }

    private ApiResponse transmitNow(ClientCall call) {
        if (call.verb().isWrite() && !call.dryRun()) {
            gate.check();
        }
        return connection.send(call.request());
    }
}
