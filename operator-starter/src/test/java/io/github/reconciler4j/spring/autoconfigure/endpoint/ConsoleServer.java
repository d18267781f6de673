package io.github.reconciler4j.spring.autoconfigure.endpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Serves the files of the console, and answers that a test chooses. */
final class ConsoleServer implements AutoCloseable {

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private final Function<String, String> answers;

    /**
     * Start a server.
     *
     * @param answers returns the answer to a request below {@code /actuator/reconciler4j}; empty for status 404
     */
    ConsoleServer(Function<String, String> answers) throws IOException {
        this.answers = answers;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(executor);
        server.createContext("/", this::answer);
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/actuator/reconciler4jconsole";
    }

    List<String> requests() {
        return requests;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getRawPath();
        requests.add(exchange.getRequestURI().toString());
        String file = path.substring(path.lastIndexOf('/') + 1);
        if (path.endsWith("/reconciler4jconsole")) {
            respond(exchange, 200, "text/html", file("console.html").replace("{{writable}}", "true"));
        } else if (OperatorConsoleEndpoint.FILES.containsKey(file)) {
            respond(
                    exchange,
                    200,
                    Objects.requireNonNull(OperatorConsoleEndpoint.FILES.get(file))
                            .toString(),
                    file(file));
        } else {
            String text = answers.apply(exchange.getRequestURI().toString());
            respond(
                    exchange,
                    text.isEmpty() ? 404 : 200,
                    text.startsWith("<") ? "text/html" : "application/json",
                    text);
        }
    }

    /** Return a file of the page. */
    static String file(String name) throws IOException {
        try (InputStream in = OperatorConsoleEndpoint.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private static void respond(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] body = text.getBytes(UTF_8);
        exchange.getResponseHeaders().add("Content-Type", type.contains(";") ? type : type + "; charset=utf-8");
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
