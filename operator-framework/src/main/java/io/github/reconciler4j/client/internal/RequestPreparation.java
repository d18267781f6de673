package io.github.reconciler4j.client.internal;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import io.github.reconciler4j.client.connection.ApiRequest;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Makes HTTP requests, with what fabric8's interceptors add: credentials, impersonation, headers. */
final class RequestPreparation {

    private final Config config;
    private final String userAgent;
    private final List<Interceptor> interceptors;
    private final Interceptor.RequestTags tags;

    RequestPreparation(Config config, String userAgent, StandardHttpClientBuilder<?, ?, ?> settings) {
        this.config = config;
        this.userAgent = userAgent;
        this.interceptors = useful(config, settings.getInterceptors().values());
        this.tags = new Interceptor.RequestTags() {
            @Override
            @SuppressWarnings("NullAway") // fabric8's interceptors take null for a tag that is not set
            public <T> T getTag(Class<T> type) {
                return type.cast(settings.getTags().get(type));
            }
        };
    }

    /**
     * Leaves out fabric8's token interceptor where there is no token: a minute after start it would read the kubeconfig
     * again before every single request, in search of one.
     */
    private static List<Interceptor> useful(Config config, Collection<Interceptor> interceptors) {
        boolean hasToken = config.getOauthTokenProvider() != null
                || config.getOauthToken() != null
                || config.getAutoOAuthToken() != null
                || config.getAuthProvider() != null
                || config.getUsername() != null;
        return interceptors.stream()
                .filter(interceptor -> hasToken || !(interceptor instanceof TokenRefreshInterceptor))
                .toList();
    }

    StandardHttpRequest.Builder build(ApiRequest request) {
        StandardHttpRequest.Builder builder = new StandardHttpRequest.Builder();
        builder.uri(RequestUris.of(config.getMasterUrl(), request.path(), request.query()));
        builder.setHeader("Accept", request.accept());
        if (request.gzip()) {
            builder.setHeader("Accept-Encoding", "gzip");
        }
        byte[] body = request.body();
        if (body != null) {
            builder.post(request.contentType(), body);
        }
        // Without a body of its own this sets the method alone and leaves the bytes, which can be sent again.
        builder.method(request.method(), request.contentType(), (String) null);
        StandardHttpRequest built = builder.build();
        for (Interceptor interceptor : interceptors) {
            interceptor.before(builder, built, tags);
            built = builder.build();
        }
        builder.setHeader("User-Agent", userAgent);
        return builder;
    }

    /** Asks the interceptors for better credentials after a 401; true if the request can be sent again with them. */
    boolean refreshCredentials(StandardHttpRequest.Builder builder, Transport.Answer answer, long deadline) {
        Refused response = new Refused(builder.build(), answer);
        for (Interceptor interceptor : interceptors) {
            long left = deadline == Long.MAX_VALUE
                    ? ApiRequest.DEFAULT_TIMEOUT.toNanos()
                    : Math.max(0, deadline - System.nanoTime());
            try {
                if (interceptor.afterFailure(builder, response, tags).get(left, TimeUnit.NANOSECONDS)) {
                    return true;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            } catch (ExecutionException | TimeoutException e) {
                // Then the 401 stands.
            }
        }
        return false;
    }

    /** An answer in the form the interceptors take. */
    private static final class Refused extends StandardHttpHeaders implements HttpResponse<AsyncBody> {

        private final HttpRequest request;
        private final int code;

        Refused(HttpRequest request, Transport.Answer answer) {
            super(answer.headers());
            this.request = request;
            this.code = answer.code();
        }

        @Override
        public int code() {
            return code;
        }

        @Override
        public @Nullable AsyncBody body() {
            return null;
        }

        @Override
        public HttpRequest request() {
            return request;
        }

        @Override
        public Optional<HttpResponse<?>> previousResponse() {
            return Optional.empty();
        }
    }
}
