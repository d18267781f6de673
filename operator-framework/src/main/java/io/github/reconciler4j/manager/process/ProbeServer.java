package io.github.reconciler4j.manager.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.health.HealthEndpoint;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.internal.ConnectionListener;
import io.github.reconciler4j.support.internal.ConnectionListener.Phase;
import io.github.reconciler4j.support.internal.ConnectionListener.Progress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpServerConnection;
import org.apache.hc.core5.http.impl.io.DefaultHttpRequestParserFactory;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the probes and metrics of an operator without a web server: {@code /healthz} and {@code /readyz}, each with
 * {@code ?verbose}, {@code ?exclude=name} and a path for each check, and {@code /metrics} if the options have a supplier. With
 * {@link ProbeServerOptions#withDiagnostics}, also {@code /debug/threads} and {@code /debug/recording}, for clients on the same host.
 * It is the first component to start and the last to stop, and runs on standbys too.
 *
 * <p>Slow or silent clients cannot prevent a probe from being answered: connections are bounded in number and time.
 *
 * <p>Thread-safe.
 *
 * <!-- snippet: ManagerUse -->
 * <pre>{@code
 * ProbeServer.addTo(manager, ProbeServerOptions.defaults().withAddress("0.0.0.0", 8081));
 * manager.start();
 * manager.await();
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ProbeServer implements ManagedComponent {

    static final int MAX_CONNECTIONS = 64;
    private static final int MAX_THREADS = 2 * MAX_CONNECTIONS;
    private static final Duration REQUEST_LIMIT = Duration.ofSeconds(5);
    private static final Phase RESPONSE = new Phase(Duration.ofSeconds(30), true, true);

    private static final String NAME = "probe-server";
    private static final Logger LOG = LoggerFactory.getLogger(ProbeServer.class);

    /** Metrics can be large, and clients slow to read them. */
    static final int MAX_SCRAPES = 3;

    private static final Http1Config HTTP =
            Http1Config.custom().setMaxLineLength(4096).setMaxHeaderCount(100).build();
    private static final ContentType TEXT = ContentType.create("text/plain", UTF_8);
    private static final ContentType PROMETHEUS_TEXT = ContentType.parse("text/plain; version=0.0.4; charset=utf-8");
    private static final ContentType BYTES = ContentType.APPLICATION_OCTET_STREAM;
    private static final String THREADS = "/debug/threads";
    private static final String RECORDING = "/debug/recording";
    private static final Response NOT_FOUND = Response.text(404, "not found\n");

    private final ProbeServerOptions options;
    private final HealthEndpoint liveness;
    private final HealthEndpoint readiness;
    private final Consumer<Throwable> failure;

    /** A probe needs milliseconds, so the connection that has been open for longest is not a probe and can be replaced. */
    private final Phase request;

    private final LogLimiter warnings = new LogLimiter();
    private final Diagnostics diagnostics = new Diagnostics();
    private final Semaphore scrapes = new Semaphore(MAX_SCRAPES);

    /** Set and cleared by start and stop, which are never called concurrently. */
    private volatile @Nullable ConnectionListener listener;

    private ProbeServer(
            ProbeServerOptions options,
            Supplier<List<HealthCheck>> checks,
            Consumer<Throwable> failure,
            Duration requestLimit) {
        this.options = options;
        this.liveness = HealthEndpoint.liveness(checks);
        this.readiness = HealthEndpoint.readiness(checks);
        this.failure = failure;
        this.request = new Phase(requestLimit, true, false);
    }

    /**
     * Create a server for the health checks of a manager and add it to the manager.
     *
     * @throws IllegalArgumentException if the manager has a probe server
     * @throws IllegalStateException if the manager is stopping or has stopped
     */
    public static ProbeServer addTo(Manager manager, ProbeServerOptions options) {
        return addTo(manager, options, REQUEST_LIMIT);
    }

    static ProbeServer addTo(Manager manager, ProbeServerOptions options, Duration requestLimit) {
        ProbeServer server = new ProbeServer(options, manager::healthChecks, e -> manager.fail(NAME, e), requestLimit);
        manager.add(server);
        return server;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StartGroup group() {
        return StartGroup.SERVERS;
    }

    /** Return the port that the server listens on, 0 if it does not. */
    public int port() {
        ConnectionListener running = listener;
        return running == null ? 0 : running.port();
    }

    /**
     * Start to listen.
     *
     * @throws IOException if the address is in use or cannot be bound
     */
    @Override
    public void start() throws IOException {
        InetSocketAddress address = options.host().isEmpty()
                ? new InetSocketAddress(options.port())
                : new InetSocketAddress(options.host(), options.port());
        try {
            listener = ConnectionListener.open(
                    new ConnectionListener.Settings(NAME, address, MAX_CONNECTIONS, MAX_THREADS, false, request),
                    this::serve,
                    failure);
            LOG.info("Serving probes on port {}", port());
        } catch (IOException e) {
            String advice =
                    "): end the program that uses the port, or choose another one with ProbeServerOptions.withAddress";
            throw new IOException("cannot listen on " + address + " (" + e.getMessage() + advice, e);
        }
    }

    /** Answer one request. */
    private void serve(Socket socket, Progress progress) throws IOException {
        try (DefaultBHttpServerConnection http = new DefaultBHttpServerConnection(
                "http", HTTP, null, null, null, null, new DefaultHttpRequestParserFactory(HTTP), null)) {
            http.bind(socket);
            serve(http, progress, socket.getInetAddress().isLoopbackAddress());
        } catch (HttpException e) {
            throw new IOException(e);
        }
    }

    private void serve(DefaultBHttpServerConnection http, Progress progress, boolean local)
            throws IOException, HttpException {
        boolean head = false;
        Response response;
        try {
            ClassicHttpRequest request = http.receiveRequestHeader();
            if (request == null) { // closed without a request
                return;
            }
            progress.enter(RESPONSE);
            head = request.getMethod().equals("HEAD");
            response = respond(request, progress, local);
        } catch (HttpException e) {
            response = Response.text(400, "bad request\n");
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            warnings.log(
                    LogLimiter.cause(e),
                    occurrence -> LOG.warn(
                            "A request to the probe server failed{}", occurrence.suffix(e), occurrence.trace(e)));
            response = Response.text(500, "internal error\n");
        }
        try {
            send(http, response, head);
        } finally {
            response.sent().run();
        }
    }

    private static void send(DefaultBHttpServerConnection http, Response response, boolean head)
            throws IOException, HttpException {
        ClassicHttpResponse message = new BasicClassicHttpResponse(response.status());
        message.setHeader(HttpHeaders.CONTENT_TYPE, response.type());
        message.setHeader(HttpHeaders.CONTENT_LENGTH, response.body().length);
        message.setHeader(HttpHeaders.CONNECTION, "close");
        message.setHeader("X-Content-Type-Options", "nosniff");
        http.sendResponseHeader(message);
        if (!head) {
            message.setEntity(new ByteArrayEntity(response.body(), response.type()));
            http.sendResponseEntity(message);
        }
        http.flush();
    }

    private Response respond(ClassicHttpRequest request, Progress progress, boolean local)
            throws IOException, InterruptedException {
        String method = request.getMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return Response.text(405, "method not allowed\n");
        }
        URI uri;
        try {
            uri = request.getUri();
        } catch (URISyntaxException e) {
            return Response.text(400, "bad request\n");
        }
        String path = uri.getPath() == null ? "" : uri.getPath();
        Optional<Supplier<String>> metrics = options.metrics();
        if (path.equals("/metrics") && metrics.isPresent()) {
            return scrape(metrics.get());
        }
        if (options.diagnostics() && (path.equals(THREADS) || path.equals(RECORDING))) {
            return diagnose(path, uri.getQuery(), progress, local && method.equals("GET"));
        }
        return probe(path, uri.getQuery(), options.livenessPath(), liveness)
                .or(() -> probe(path, uri.getQuery(), options.readinessPath(), readiness))
                .orElse(NOT_FOUND);
    }

    /** Stacks and recordings say much about the process, and nothing at this port authenticates a client. */
    private Response diagnose(String path, @Nullable String query, Progress progress, boolean allowed)
            throws IOException, InterruptedException {
        if (!allowed) {
            return Response.text(403, "only for GET from the same host: use kubectl port-forward\n");
        }
        if (path.equals(THREADS)) {
            return new Response(200, TEXT, Diagnostics.threads(), () -> {});
        }
        Duration duration = Diagnostics.duration(query);
        if (duration == null) {
            return Response.text(400, "'seconds' must be a number from 1 to 300\n");
        }
        progress.enter(new Phase(duration.plus(RESPONSE.limit()), true, true));
        byte[] recording = diagnostics.record(duration);
        progress.enter(RESPONSE);
        return recording == null
                ? Response.text(409, "another recording is in progress\n")
                : new Response(200, BYTES, recording, () -> {});
    }

    private Response scrape(Supplier<String> metrics) {
        if (!scrapes.tryAcquire()) {
            return Response.text(503, "too many scrapes at once\n");
        }
        try {
            return new Response(200, PROMETHEUS_TEXT, metrics.get().getBytes(UTF_8), scrapes::release);
        } catch (Throwable e) {
            scrapes.release();
            throw e;
        }
    }

    /** The response of an endpoint, empty if the path is not below that of the endpoint. */
    private static Optional<Response> probe(String path, @Nullable String query, String root, HealthEndpoint endpoint) {
        if (path.equals(root) || path.equals(root + "/")) {
            List<String> parameters = query == null ? List.of() : Arrays.asList(query.split("&"));
            Set<String> excluded = parameters.stream()
                    .filter(parameter -> parameter.startsWith("exclude="))
                    .map(parameter -> parameter.substring("exclude=".length()))
                    .collect(Collectors.toSet());
            boolean verbose = parameters.stream().anyMatch(parameter -> parameter.split("=", 2)[0].equals("verbose"));
            return Optional.of(text(endpoint.all(verbose, excluded)));
        }
        return path.startsWith(root + "/")
                ? Optional.of(text(endpoint.one(path.substring(root.length() + 1))))
                : Optional.empty();
    }

    private static Response text(HealthEndpoint.Response response) {
        return Response.text(response.status(), response.body());
    }

    @Override
    public void stop(Duration grace) {
        ConnectionListener running = listener;
        if (running != null) {
            running.close();
            listener = null;
        }
    }

    /**
     * A response.
     *
     * @param sent called when the response has been sent or could not be
     */
    private record Response(int status, ContentType type, byte[] body, Runnable sent) {

        static Response text(int status, String body) {
            return new Response(status, TEXT, body.getBytes(UTF_8), () -> {});
        }
    }
}
