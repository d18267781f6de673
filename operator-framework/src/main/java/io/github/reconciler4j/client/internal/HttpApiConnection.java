package io.github.reconciler4j.client.internal;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.List;

/**
 * {@link ApiConnection} over HTTP. fabric8 says how to reach the server, and its interceptors (headers, impersonation,
 * tokens, proxy authorization) are run here and not by fabric8's client, because that one repeats requests by itself and
 * cannot end a request whose answer does not come.
 *
 * @since 0.1.0
 */
public final class HttpApiConnection implements ApiConnection {

    private final Config config;
    private final ConnectionOptions options;
    private final Transport transport;
    private final RequestPreparation preparation;
    private final RequestMetrics metrics;
    private volatile boolean closed;

    private HttpApiConnection(
            Config config, ConnectionOptions options, Transport transport, RequestPreparation preparation) {
        this.config = config;
        this.options = options;
        this.transport = transport;
        this.preparation = preparation;
        URI uri = URI.create(config.getMasterUrl());
        this.metrics = new RequestMetrics(options.metrics(), uri.getAuthority());
    }

    /** Opens a connection; see {@link ApiConnection#open(Config, ConnectionOptions)}. */
    public static HttpApiConnection open(Config config, ConnectionOptions options) {
        try {
            Transports transports = new Transports(config, options.engine());
            RequestPreparation preparation = new RequestPreparation(config, options.userAgent(), transports.settings());
            return new HttpApiConnection(config, options, transports.open(), preparation);
        } catch (RuntimeException e) {
            throw ConnectionErrors.unusable(config.getMasterUrl(), e);
        }
    }

    @Override
    public String server() {
        return config.getMasterUrl();
    }

    @Override
    public OperatorMetrics metrics() {
        return options.metrics();
    }

    @Override
    public ApiResponse send(ApiRequest request) {
        long start = System.nanoTime();
        long deadline = deadline(request, start);
        Transport.Answer answer = exchange(request, deadline);
        try (AnswerBody stream = answer.body()) {
            byte[] body = stream.readAll(deadline);
            metrics.duration(request.method(), System.nanoTime() - start);
            metrics.responseSize(request.method(), body.length);
            return new ApiResponse(answer.code(), body, Warnings.of(answer.header("warning")));
        } catch (IOException e) {
            metrics.count(request.method(), "<error>");
            throw failure(request, e);
        }
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        long start = System.nanoTime();
        Transport.Answer answer = exchange(request, deadline(request, start));
        metrics.duration(request.method(), System.nanoTime() - start);
        return GzipBody.isGzip(answer) ? new GzipBody(answer.body()) : answer.body();
    }

    /** Sends a request and returns a 2xx answer whose body has not been read. */
    private Transport.Answer exchange(ApiRequest request, long deadline) {
        byte[] body = request.body();
        if (body != null) {
            metrics.requestSize(request.method(), body.length);
        }
        StandardHttpRequest.Builder builder = preparation.build(request);
        Transport.Answer answer = sendOnce(request, builder.build(), deadline);
        if (answer.code() == 401 && preparation.refreshCredentials(builder, answer, deadline)) {
            answer.body().close();
            answer = sendOnce(request, builder.build(), deadline);
        }
        if (answer.code() < 200 || answer.code() > 299) {
            throw refused(request, answer, deadline);
        }
        return answer;
    }

    private Transport.Answer sendOnce(ApiRequest request, StandardHttpRequest prepared, long deadline) {
        if (closed) {
            throw ConnectionErrors.closed(what(request), config.getMasterUrl());
        }
        try {
            Transport.Answer answer = transport.send(prepared, deadline);
            metrics.count(request.method(), Integer.toString(answer.code()));
            return answer;
        } catch (IOException e) {
            metrics.count(request.method(), "<error>");
            throw failure(request, e);
        }
    }

    private ApiException refused(ApiRequest request, Transport.Answer answer, long deadline) {
        try (AnswerBody stream = answer.body()) {
            // A proxy may send its error page for ever, so reading it has an end of its own.
            long patience = System.nanoTime() + ApiRequest.DEFAULT_TIMEOUT.toNanos();
            byte[] body = stream.readAll(deadline == Long.MAX_VALUE ? patience : deadline);
            List<String> retryAfter = answer.header("retry-after");
            return ApiErrors.of(
                    what(request),
                    answer.code(),
                    retryAfter.isEmpty() ? null : retryAfter.get(0),
                    body,
                    KubernetesJson.mapper());
        } catch (IOException e) {
            return failure(request, e);
        }
    }

    private ApiException failure(ApiRequest request, IOException e) {
        if (closed) {
            return ConnectionErrors.closed(what(request), config.getMasterUrl());
        }
        if (e instanceof SocketTimeoutException) {
            return ConnectionErrors.timeout(what(request), config.getMasterUrl(), request.timeout());
        }
        if (e instanceof InterruptedIOException) {
            return new RequestInterruptedException(what(request) + ": interrupted while waiting for the answer");
        }
        return ConnectionErrors.of(what(request), config.getMasterUrl(), e);
    }

    private static String what(ApiRequest request) {
        return RequestTarget.of(request.path()).describe(request.verb());
    }

    private static long deadline(ApiRequest request, long start) {
        return request.timeout().isZero()
                ? Long.MAX_VALUE
                : start + request.timeout().toNanos();
    }

    @Override
    public void close() {
        closed = true;
        transport.close();
    }
}
