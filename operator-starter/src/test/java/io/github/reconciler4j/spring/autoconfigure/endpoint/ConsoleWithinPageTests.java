package io.github.reconciler4j.spring.autoconfigure.endpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The console in Chromium, within other pages and with a server that does not respond. The script of the console is served with one
 * more line, which sends the page to the server all the time.
 */
@Timeout(300)
@EnabledIfSystemProperty(
        named = "console.browser",
        matches = ".+",
        disabledReason = "needs -Dconsole.browser=chromium (Debian package chromium)")
class ConsoleWithinPageTests {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final String REPORT =
            "setInterval(() => fetch('/report', {method: 'POST', body: document.body.innerHTML}), 200);";
    private static final String OPERATOR = """
        {"name": "shop", "running": true, "leader": true, "components": [], "kinds": [], "leases": [],
         "clusters": [{"name": ""}], "controllers": [
          {"name": "maps", "state": "RUNNING", "busy": 0, "workers": 1, "failingCount": 0, "failing": [], "pausedObjects": 0}]}
        """;

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final CountDownLatch end = new CountDownLatch(1);
    private HttpServer server;
    private Process chromium;

    /** What the script of the console has at its end. */
    private volatile String script = REPORT;

    /** The method that is not responded to. */
    private volatile String unanswered = "";

    private volatile String page = "";

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(executor);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        end.countDown();
        server.stop(0);
        executor.shutdownNow();
        // Without their parent, they are no descendants any longer, and write to the folder that is deleted next.
        List<ProcessHandle> descendants = chromium.descendants().toList();
        chromium.destroy();
        chromium.onExit().completeOnTimeout(chromium, 20, TimeUnit.SECONDS).join();
        chromium.destroyForcibly().onExit().join();
        descendants.forEach(ProcessHandle::destroyForcibly);
        descendants.forEach(each -> each.onExit().join());
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        switch (path.substring(path.lastIndexOf('/') + 1)) {
            case "report" -> {
                page = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
                respond(exchange, "text/plain", "");
            }
            case "page" -> respond(exchange, "text/html", "<iframe src=\"" + console("127.0.0.1") + "\"></iframe>");
            case "reconciler4jconsole" ->
                respond(exchange, "text/html", file("console.html").replace("{{writable}}", "true"));
            case "console.js" -> respond(exchange, "text/javascript", file("console.js") + script);
            case "api.js", "dom.js", "keys.js", "list.js", "object.js", "overview.js" ->
                respond(exchange, "text/javascript", file(path.substring(path.lastIndexOf('/') + 1)));
            case "console.css", "theme.css" -> respond(exchange, "text/css", "");
            default -> {
                if (exchange.getRequestMethod().equals(unanswered)) {
                    awaitEnd();
                }
                respond(exchange, "application/json", OPERATOR);
            }
        }
    }

    private void awaitEnd() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String file(String name) throws IOException {
        try (InputStream in = OperatorConsoleEndpoint.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private static void respond(HttpExchange exchange, String type, String text) throws IOException {
        byte[] body = text.getBytes(UTF_8);
        exchange.getResponseHeaders().add("Content-Type", type + "; charset=utf-8");
        exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private String site(String host) {
        return "http://" + host + ":" + server.getAddress().getPort();
    }

    private String console(String host) {
        return site(host) + "/actuator/reconciler4jconsole";
    }

    private void open(String address) throws IOException {
        chromium = new ProcessBuilder(
                        System.getProperty("console.browser"),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--user-data-dir=" + folder.resolve("profile"),
                        address)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private void awaitPage(String text) {
        await("the page with " + text).atMost(LONG).until(() -> page.contains(text));
    }

    @Test
    void buttonsWhenThePageIsWithinOneOfTheSameSiteAreShown() throws Exception {
        open(site("127.0.0.1") + "/page");

        awaitPage("running, leader");
        assertThat(page).contains(">Pause</button>");
    }

    @Test
    void buttonsWhenThePageIsWithinOneOfAnotherSiteAreNotShown() throws Exception {
        open(site("localhost") + "/page");

        awaitPage("running, leader");
        assertThat(page).contains("maps").doesNotContain(">Pause</button>");
    }

    @Test
    void requestWhenTheServerDoesNotRespondEndsAfterAWhile() throws Exception {
        unanswered = "GET";
        open(console("127.0.0.1"));

        awaitPage("The operator cannot be read: ");
    }

    @Test
    void changeWhenTheServerDoesNotRespondEndsAfterAWhile() throws Exception {
        unanswered = "POST";
        script = REPORT + "change('maps', 'PAUSE');";
        open(console("127.0.0.1"));

        awaitPage("PAUSE of maps failed: ");
    }
}
