package io.github.reconciler4j.spring.autoconfigure.endpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The console in Chromium, with links and answers that are hostile. The profile {@code nightly} sets the program. */
@Timeout(300)
@EnabledIfSystemProperty(
        named = "console.browser",
        matches = ".+",
        disabledReason = "needs -Dconsole.browser=chromium (Debian package chromium)")
class ConsoleHostileDataTests {

    private static final String ATTACK = "<img src=x onerror=\"document.title='changed'\">";
    private static final String OPERATOR = """
        {"name": "shop", "running": true, "leader": true, "components": [], "kinds": [], "leases": [],
         "clusters": [{"name": ""}, {"name": "west"}],
         "controllers": [{"name": "maps", "state": "RUNNING", "busy": 0, "workers": 1, "failingCount": 1,
           "failing": [{"key": "ATTACK", "failures": 1, "last": "never", "terminal": true, "error": "ATTACK"}]}]}
        """.replace("ATTACK", quoted(ATTACK));
    private static final String OBJECT = """
        {"runs": [], "key": "ATTACK", "object": {"kind": "ATTACK", "created": "ATTACK", "deleted": "", "generation": 1,
         "finalizers": ["ATTACK"], "owned": [], "ownedLeftOut": 0, "readiness": {"state": "", "message": ""}, "events": [], "eventsProblem": "ATTACK", "conditions": [
         {"type": "ATTACK", "status": "True", "reason": "", "message": "LONG", "since": "yesterday"}]}}
        """.replace("ATTACK", quoted(ATTACK)).replace("LONG", "x".repeat(500_000));

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private HttpServer server;

    @TempDir
    private Path folder;

    private static String quoted(String text) {
        return text.replace("\"", "\\\"");
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(executor);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        executor.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getRawPath();
        requests.add(exchange.getRequestURI().toString());
        String file = path.substring(path.lastIndexOf('/') + 1);
        if (path.endsWith("/reconciler4jconsole")) {
            respond(exchange, 200, "text/html", file("console.html").replace("{{writable}}", "true"));
        } else if (OperatorConsoleEndpoint.FILES.containsKey(file)) {
            respond(exchange, 200, file.endsWith("js") ? "text/javascript" : "text/css", file(file));
        } else if (path.endsWith("/reconciler4j")) {
            respond(exchange, 200, "application/json", OPERATOR);
        } else if (file.equals("login")) {
            respond(exchange, 200, "text/html", "<html>Log in</html>");
        } else {
            respond(exchange, file.equals("missing") ? 404 : 200, "application/json", OBJECT);
        }
    }

    private static String file(String name) throws IOException {
        try (InputStream in = OperatorConsoleEndpoint.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private static void respond(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] body = text.getBytes(UTF_8);
        exchange.getResponseHeaders().add("Content-Type", type + "; charset=utf-8");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** Returns the page after a few seconds of the browser's own time. */
    private String visit(String fragment) throws IOException, InterruptedException {
        Path page = folder.resolve("page.html");
        Process chromium = new ProcessBuilder(
                        System.getProperty("console.browser"),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--virtual-time-budget=2500",
                        "--dump-dom",
                        "http://127.0.0.1:" + server.getAddress().getPort() + "/actuator/reconciler4jconsole"
                                + fragment)
                .redirectOutput(page.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(chromium.waitFor(2, TimeUnit.MINUTES)).isTrue();
        } finally {
            chromium.destroyForcibly();
        }
        return Files.readString(page);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    @Test
    void pageWhenTextsAreMarkupOrNoDatesShowsThemAsTheyAre() throws Exception {
        String page = visit("#maps/default/" + encoded(ATTACK));

        assertThat(page)
                .contains(" · shop</title>", ">yesterday</time>", "&lt;img src=x onerror=", "x".repeat(500_000))
                .doesNotContain("<img", "NaN", "cannot be read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"#%", "#maps/%E0%A4", "#/", "##", "#maps", "#maps/", "#maps?page=x&filter=none&search=%"})
    void pageWhenTheLinkIsBrokenShowsTheOperator(String fragment) throws Exception {
        assertThat(visit(fragment))
                .contains("shop</title>", "running, leader")
                .doesNotContain("The operator cannot be read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"#maps/default/..", "#maps/.", "#../one", "#maps/missing", "#maps/login"})
    void pageWhenThereIsNoSuchObjectSaysSoAndShowsTheOperator(String fragment) throws Exception {
        assertThat(visit(fragment))
                .contains("shop</title>", "running, leader", " cannot be read: ")
                .doesNotContain("The operator cannot be read", "undefined");
        assertThat(requests).noneMatch(request -> request.endsWith("/"));
    }

    @Test
    void pageWhenANameContainsAClusterlessInAsksForThatName() throws Exception {
        visit("#maps/" + encoded("reader in shop"));
        visit("#maps/default/" + encoded("one in west"));

        assertThat(requests)
                .contains("/actuator/reconciler4j/maps/reader%20in%20shop")
                .contains("/actuator/reconciler4j/maps/default/one?cluster=west");
    }
}
