package io.github.reconciler4j.manager;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.health.HealthEndpoint;
import io.github.reconciler4j.health.HealthEndpoint.Answer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves probes and measurements of a manager that has no web server around it: {@code /healthz} and {@code /readyz} with
 * {@code ?verbose}, {@code ?exclude=name} and one path per check, and {@code /metrics} if there is a supplier. Is the
 * first to start and the last to stop, on standbys too. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class ProbeServer implements ManagedComponent {

    private static final Logger LOG = LoggerFactory.getLogger(ProbeServer.class);
    private static final int THREADS = 2;
    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final ProbeServerOptions options;
    private final HealthEndpoint liveness;
    private final HealthEndpoint readiness;

    // Start and stop are never called at the same time; port() may be called at any.
    private volatile @Nullable HttpServer server;
    private @Nullable ExecutorService threads;

    private ProbeServer(ProbeServerOptions options, Supplier<List<HealthCheck>> checks) {
        this.options = options;
        this.liveness = HealthEndpoint.liveness(checks);
        this.readiness = HealthEndpoint.readiness(checks);
    }

    /** Makes a server for the checks of a manager and adds it to that manager. */
    public static ProbeServer addTo(Manager manager, ProbeServerOptions options) {
        ProbeServer server = new ProbeServer(options, manager::healthChecks);
        manager.add(server);
        return server;
    }

    @Override
    public String name() {
        return "probe-server";
    }

    @Override
    public StartGroup group() {
        return StartGroup.SERVERS;
    }

    /** The port it listens on, 0 while it does not. */
    public int port() {
        HttpServer running = server;
        return running == null ? 0 : running.getAddress().getPort();
    }

    @Override
    public void start() throws IOException {
        InetSocketAddress address = options.host().isEmpty()
                ? new InetSocketAddress(options.port())
                : new InetSocketAddress(options.host(), options.port());
        HttpServer starting;
        try {
            starting = HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new IOException("cannot listen on " + address + ": " + e.getMessage(), e);
        }
        starting.createContext("/", exchange -> answer(exchange, new Answer(404, "not found\n")));
        starting.createContext(options.livenessPath(), exchange -> probe(exchange, options.livenessPath(), liveness));
        starting.createContext(
                options.readinessPath(), exchange -> probe(exchange, options.readinessPath(), readiness));
        options.metrics()
                .ifPresent(scrape -> starting.createContext("/metrics", exchange -> metrics(exchange, scrape)));
        threads = Executors.newFixedThreadPool(THREADS, ProbeServer::thread);
        starting.setExecutor(threads);
        starting.start();
        server = starting;
        LOG.info("Probes are served on port {}", starting.getAddress().getPort());
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "probe-server");
        thread.setDaemon(true);
        return thread;
    }

    private static void probe(HttpExchange exchange, String path, HealthEndpoint endpoint) throws IOException {
        String asked = exchange.getRequestURI().getPath();
        if (asked.equals(path) || asked.equals(path + "/")) {
            List<String> parameters = parameters(exchange);
            Set<String> excluded = parameters.stream()
                    .filter(parameter -> parameter.startsWith("exclude="))
                    .map(parameter -> parameter.substring("exclude=".length()))
                    .collect(Collectors.toSet());
            boolean verbose = parameters.stream().anyMatch(parameter -> parameter.split("=", 2)[0].equals("verbose"));
            answer(exchange, endpoint.all(verbose, excluded));
        } else if (asked.startsWith(path + "/")) {
            answer(exchange, endpoint.one(asked.substring(path.length() + 1)));
        } else {
            answer(exchange, new Answer(404, "not found\n"));
        }
    }

    private static List<String> parameters(HttpExchange exchange) {
        String query = exchange.getRequestURI().getQuery();
        return query == null ? List.of() : Arrays.asList(query.split("&"));
    }

    private static void metrics(HttpExchange exchange, Supplier<String> scrape) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", PROMETHEUS_TEXT);
        answer(exchange, new Answer(200, scrape.get()));
    }

    private static void answer(HttpExchange exchange, Answer answer) throws IOException {
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().putIfAbsent("Content-Type", List.of("text/plain; charset=utf-8"));
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(answer.status(), head ? -1 : body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            if (!head) {
                out.write(body);
            }
        }
    }

    @Override
    public void stop(Duration grace) {
        HttpServer running = server;
        if (running != null) {
            running.stop(0);
            server = null;
        }
        if (threads != null) {
            threads.shutdownNow();
            threads = null;
        }
    }
}
