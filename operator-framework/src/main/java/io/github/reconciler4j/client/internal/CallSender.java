package io.github.reconciler4j.client.internal;

import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import java.net.URI;
import java.util.List;
import java.util.function.Supplier;

/**
 * Sends calls: through the interceptors, past the limiter and the gate, with repeats where they are safe. Shared by
 * derived clients. Safe for use by many threads.
 */
final class CallSender {

    private final ApiConnection connection;
    private final Limiter limiter;
    private final Observation observation;
    private final RequestMetrics metrics;
    private final WarningLog warnings = new WarningLog();

    CallSender(ApiConnection connection, ClientOptions options) {
        this.connection = connection;
        this.limiter = new Limiter(options.limits().throttle());
        this.observation = new Observation(connection);
        this.metrics = new RequestMetrics(
                connection.metrics(),
                URI.create(connection.config().getMasterUrl()).getAuthority());
    }

    ApiConnection connection() {
        return connection;
    }

    ApiResponse send(ClientCall call, ClientOptions options) {
        ApiResponse response = next(options.interceptors(), 0, options).proceed(call);
        if (!response.warnings().isEmpty()) {
            warnings.log(describe(call), response.warnings());
        }
        return response;
    }

    static String describe(ClientCall call) {
        return RequestTarget.of(call.request().path()).describe(call.verb().word());
    }

    private ClientInterceptor.Next next(List<ClientInterceptor> interceptors, int at, ClientOptions options) {
        if (at == interceptors.size()) {
            return call -> deliver(call, options);
        }
        return call -> dispatch(interceptors.get(at), call, next(interceptors, at + 1, options));
    }

    private ApiResponse deliver(ClientCall call, ClientOptions options) {
        Supplier<ApiResponse> send = () -> Retries.run(call, metrics, () -> transmit(call, options));
        return options.mode() == WriteMode.OBSERVE && call.verb().isWrite()
                ? observation.run(call, options.hooks().observer(), send)
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

    private ApiResponse transmit(ClientCall call, ClientOptions options) {
        if (limiter.isOff()) {
            return transmitNow(call, options);
        }
        long start = System.nanoTime();
        try {
            limiter.enter();
            metrics.limited(call.request().method(), System.nanoTime() - start);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException(describe(call) + ": interrupted while waiting for the rate limit");
        }
        try {
            return transmitNow(call, options);
        } finally {
            limiter.leave();
        }
    }

    private ApiResponse transmitNow(ClientCall call, ClientOptions options) {
        if (call.verb().isWrite() && !call.dryRun()) {
            options.hooks().gate().check();
        }
        return connection.send(call.request());
    }
}
