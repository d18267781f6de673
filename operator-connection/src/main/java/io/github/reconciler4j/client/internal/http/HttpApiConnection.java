package io.github.reconciler4j.client.internal.http;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Utils;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.internal.error.ApiErrors;
import io.github.reconciler4j.client.internal.kubeconfig.CredentialsException;
import io.github.reconciler4j.client.internal.kubeconfig.Login;
import io.github.reconciler4j.client.internal.kubeconfig.TlsServerName;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.SupportedVersions;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.FlightEvents;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hc.core5.http.Header;
import org.jspecify.annotations.Nullable;

/**
 * {@link ApiConnection} over HTTP: adds credentials to requests, and turns responses and failures into results and typed
 * errors.
 *
 * @since 0.1.0
 */
public final class HttpApiConnection implements ApiConnection {

    private static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /** No object is larger than a few megabytes, since etcd does not store it. */
    private static final int MAX_OBJECT = 32 * 1024 * 1024;

    private static final int MAX_LIST = 256 * 1024 * 1024;
    private static final int MAX_ERROR = 1024 * 1024;

    private final ServerAddress server;
    private final String namespace;
    private final ConnectionOptions options;
    private final HttpTransport transport;
    private final Authentication authentication;
    private final RequestMetrics metrics;
    private final AtomicLong answers = new AtomicLong();
    private volatile boolean closed;

    private HttpApiConnection(
            ServerAddress server,
            @Nullable String namespace,
            ConnectionOptions options,
            HttpTransport transport,
            Authentication authentication) {
        this.server = server;
        this.namespace = namespace == null || namespace.isBlank() ? "default" : namespace;
        this.options = options;
        this.transport = transport;
        this.authentication = authentication;
        this.metrics = new RequestMetrics(options.metrics(), server.authority());
    }

    /** Open a connection; see {@link ApiConnection#open(Config, ConnectionOptions)}. */
    public static HttpApiConnection open(Config config, ConnectionOptions options) {
        return open(config, options, new HostAddresses(InetAddress::getAllByName), TimeSource.system());
    }

    static HttpApiConnection open(Config config, ConnectionOptions options, HostAddresses addresses, TimeSource time) {
        SupportedVersions.check();
        checkIsConfigured(config);
        ServerAddress server = ServerAddress.of(config.getMasterUrl());
        try {
            Login login = Login.of(config, time);
            ProxyHop proxy = proxy(config, server, login, time);
            TlsMaterial tls = server.secure() ? new TlsMaterial(config, time, false) : null;
            Duration connectTimeout = config.getConnectionTimeout() > 0
                    ? Duration.ofMillis(config.getConnectionTimeout())
                    : DEFAULT_CONNECT_TIMEOUT;
            HttpTransport transport = new HttpTransport(
                    server,
                    proxy,
                    tls,
                    new Connector(addresses, tls == null ? null : upgrade(config, server, tls), proxy),
                    connectTimeout);
            Authentication authentication = new Authentication(config, login, tls, server, options.userAgent(), time);
            return new HttpApiConnection(server, config.getNamespace(), options, transport, authentication);
        } catch (GeneralSecurityException | IOException | RuntimeException e) {
            throw ConnectionErrors.unusable(server.toString(), e);
        }
    }

    private static @Nullable ProxyHop proxy(Config config, ServerAddress server, Login login, TimeSource time)
            throws GeneralSecurityException, IOException {
        ProxySettings proxy = ProxySettings.of(config, server, login.proxy());
        if (proxy == null) {
            return null;
        }
        boolean isSecure = proxy.scheme() == ProxySettings.Scheme.HTTPS;
        boolean isSocks = proxy.scheme() == ProxySettings.Scheme.SOCKS5;
        return new ProxyHop(
                proxy,
                isSecure ? upgrade(config, new TlsMaterial(config, time, true), proxy.host()) : null,
                isSocks ? new SocksGreeting(proxy, server.host(), server.port()) : null);
    }

    /** fabric8 falls back to the address that exists in pods only; elsewhere the error would be an unknown host. */
    private static void checkIsConfigured(Config config) {
        boolean isDefault =
                config.getCurrentContext() == null && config.getMasterUrl().startsWith(Config.DEFAULT_MASTER_URL);
        if (isDefault
                && Utils.isNullOrEmpty(Utils.getSystemPropertyOrEnvVar(Config.KUBERNETES_SERVICE_HOST_PROPERTY))) {
            throw new ConnectionException(
                    "No cluster is configured: the program does not run in a pod, and no kubeconfig was found at "
                            + Config.getKubeconfigFilenames() + "; set KUBECONFIG to the path of one (R4J-030)",
                    ConnectionException.Problem.UNKNOWN_HOST,
                    null);
        }
    }

    private static TlsUpgrade upgrade(Config config, ServerAddress server, TlsMaterial tls) {
        String name = TlsServerName.of(config);
        return upgrade(config, tls, name == null || name.isEmpty() ? server.host() : name);
    }

    private static TlsUpgrade upgrade(Config config, TlsMaterial tls, String name) {
        String[] versions = config.getTlsVersions() == null || config.getTlsVersions().length == 0
                ? null
                : Arrays.stream(config.getTlsVersions())
                        .map(version -> version.javaName())
                        .toArray(String[]::new);
        return new TlsUpgrade(tls, name, !config.isTrustCerts() && !config.isDisableHostnameVerification(), versions);
    }

    @Override
    public String server() {
        return server.toString();
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public long answers() {
        return answers.get();
    }

    @Override
    public OperatorMetrics metrics() {
        return options.metrics();
    }

    @Override
    public ApiResponse send(ApiRequest request) {
        FlightEvents.ApiCall event = FlightEvents.apiCall();
        if (event == null) {
            return read(request);
        }
        event.verb = request.verb();
        event.path = request.path();
        try {
            ApiResponse response = read(request);
            event.status = response.code();
            event.responseSize = response.body().length;
            return response;
        } catch (ApiException e) {
            event.status = e.code();
            throw e;
        } finally {
            event.commit();
        }
    }

    private ApiResponse read(ApiRequest request) {
        Authentication.Headers headers = headers(request);
        long start = TimeSource.system().nanoTime();
        HttpTransport.Response response = exchange(request, headers, deadline(request, start));
        try (ResponseBody stream = response.body()) {
            byte[] body = stream.readAll(request.verb().equals("list") ? MAX_LIST : MAX_OBJECT);
            metrics.duration(request.method(), TimeSource.system().nanoTime() - start);
            metrics.responseSize(request.method(), body.length);
            return new ApiResponse(response.code(), body, warnings(response));
        } catch (IOException e) {
            metrics.count(request.method(), "<error>");
            throw failure(request, e);
        }
    }

    private static List<String> warnings(HttpTransport.Response response) {
        Header[] headers = response.head().getHeaders("Warning");
        return headers.length == 0
                ? List.of()
                : Warnings.of(Arrays.stream(headers).map(Header::getValue).toList());
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        Authentication.Headers headers = headers(request);
        long start = TimeSource.system().nanoTime();
        HttpTransport.Response response = exchange(request, headers, deadline(request, start));
        response.body().removeDeadline();
        metrics.duration(request.method(), TimeSource.system().nanoTime() - start);
        return "gzip".equalsIgnoreCase(response.header("Content-Encoding"))
                ? new ResponseBody.GzipBody(response.body())
                : response.body();
    }

    /** Return the headers of a request. A plug-in that has to run first has a time limit of its own. */
    private Authentication.Headers headers(ApiRequest request) {
        try {
            return authentication.headers(request);
        } catch (CredentialsException e) {
            throw noCredentials(request, e);
        } catch (InterruptedException e) {
            throw interrupted(request);
        }
    }

    /** Return whether a rejected request can be sent again. */
    private boolean refresh(ApiRequest request, Authentication.Headers headers, long deadline) {
        try {
            return authentication.refresh(headers, deadline);
        } catch (CredentialsException e) {
            throw noCredentials(request, e);
        } catch (InterruptedException e) {
            throw interrupted(request);
        }
    }

    private ConnectionException noCredentials(ApiRequest request, CredentialsException e) {
        metrics.count(request.method(), "<error>");
        return new ConnectionException(
                what(request) + ": nothing was sent to " + server + ": " + e.getMessage(), Problem.CREDENTIALS, null);
    }

    private static RequestInterruptedException interrupted(ApiRequest request) {
        Thread.currentThread().interrupt();
        return new RequestInterruptedException(what(request) + ": interrupted while waiting for credentials");
    }

    /** Send a request and return a 2xx response whose body has not been read. */
    private HttpTransport.Response exchange(ApiRequest request, Authentication.Headers headers, long deadline) {
        byte[] body = request.body();
        if (body != null) {
            metrics.requestSize(request.method(), body.length);
        }
        String target = server.target(request.path(), request.query());
        HttpTransport.Response response = sendOnce(request, target, headers, deadline);
        if (response.code() == 401) {
            response = again(request, target, headers, deadline, response);
        }
        if (response.code() != 401) {
            authentication.accepted(headers);
        }
        if (response.code() > 299) { // interim responses have been skipped
            throw refused(request, response);
        }
        answers.incrementAndGet();
        return response;
    }

    /** Send a rejected request again if there are other credentials. */
    private HttpTransport.Response again(
            ApiRequest request,
            String target,
            Authentication.Headers headers,
            long deadline,
            HttpTransport.Response rejected) {
        boolean isKept = false;
        try {
            if (!refresh(request, headers, deadline)) {
                isKept = true;
                return rejected;
            }
        } finally {
            if (!isKept) {
                rejected.body().close();
            }
        }
        return sendOnce(request, target, headers, deadline);
    }

    private HttpTransport.Response sendOnce(
            ApiRequest request, String target, Authentication.Headers headers, long deadline) {
        if (closed) {
            throw ConnectionErrors.closed(what(request), server.toString());
        }
        try {
            HttpTransport.Response response =
                    transport.send(request.method(), target, headers.all(), request.body(), deadline);
            metrics.count(request.method(), Integer.toString(response.code()));
            return response;
        } catch (IOException e) {
            metrics.count(request.method(), "<error>");
            throw failure(request, e);
        }
    }

    private ApiException refused(ApiRequest request, HttpTransport.Response response) {
        try (ResponseBody stream = response.body()) {
            if (request.timeout().isZero()) {
                // A proxy may send its error page without end.
                stream.idleTimeout(ApiRequest.DEFAULT_TIMEOUT);
            }
            byte[] body = stream.readAll(MAX_ERROR);
            if (!server.secure() && ConnectionErrors.expectsTls(response.code(), body)) {
                return ConnectionErrors.plainToTls(what(request), server.toString());
            }
            return ApiErrors.of(
                    what(request), response.code(), response.header("Retry-After"), body, KubernetesJson.mapper());
        } catch (IOException e) {
            return failure(request, e);
        }
    }

    private ApiException failure(ApiRequest request, IOException e) {
        if (closed) {
            return ConnectionErrors.closed(what(request), server.toString());
        }
        if (e.getClass() == SocketTimeoutException.class) {
            return ConnectionErrors.timeout(what(request), server.toString(), request.timeout());
        }
        if (e.getClass() == InterruptedIOException.class) {
            return new RequestInterruptedException(what(request) + ": interrupted while waiting for the response");
        }
        return ConnectionErrors.of(what(request), server.toString(), e);
    }

    private static String what(ApiRequest request) {
        return RequestTarget.of(request.path()).describe(request.verb());
    }

    private static long deadline(ApiRequest request, long start) {
        return request.timeout().isZero() ? Exchange.NEVER : start + Nanos.of(request.timeout());
    }

    @Override
    public void close() {
        closed = true;
        transport.close();
    }

    /** Reads {@code Warning} headers, for example {@code 299 - "the text"}; one header may contain several. */
    public static final class Warnings {

        private static final Pattern WARNING = Pattern.compile("\\d{3} \\S+ \"((?:[^\"\\\\]|\\\\.)*)\"");

        private Warnings() {}

        public static List<String> of(List<String> headers) {
            if (headers.isEmpty()) {
                return List.of();
            }
            List<String> texts = new ArrayList<>();
            for (String header : headers) {
                Matcher warning = WARNING.matcher(header);
                while (warning.find()) {
                    texts.add(warning.group(1).replaceAll("\\\\(.)", "$1"));
                }
            }
            return List.copyOf(texts);
        }
    }
}
