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
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.FlightEvents;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.apache.hc.core5.http.Header;

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
    private final ConnectionOptions options;
    private final HttpTransport transport;
    private final Authentication authentication;
    private final RequestMetrics metrics;
    private final AtomicLong answers = new AtomicLong();
    private volatile boolean closed;

    private HttpApiConnection(
            ServerAddress server, ConnectionOptions options, HttpTransport transport, Authentication authentication) {
        this.server = server;
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
        checkIsConfigured(config);
        ServerAddress server = ServerAddress.of(config.getMasterUrl());
        try {
            TlsMaterial tls = server.secure() ? new TlsMaterial(config, time) : null;
            Duration connectTimeout = config.getConnectionTimeout() > 0
                    ? Duration.ofMillis(config.getConnectionTimeout())
                    : DEFAULT_CONNECT_TIMEOUT;
            HttpTransport transport = new HttpTransport(
                    server,
                    ProxySettings.of(config, server),
                    tls,
                    new Connector(addresses, tls == null ? null : upgrade(config, server, tls)),
                    connectTimeout);
            Authentication authentication = new Authentication(config, server, options.userAgent(), time);
            return new HttpApiConnection(server, options, transport, authentication);
        } catch (GeneralSecurityException | IOException | RuntimeException e) {
            throw ConnectionErrors.unusable(server.toString(), e);
        }
    }

    /** fabric8 falls back to the address that exists in pods only; elsewhere the error would be an unknown host. */
    private static void checkIsConfigured(Config config) {
        boolean isDefault =
                config.getCurrentContext() == null && config.getMasterUrl().startsWith(Config.DEFAULT_MASTER_URL);
        if (isDefault
                && Utils.isNullOrEmpty(Utils.getSystemPropertyOrEnvVar(Config.KUBERNETES_SERVICE_HOST_PROPERTY))) {
            throw new ConnectionException(
                    "No cluster is configured: the program does not run in a pod, and no kubeconfig was found at "
                            + Config.getKubeconfigFilenames() + "; set KUBECONFIG to the path of a kubeconfig",
                    ConnectionException.Problem.UNKNOWN_HOST,
                    null);
        }
    }

    private static TlsUpgrade upgrade(Config config, ServerAddress server, TlsMaterial tls) {
        String name = config.getTlsServerName();
        String[] versions = config.getTlsVersions() == null || config.getTlsVersions().length == 0
                ? null
                : Arrays.stream(config.getTlsVersions())
                        .map(version -> version.javaName())
                        .toArray(String[]::new);
        return new TlsUpgrade(
                tls,
                name == null || name.isEmpty() ? server.host() : name,
                !config.isTrustCerts() && !config.isDisableHostnameVerification(),
                versions);
    }

    @Override
    public String server() {
        return server.toString();
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
        long start = System.nanoTime();
        HttpTransport.Response response = exchange(request, deadline(request, start));
        try (ResponseBody stream = response.body()) {
            byte[] body = stream.readAll(request.verb().equals("list") ? MAX_LIST : MAX_OBJECT);
            metrics.duration(request.method(), System.nanoTime() - start);
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
        long start = System.nanoTime();
        HttpTransport.Response response = exchange(request, deadline(request, start));
        response.body().removeDeadline();
        metrics.duration(request.method(), System.nanoTime() - start);
        return "gzip".equalsIgnoreCase(response.header("Content-Encoding"))
                ? new ResponseBody.GzipBody(response.body())
                : response.body();
    }

    /** Send a request and return a 2xx response whose body has not been read. */
    private HttpTransport.Response exchange(ApiRequest request, long deadline) {
        byte[] body = request.body();
        if (body != null) {
            metrics.requestSize(request.method(), body.length);
        }
        String target = server.target(request.path(), request.query());
        Authentication.Headers headers = authentication.headers(request);
        HttpTransport.Response response = sendOnce(request, target, headers, deadline);
        if (response.code() == 401 && authentication.refresh(headers, deadline)) {
            response.body().close();
            response = sendOnce(request, target, headers, deadline);
        }
        if (response.code() > 299) { // interim responses have been skipped
            throw refused(request, response);
        }
        answers.incrementAndGet();
        return response;
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
    private static final class Warnings {

        private static final Pattern WARNING = Pattern.compile("\\d{3} \\S+ \"((?:[^\"\\\\]|\\\\.)*)\"");

        private Warnings() {}

        static List<String> of(List<String> headers) {
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

    /** Determines why a request received no response, and explains what to check. */
    static final class ConnectionErrors {

        /** What the TLS library of Go answers to a request in plain text. */
        private static final String EXPECTS_TLS = "Client sent an HTTP request to an HTTPS server";

        private ConnectionErrors() {}

        static ConnectionException of(String what, String server, IOException failure) {
            Problem problem = problem(failure);
            return new ConnectionException(
                    what + ": no response from " + server + ": " + explain(problem, failure), problem, failure);
        }

        static ConnectionException timeout(String what, String server, Duration waited) {
            return new ConnectionException(
                    what + ": no response from " + server + " within " + waited.toMillis() + " ms",
                    Problem.TIMEOUT,
                    null);
        }

        static ConnectionException unusable(String server, Throwable failure) {
            String text = "The configuration for " + server + " cannot be used (" + rootMessage(failure)
                    + "); check the CA certificate, the client certificate and key, and the proxy settings";
            return new ConnectionException(text, Problem.TLS, failure);
        }

        static ConnectionException closed(String what, String server) {
            return new ConnectionException(
                    what + ": the connection to " + server + " has been closed by this program", Problem.CLOSED, null);
        }

        /** Return whether a response to a request in plain text means that the server expects TLS. */
        static boolean expectsTls(int code, byte[] body) {
            return code == 400
                    && body.length < 200
                    && new String(body, StandardCharsets.ISO_8859_1).startsWith(EXPECTS_TLS);
        }

        static ConnectionException plainToTls(String what, String server) {
            return new ConnectionException(
                    what + ": the server at " + server + " expects TLS: change its address to https://",
                    Problem.TLS,
                    null);
        }

        private static Problem problem(IOException failure) {
            TransportException known = Causes.find(failure, TransportException.class);
            if (known != null) {
                return known.problem();
            }
            List<Throwable> chain = Causes.of(failure);
            for (Throwable next : chain) {
                if (next instanceof UnknownHostException) {
                    return Problem.UNKNOWN_HOST;
                }
                if (next instanceof ConnectException || next instanceof NoRouteToHostException) {
                    return Problem.REFUSED;
                }
                if (next instanceof SocketTimeoutException) {
                    return Problem.TIMEOUT;
                }
            }
            return isTls(chain) ? Problem.TLS : Problem.CONNECTION_RESET;
        }

        /**
         * Return whether certificates or the protocol are the problem. A connection that ends while TLS is used also ends in an
         * {@link SSLException}; its cause then is the failure of the socket, which says nothing about certificates.
         */
        private static boolean isTls(List<Throwable> chain) {
            boolean isTls = false;
            for (Throwable next : chain) {
                if (next instanceof GeneralSecurityException) {
                    return true;
                }
                if (next instanceof SSLException) {
                    isTls |= next instanceof SSLHandshakeException || hasTlsMessage(next);
                } else if (next instanceof IOException) {
                    return false;
                }
            }
            return isTls;
        }

        private static boolean hasTlsMessage(Throwable failure) {
            String message = String.valueOf(failure.getMessage());
            return message.startsWith("Unsupported or unrecognized") || message.contains("fatal alert");
        }

        private static String explain(Problem problem, IOException failure) {
            return switch (problem) {
                case REFUSED ->
                    "the connection was refused" + ofTransport(failure)
                            + "; is the API server running, and are the address and the proxy settings correct?";
                case UNKNOWN_HOST -> "the host name has no address; check the server address and DNS";
                case TLS ->
                    "the TLS connection failed (" + rootMessage(failure)
                            + "); check the CA certificate, the client certificate and that the address is https";
                case CONNECT_TIMEOUT ->
                    "the connection could not be established in time; check the address, network policies and firewalls";
                case TIMEOUT -> "the response did not arrive in time";
                case CONNECTION_RESET ->
                    "the connection ended before the response did (" + rootMessage(failure) + ")"
                            + ifHandshake(failure);
                case MALFORMED_RESPONSE ->
                    "the response is not one of an API server (" + messageOf(failure)
                            + "); check the address and any proxy";
                case CLOSED -> "the connection has been closed by this program";
            };
        }

        /** A proxy can refuse a connection too. */
        private static String ofTransport(IOException failure) {
            TransportException known = Causes.find(failure, TransportException.class);
            return known == null ? "" : " (" + known.getMessage() + ")";
        }

        private static String ifHandshake(IOException failure) {
            return Causes.contains(failure, SSLHandshakeException.class)
                    ? "; if it happens again, check that the address is that of a TLS server"
                    : "";
        }

        private static String messageOf(IOException failure) {
            TransportException known = Causes.find(failure, TransportException.class);
            return String.valueOf((known == null ? failure : known).getMessage());
        }

        private static String rootMessage(Throwable failure) {
            List<Throwable> chain = Causes.of(failure);
            Throwable root = chain.get(chain.size() - 1);
            return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        }
    }
}
