package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import io.github.reconciler4j.client.ApiConnection;
import io.github.reconciler4j.client.ApiException;
import io.github.reconciler4j.client.ApiRequest;
import io.github.reconciler4j.client.ApiResponse;
import io.github.reconciler4j.client.ApiStream;
import io.github.reconciler4j.client.ConnectionOptions;
import io.github.reconciler4j.client.RequestInterruptedException;
import io.github.reconciler4j.metrics.OperatorMetrics;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * {@link ApiConnection} on fabric8's JDK client. fabric8's interceptors (headers, impersonation, tokens, proxy
 * authorization) are run here and not by fabric8's client, because that one repeats requests by itself and cannot end a
 * request whose answer does not come.
 */
public final class HttpApiConnection implements ApiConnection {

    private final Config config;
    private final ConnectionOptions options;
    private final ObjectMapper mapper = KubernetesMapper.create();
    private final StandardHttpClient<?, ?, ?> client;
    private final Collection<Interceptor> interceptors;
    private final RequestMetrics metrics;
    private final Set<HttpExchange> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private HttpApiConnection(
            Config config,
            ConnectionOptions options,
            StandardHttpClient<?, ?, ?> client,
            Collection<Interceptor> interceptors) {
        this.config = config;
        this.options = options;
        this.client = client;
        this.interceptors = interceptors;
        URI uri = URI.create(config.getMasterUrl());
        this.metrics = new RequestMetrics(options.metrics(), uri.getAuthority());
    }

    /** Opens a connection; see {@link ApiConnection#open(Config, ConnectionOptions)}. */
    public static HttpApiConnection open(Config config, ConnectionOptions options) {
        try {
            StandardHttpClientBuilder<?, ?, ?> builder =
                    (StandardHttpClientBuilder<?, ?, ?>) new ApiHttpFactory(options.http2()).newBuilder(config);
            StandardHttpClient<?, ?, ?> client = (StandardHttpClient<?, ?, ?>) builder.build();
            return new HttpApiConnection(
                    config,
                    options,
                    client,
                    useful(config, builder.getInterceptors().values()));
        } catch (RuntimeException e) {
            throw ConnectionErrors.unusable(config.getMasterUrl(), e);
        }
    }

    /**
     * Leaves out fabric8's token interceptor where there is no token: a minute after start it would read the kubeconfig
     * again before every single request, in search of one.
     */
    static List<Interceptor> useful(Config config, Collection<Interceptor> interceptors) {
        boolean hasToken = config.getOauthTokenProvider() != null
                || config.getOauthToken() != null
                || config.getAutoOAuthToken() != null
                || config.getAuthProvider() != null
                || config.getUsername() != null;
        return interceptors.stream()
                .filter(interceptor -> hasToken || !(interceptor instanceof TokenRefreshInterceptor))
                .toList();
    }

    @Override
    public Config config() {
        return config;
    }

    @Override
    public ObjectMapper mapper() {
        return mapper;
    }

    @Override
    public OperatorMetrics metrics() {
        return options.metrics();
    }

    @Override
    public ApiResponse send(ApiRequest request) {
        long start = System.nanoTime();
        long deadline = deadline(request, start);
        Answer answer = exchange(request, deadline);
        try (BodyStream stream = answer.stream) {
            byte[] body = stream.readAll(deadline);
            metrics.duration(request.method(), System.nanoTime() - start);
            metrics.responseSize(request.method(), body.length);
            return new ApiResponse(answer.response.code(), body, Warnings.of(answer.response.headers("Warning")));
        } catch (IOException e) {
            metrics.count(request.method(), "<error>");
            throw brokenBody(request, e);
        }
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        long start = System.nanoTime();
        BodyStream stream = exchange(request, deadline(request, start)).stream;
        metrics.duration(request.method(), System.nanoTime() - start);
        return stream;
    }

    /** Sends a request and returns a 2xx answer whose body has not been read. */
    private Answer exchange(ApiRequest request, long deadline) {
        StandardHttpRequest.Builder builder = build(request);
        Answer answer = sendOnce(request, prepare(builder), deadline);
        if (answer.response.code() == 401 && refreshCredentials(request, builder, answer, deadline)) {
            answer.stream.close();
            answer = sendOnce(request, builder.build(), deadline);
        }
        if (answer.response.code() < 200 || answer.response.code() > 299) {
            throw refused(request, answer, deadline);
        }
        return answer;
    }

    private StandardHttpRequest.Builder build(ApiRequest request) {
        StandardHttpRequest.Builder builder = new StandardHttpRequest.Builder();
        builder.uri(RequestUris.of(config.getMasterUrl(), request.path(), request.query()));
        builder.setHeader("Accept", request.accept());
        byte[] body = request.body();
        String contentType = request.contentType();
        if (body != null) {
            metrics.requestSize(request.method(), body.length);
            builder.post(contentType, body);
        }
        // Without a body of its own this sets the method alone and leaves the bytes, which can be sent again.
        builder.method(request.method(), contentType, (String) null);
        return builder;
    }

    private StandardHttpRequest prepare(StandardHttpRequest.Builder builder) {
        StandardHttpRequest request = builder.build();
        for (Interceptor interceptor : interceptors) {
            interceptor.before(builder, request, client);
            request = builder.build();
        }
        builder.setHeader("User-Agent", options.userAgent());
        return builder.build();
    }

    private Answer sendOnce(ApiRequest request, StandardHttpRequest prepared, long deadline) {
        if (closed) {
            throw ConnectionErrors.closed(what(request), config.getMasterUrl());
        }
        HttpExchange exchange = HttpExchange.start(open, client, prepared);
        if (closed) {
            exchange.abort();
        }
        boolean answered = false;
        try {
            HttpResponse<AsyncBody> response = await(request, exchange.answer(), deadline);
            exchange.stream().start(response.body());
            metrics.count(request.method(), Integer.toString(response.code()));
            answered = true;
            return new Answer(response, exchange.stream());
        } finally {
            if (!answered) {
                metrics.count(request.method(), "<error>");
                exchange.abort();
            }
        }
    }

    private <T> T await(ApiRequest request, CompletableFuture<T> future, long deadline) {
        try {
            return deadline == Long.MAX_VALUE
                    ? future.get()
                    : future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException(what(request) + ": interrupted while waiting for the answer");
        } catch (TimeoutException e) {
            throw ConnectionErrors.timeout(what(request), config.getMasterUrl(), request.timeout());
        } catch (CancellationException e) {
            throw ConnectionErrors.closed(what(request), config.getMasterUrl());
        } catch (ExecutionException e) {
            throw closed
                    ? ConnectionErrors.closed(what(request), config.getMasterUrl())
                    : ConnectionErrors.of(
                            what(request), config.getMasterUrl(), e.getCause() == null ? e : e.getCause());
        }
    }

    private boolean refreshCredentials(
            ApiRequest request, StandardHttpRequest.Builder builder, Answer answer, long deadline) {
        for (Interceptor interceptor : interceptors) {
            if (await(request, interceptor.afterFailure(builder, answer.response, client), deadline)) {
                return true;
            }
        }
        return false;
    }

    private ApiException refused(ApiRequest request, Answer answer, long deadline) {
        try (BodyStream stream = answer.stream) {
            // A proxy may send its error page for ever, so reading it has an end of its own.
            long patience = System.nanoTime() + ApiRequest.DEFAULT_TIMEOUT.toNanos();
            byte[] body = stream.readAll(deadline == Long.MAX_VALUE ? patience : deadline);
            String retryAfter = answer.response.header("Retry-After");
            return ApiErrors.of(what(request), answer.response.code(), retryAfter, body, mapper);
        } catch (IOException e) {
            return brokenBody(request, e);
        }
    }

    private ApiException brokenBody(ApiRequest request, IOException e) {
        if (e instanceof SocketTimeoutException) {
            return ConnectionErrors.timeout(what(request), config.getMasterUrl(), request.timeout());
        }
        if (e instanceof InterruptedIOException) {
            return new RequestInterruptedException(what(request) + ": interrupted while reading the answer");
        }
        return closed
                ? ConnectionErrors.closed(what(request), config.getMasterUrl())
                : ConnectionErrors.of(what(request), config.getMasterUrl(), e);
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
        for (HttpExchange exchange : new ArrayList<>(open)) {
            exchange.abort();
        }
        client.close();
    }

    /** What came back, with its body still to be read. */
    private record Answer(HttpResponse<AsyncBody> response, BodyStream stream) {}
}
