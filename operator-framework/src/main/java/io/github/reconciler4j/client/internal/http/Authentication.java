package io.github.reconciler4j.client.internal.http;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import io.fabric8.kubernetes.client.utils.Utils;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.TimeSource;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.message.BasicHeader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the headers that identify the caller: those of fabric8's interceptors (custom headers, impersonation, tokens, passwords,
 * token plug-ins), and the token of a token file. Thread-safe.
 */
final class Authentication {

    private static final String AUTHORIZATION = "Authorization";

    private final String userAgent;
    private final @Nullable String userOfAddress;
    private final @Nullable TokenFile tokenFile;
    private final List<Interceptor> interceptors;
    private final HttpRequest anyRequest;
    private final Interceptor.RequestTags tags;

    Authentication(Config config, ServerAddress server, String userAgent, TimeSource time) {
        this.userAgent = userAgent;
        this.userOfAddress = server.userInfo();
        this.tokenFile = TokenFile.of(config, time);
        this.interceptors = interceptors(config, tokenFile != null);
        this.anyRequest = new StandardHttpRequest(Map.of(), URI.create(server.toString()), "GET", null);
        this.tags = new Interceptor.RequestTags() {
            @Override
            @SuppressWarnings("NullAway") // fabric8's interceptors take null for a tag that is not set
            public <T> T getTag(Class<T> type) {
                return type.isInstance(config.getRequestConfig()) ? type.cast(config.getRequestConfig()) : null;
            }
        };
    }

    /**
     * Return fabric8's interceptors, without the one for tokens if there is a token file, or no token at all: a minute after
     * the start that interceptor would read the kubeconfig before every request, looking for a token.
     */
    private static List<Interceptor> interceptors(Config config, boolean hasTokenFile) {
        boolean hasToken = !hasTokenFile
                && (config.getOauthTokenProvider() != null
                        || config.getOauthToken() != null
                        || config.getAutoOAuthToken() != null
                        || config.getAuthProvider() != null
                        || config.getUsername() != null);
        return HttpClientUtils.createApplicableInterceptors(config, new OtherClients()).values().stream()
                .filter(interceptor -> hasToken || !(interceptor instanceof TokenRefreshInterceptor))
                .toList();
    }

    /** Return the headers of a request. */
    Headers headers(ApiRequest request) {
        Headers headers = new Headers();
        request.headers().forEach(headers::setHeader);
        headers.setHeader("Accept", request.accept());
        if (request.gzip()) {
            headers.setHeader("Accept-Encoding", "gzip");
        }
        if (request.contentType() != null) {
            headers.setHeader("Content-Type", request.contentType());
        }
        for (Interceptor interceptor : interceptors) {
            interceptor.before(headers, anyRequest, tags);
        }
        if (tokenFile != null) {
            headers.setHeader(AUTHORIZATION, "Bearer " + tokenFile.token());
        } else if (userOfAddress != null && !headers.contains(AUTHORIZATION)) {
            headers.setHeader(AUTHORIZATION, userOfAddress);
        }
        headers.setHeader("User-Agent", userAgent);
        return headers;
    }

    /**
     * Obtain new credentials after a 401.
     *
     * @param headers the headers of the rejected request; they get the new credentials
     * @return whether the request can be sent again with them
     */
    boolean refresh(Headers headers, long deadline) {
        if (tokenFile != null) {
            String rejected = headers.value(AUTHORIZATION);
            headers.setHeader(AUTHORIZATION, "Bearer " + tokenFile.readAgain());
            return !headers.value(AUTHORIZATION).equals(rejected);
        }
        HttpResponse<AsyncBody> response = new Unauthorized(anyRequest);
        for (Interceptor interceptor : interceptors) {
            long left = deadline == Exchange.NEVER
                    ? ApiRequest.DEFAULT_TIMEOUT.toNanos()
                    : Math.max(0, deadline - System.nanoTime());
            try {
                if (interceptor.afterFailure(headers, response, tags).get(left, TimeUnit.NANOSECONDS)) {
                    return true;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            } catch (ExecutionException | TimeoutException e) {
                continue; // then the 401 stands
            }
        }
        return false;
    }

    /** The headers of a request under construction, for one thread. */
    static final class Headers implements BasicBuilder {

        private final List<Header> all = new ArrayList<>(8);

        List<Header> all() {
            return all;
        }

        private boolean contains(String name) {
            return all.stream().anyMatch(header -> header.getName().equalsIgnoreCase(name));
        }

        private String value(String name) {
            return all.stream()
                    .filter(header -> header.getName().equalsIgnoreCase(name))
                    .map(Header::getValue)
                    .findFirst()
                    .orElse("");
        }

        @Override
        public BasicBuilder uri(URI uri) {
            return this; // the address is not theirs to change
        }

        @Override
        public BasicBuilder header(String name, String value) {
            if (value.indexOf('\r') >= 0 || value.indexOf('\n') >= 0) {
                throw new IllegalArgumentException("The header " + name + " contains a line break");
            }
            all.add(new BasicHeader(name, value));
            return this;
        }

        @Override
        public BasicBuilder setHeader(String name, String value) {
            all.removeIf(header -> header.getName().equalsIgnoreCase(name));
            return header(name, value);
        }
    }

    /** Status 401 in the form that the interceptors expect. */
    private static final class Unauthorized extends StandardHttpHeaders implements HttpResponse<AsyncBody> {

        private final HttpRequest request;

        Unauthorized(HttpRequest request) {
            super(Map.of());
            this.request = request;
        }

        @Override
        public int code() {
            return 401;
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

    /** Lets fabric8 refresh tokens of an OpenID Connect provider with any HTTP client that is on the class path. */
    private static final class OtherClients implements HttpClient.Factory {

        @Override
        public HttpClient.Builder newBuilder() {
            return HttpClientUtils.getHttpClientFactory().newBuilder();
        }
    }

    /**
     * A file that contains a token and is replaced from time to time, as that of a service account. It is read every 10 seconds
     * while requests are sent, and after a 401. While it cannot be read, the previous token stays in use. Thread-safe.
     */
    static final class TokenFile {

        private static final Logger logger = LoggerFactory.getLogger(TokenFile.class);
        private static final long CHECK_INTERVAL = TimeUnit.SECONDS.toNanos(10);

        private final Path path;
        private final TimeSource time;
        private final LogLimiter warnings;
        private volatile String token;
        private volatile long nextRead;

        private TokenFile(Path path, TimeSource time) {
            this.path = path;
            this.time = time;
            this.warnings = new LogLimiter(Duration.ofMinutes(1), time);
            this.token = "";
            this.nextRead = time.nanoTime();
        }

        /**
         * Return the token file of a configuration: that of the user in the kubeconfig, or that of the service account. A token
         * that was set in the program takes precedence.
         *
         * @return null if the file has no token
         */
        static @Nullable TokenFile of(Config config, TimeSource time) {
            if (config.getOauthTokenProvider() != null || config.getOauthToken() != null) {
                return null;
            }
            Path path = config.getCurrentContext() != null
                    ? ofKubeconfig(config.getCurrentContext())
                    : ofServiceAccount(config.getAutoOAuthToken());
            return path == null ? null : new TokenFile(path, time);
        }

        private static @Nullable Path ofKubeconfig(NamedContext context) {
            File kubeconfig = KubeConfigUtils.getFileWithNamedAuthInfo(context);
            if (kubeconfig == null || context.getContext() == null) {
                return null;
            }
            List<NamedAuthInfo> users;
            try {
                users = KubeConfigUtils.parseConfig(kubeconfig).getUsers();
            } catch (KubernetesClientException e) {
                return null; // it could be read a moment ago; then the token that was in it is used
            }
            for (NamedAuthInfo user : users == null ? List.<NamedAuthInfo>of() : users) {
                AuthInfo info = user.getUser();
                if (user.getName().equals(context.getContext().getUser())
                        && info != null
                        && !Utils.isNullOrEmpty(info.getTokenFile())) {
                    return kubeconfig.toPath().toAbsolutePath().resolveSibling(info.getTokenFile());
                }
            }
            return null;
        }

        /** fabric8 keeps the content of the file, not its name. */
        private static @Nullable Path ofServiceAccount(@Nullable String token) {
            if (token == null) {
                return null;
            }
            Path path = Path.of(Utils.getSystemPropertyOrEnvVar(
                    Config.KUBERNETES_AUTH_SERVICEACCOUNT_TOKEN_FILE_SYSTEM_PROPERTY,
                    Config.KUBERNETES_SERVICE_ACCOUNT_TOKEN_PATH));
            try {
                return read(path).equals(token.strip()) ? path : null;
            } catch (IOException e) {
                return null;
            }
        }

        private static String read(Path path) throws IOException {
            return Files.readString(path, StandardCharsets.UTF_8).strip();
        }

        /** Return the token. */
        String token() {
            return time.nanoTime() - nextRead < 0 ? token : readAgain();
        }

        /** Read the file and return the token. */
        String readAgain() {
            nextRead = time.nanoTime() + CHECK_INTERVAL;
            try {
                String found = read(path);
                if (!found.isEmpty()) { // a file that is being written
                    token = found;
                }
            } catch (IOException e) {
                warnings.log(
                        LogLimiter.cause(e),
                        occurrence -> logger.warn(
                                "Could not read the token file {}, so the previous token stays in use: {}{}",
                                path,
                                e.toString(),
                                occurrence.suffix()));
            }
            return token;
        }
    }
}
