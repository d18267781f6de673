package io.github.reconciler4j.client.internal.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.internal.kubeconfig.Credential;
import io.github.reconciler4j.client.internal.kubeconfig.CredentialsException;
import io.github.reconciler4j.client.internal.kubeconfig.KubeconfigReader;
import io.github.reconciler4j.client.internal.kubeconfig.Login;
import io.github.reconciler4j.client.internal.kubeconfig.RenewableCredentials;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.RequestBound;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.message.BasicHeader;
import org.jspecify.annotations.Nullable;

/**
 * Adds the headers that identify the caller: custom headers, the user to impersonate, a password or a token. The user in the URL of
 * the server comes before a password, as in client-go, a password before credentials that change, and these before tokens of the
 * configuration. Thread-safe.
 */
final class Authentication {

    private static final String AUTHORIZATION = "Authorization";
    private static final String BEARER = "Bearer ";

    private final Config config;
    private final Login login;
    private final @Nullable TlsMaterial tls;
    private final String userAgent;
    private final @Nullable String userOfAddress;
    private final @Nullable AuthProvider provider;
    private final Renewals renewals;

    /**
     * Create it.
     *
     * @param tls takes the client certificates of plug-ins, null if connections are not encrypted
     */
    Authentication(
            Config config,
            Login login,
            @Nullable TlsMaterial tls,
            ServerAddress server,
            String userAgent,
            TimeSource time) {
        this.config = config;
        this.login = login;
        this.tls = tls;
        this.userAgent = userAgent;
        this.userOfAddress = server.userInfo();
        this.provider = config.getAuthProvider() == null || config.getOauthTokenProvider() != null
                ? null
                : new AuthProvider(config, server);
        this.renewals = new Renewals(time);
    }

    /**
     * Return the headers of a request.
     *
     * @throws CredentialsException if there are no credentials, or if they cannot be sent
     * @throws InterruptedException if the thread is interrupted while it waits for credentials
     */
    Headers headers(ApiRequest request) throws InterruptedException {
        Headers headers = new Headers();
        request.headers().forEach(headers::setHeader);
        headers.setHeader("Accept", request.accept());
        if (request.gzip()) {
            headers.setHeader("Accept-Encoding", "gzip");
        }
        if (request.contentType() != null) {
            headers.setHeader("Content-Type", request.contentType());
        }
        if (config.getCustomHeaders() != null) {
            config.getCustomHeaders().forEach(headers::header);
        }
        String account = request.serviceAccount();
        if (account.isEmpty()) {
            impersonate(headers);
        } else { // the API server adds its groups
            headers.setHeader("Impersonate-User", "system:serviceaccount:" + account.replace('/', ':'));
        }
        authorize(headers);
        headers.setHeader("User-Agent", userAgent);
        return headers;
    }

    private void impersonate(Headers headers) {
        String user = config.getImpersonateUsername();
        if (user != null && !user.isEmpty()) {
            String[] groups = config.getImpersonateGroups();
            Map<String, List<String>> extra = config.getImpersonateExtras();
            impersonate(
                    headers,
                    user,
                    groups == null ? List.of() : Arrays.asList(groups),
                    extra == null ? Map.of() : extra);
        } else if (!login.user().isEmpty()) {
            impersonate(headers, login.user(), login.groups(), login.extra());
            if (!login.uid().isEmpty()) {
                headers.setHeader(KubeconfigReader.UID_HEADER, login.uid());
            }
        }
    }

    private static void impersonate(
            Headers headers, String user, List<String> groups, Map<String, List<String>> extra) {
        headers.setHeader("Impersonate-User", user);
        groups.forEach(group -> headers.header("Impersonate-Group", group));
        extra.forEach((key, values) -> {
            String name = "Impersonate-Extra-" + HeaderNames.escaped(key);
            if (values != null) {
                values.forEach(value -> headers.header(name, value));
            }
        });
    }

    private void authorize(Headers headers) throws InterruptedException {
        boolean isGiven = headers.value(AUTHORIZATION).isPresent();
        String user = config.getUsername();
        if (user != null && !user.isEmpty()) {
            String password = Objects.requireNonNullElse(config.getPassword(), "");
            headers.setHeader(AUTHORIZATION, HttpClientUtils.basicCredentials(user, password));
        } else if (login.credentials() != null) {
            set(headers, login.credentials().current());
        } else if (provider != null) {
            provider.authorize(headers);
        } else {
            String token = token();
            if (token != null && !token.isEmpty()) {
                headers.setHeader(AUTHORIZATION, BEARER + token);
            }
        }
        if (userOfAddress != null && !isGiven) {
            headers.setHeader(AUTHORIZATION, userOfAddress);
        }
    }

    private void set(Headers headers, Credential credential) {
        headers.credential = credential;
        if (credential.token() != null) {
            headers.setHeader(AUTHORIZATION, BEARER + credential.token());
        }
        RenewableCredentials source = login.credentials();
        if (tls != null && source != null && source.mayHaveCertificate()) {
            try {
                tls.use(credential);
            } catch (GeneralSecurityException | RuntimeException e) { // its message can quote the key
                throw new CredentialsException("the client certificate and key of " + source + " cannot be used");
            }
        }
    }

    private @Nullable String token() {
        boolean isGiven = config.getOauthTokenProvider() != null
                && !(config.getOauthTokenProvider() instanceof RenewableCredentials);
        if (!isGiven) {
            return config.getOauthToken() == null ? config.getAutoOAuthToken() : config.getOauthToken();
        }
        try {
            return Objects.requireNonNull(config.getOauthTokenProvider()).getToken();
        } catch (RuntimeException e) {
            throw new CredentialsException("the token provider of the configuration failed with "
                    + e.getClass().getName());
        }
    }

    /** Take note that the server has accepted the credentials of a request. */
    void accepted(Headers headers) {
        if (login.credentials() != null && headers.credential != null) {
            login.credentials().accepted(headers.credential);
        }
    }

    /**
     * Obtain new credentials after a 401.
     *
     * @param headers the headers of the rejected request; they get the new credentials
     * @return whether the request can be sent again with them
     * @throws CredentialsException if they cannot be obtained
     * @throws InterruptedException if the thread is interrupted while it waits for them
     */
    boolean refresh(Headers headers, long deadline) throws InterruptedException {
        String before = headers.value(AUTHORIZATION).orElse("");
        if (before.equals(userOfAddress)) {
            return false;
        }
        RenewableCredentials source = login.credentials();
        Credential rejected = headers.credential;
        if (source != null && rejected != null) {
            Credential renewed = source.renew(rejected);
            if (renewed == null || renewed == rejected) {
                return false;
            }
            set(headers, renewed);
            return renewals.maySend(renewed);
        }
        if (!refreshToken(headers, before, deadline)) {
            return false;
        }
        String after = headers.value(AUTHORIZATION).orElse("");
        return renewals.maySend(after.equals(before) ? null : after);
    }

    private boolean refreshToken(Headers headers, String before, long deadline) throws InterruptedException {
        if (provider != null) {
            return provider.refresh(headers, deadline);
        }
        if (config.getOauthTokenProvider() == null || config.getOauthTokenProvider() instanceof RenewableCredentials) {
            return false;
        }
        String token = token();
        if (token == null || token.isEmpty() || !before.startsWith(BEARER)) {
            return false;
        }
        headers.setHeader(AUTHORIZATION, BEARER + token);
        return true;
    }

    /**
     * Bounds how many rejected requests are sent again: all with credentials that were sent before, as when requests were underway when
     * the credentials changed, and others, with new or the same ones, three times at once and then every 20 seconds. So a server that
     * rejects everything gets hardly more requests than others send. Thread-safe.
     */
    private static final class Renewals {

        private static final int BURST = 3;
        private static final Duration INTERVAL = Duration.ofSeconds(20);

        private final TimeSource time;
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private final RequestBound bound;

        @GuardedBy("lock")
        private @Nullable Object sent;

        Renewals(TimeSource time) {
            this.time = time;
            this.bound = new RequestBound(BURST, INTERVAL.toNanos(), time.nanoTime());
        }

        /**
         * Returns whether a rejected request may be sent again.
         *
         * @param renewed the other credentials, null for the same
         */
        boolean maySend(@Nullable Object renewed) {
            lock.lock();
            try {
                if (renewed != null && renewed.equals(sent)) {
                    return true;
                }
                long now = time.nanoTime();
                boolean may = bound.nanosUntilNext(now) == 0;
                if (may) {
                    bound.sent(now, 1);
                    sent = renewed == null ? sent : renewed;
                }
                return may;
            } finally {
                lock.unlock();
            }
        }
    }

    /** The headers of a request under construction, for one thread. */
    static final class Headers implements BasicBuilder {

        private final List<Header> all = new ArrayList<>(8);
        private @Nullable Credential credential;

        List<Header> all() {
            return all;
        }

        private Optional<String> value(String name) {
            return all.stream()
                    .filter(header -> header.getName().equalsIgnoreCase(name))
                    .map(Header::getValue)
                    .findFirst();
        }

        @Override
        public BasicBuilder uri(URI uri) {
            return this; // the address is not theirs to change
        }

        /** Add a header; see {@link CredentialsException}. */
        @Override
        public BasicBuilder header(String name, String value) {
            if (!HeaderNames.isName(name) || value.chars().anyMatch(c -> c < ' ' && c != '\t' || c == 0x7f)) {
                throw new CredentialsException("the header " + HeaderNames.escaped(name)
                        + " cannot be sent, because it contains a line break or another control character: "
                        + HeaderNames.source(name));
            }
            if (name.startsWith("Impersonate-") && !value.equals(value.strip())) { // it would be another user
                throw new CredentialsException("the header " + name
                        + " cannot be sent, because HTTP/1.1 drops the white space around its value: "
                        + HeaderNames.source(name));
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

    /** What can be the name of a header, and where headers come from. */
    private static final class HeaderNames {

        private static final String SIGNS = "!#$&'*+-.^_`|~";

        private HeaderNames() {}

        private static boolean isPlain(int c) {
            return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || SIGNS.indexOf(c) >= 0;
        }

        static boolean isName(String name) {
            return !name.isEmpty() && name.chars().allMatch(c -> isPlain(c) || c == '%');
        }

        /** As client-go does for the keys of what is known of a user. */
        static String escaped(String name) {
            StringBuilder escaped = new StringBuilder();
            for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
                int c = Byte.toUnsignedInt(b);
                escaped.append(isPlain(c) ? String.valueOf((char) c) : String.format("%%%02X", c));
            }
            return escaped.toString();
        }

        static String source(String name) {
            if (name.equals(AUTHORIZATION)) {
                return "check the token in the kubeconfig, or of the configuration";
            }
            return name.startsWith("Impersonate-")
                    ? "check 'as', 'as-uid', 'as-groups' and 'as-user-extra' in the kubeconfig, or the configuration"
                    : "check the headers of the configuration and of the request";
        }
    }

    /** fabric8's plug-in for OpenID Connect providers. */
    private static final class AuthProvider {

        private final Interceptor interceptor;
        private final HttpRequest anyRequest;
        private final Interceptor.RequestTags tags;

        AuthProvider(Config config, ServerAddress server) {
            this.interceptor = new TokenRefreshInterceptor(
                    config, new OtherClients(), TimeSource.system().instant());
            this.anyRequest = new StandardHttpRequest(Map.of(), URI.create(server.toString()), "GET", null);
            this.tags = new Interceptor.RequestTags() {
                @Override
                @SuppressWarnings("NullAway") // fabric8's interceptors take null for a tag that is not set
                public <T> T getTag(Class<T> type) {
                    return type.isInstance(config.getRequestConfig()) ? type.cast(config.getRequestConfig()) : null;
                }
            };
        }

        void authorize(Headers headers) {
            interceptor.before(headers, anyRequest, tags);
        }

        boolean refresh(Headers headers, long deadline) throws InterruptedException {
            long left = deadline == Exchange.NEVER
                    ? ApiRequest.DEFAULT_TIMEOUT.toNanos()
                    : Math.max(0, deadline - TimeSource.system().nanoTime());
            try {
                return interceptor
                        .afterFailure(headers, new Unauthorized(anyRequest), tags)
                        .get(left, TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException e) {
                return false; // then the 401 stands
            }
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
}
