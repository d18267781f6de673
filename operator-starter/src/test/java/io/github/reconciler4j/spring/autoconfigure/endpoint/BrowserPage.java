package io.github.reconciler4j.spring.autoconfigure.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A page in Chromium that a test drives as a person does, through the DevTools protocol. */
final class BrowserPage implements AutoCloseable {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process chromium;
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> calls = new ConcurrentHashMap<>();

    /** What the page has logged, and the exceptions of its scripts. */
    private final List<String> problems = new CopyOnWriteArrayList<>();

    private BrowserPage(Path profile) throws IOException, InterruptedException {
        chromium = new ProcessBuilder(
                        System.getProperty("console.browser"),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--hide-scrollbars",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Path port = profile.resolve("DevToolsActivePort");
        await("the port of Chromium").atMost(LONG).until(() -> Files.exists(port) && Files.size(port) > 0);
        HttpClient http = HttpClient.newHttpClient();
        URI list = URI.create("http://127.0.0.1:" + Files.readAllLines(port).get(0) + "/json");
        JsonNode pages =
                JSON.readTree(http.send(HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.ofString())
                        .body());
        String address = "";
        for (JsonNode page : pages) {
            address = page.path("type").asText().equals("page")
                    ? page.path("webSocketDebuggerUrl").asText()
                    : address;
        }
        socket = http.newWebSocketBuilder()
                .buildAsync(URI.create(address), new Receiver())
                .join();
    }

    /** Open an address in a window of a size. */
    static BrowserPage open(Path profile, String address, int width, int height) throws Exception {
        BrowserPage page = new BrowserPage(profile);
        page.call("Runtime.enable", Map.of());
        page.call("Log.enable", Map.of());
        page.call("Page.enable", Map.of());
        page.call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
        page.call("Page.navigate", Map.of("url", address));
        return page;
    }

    /** Messages can come in parts. */
    private final class Receiver implements WebSocket.Listener {

        private final StringBuilder message = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
            message.append(data);
            if (last) {
                receive(message.toString());
                message.setLength(0);
            }
            webSocket.request(1);
            return CompletableFuture.completedFuture(null);
        }
    }

    private void receive(String text) {
        try {
            JsonNode message = JSON.readTree(text);
            CompletableFuture<JsonNode> call =
                    message.has("id") ? calls.remove(message.get("id").asInt()) : null;
            String method = message.path("method").asText();
            if (call != null) {
                call.complete(message);
            } else if (method.equals("Runtime.exceptionThrown") || method.equals("Log.entryAdded")) {
                problems.add(message.path("params").toString());
            }
        } catch (IOException e) {
            problems.add(e.toString());
        }
    }

    private JsonNode call(String method, Map<String, ?> parameters) throws Exception {
        int id = ids.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        calls.put(id, answer);
        socket.sendText(JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters)), true)
                .join();
        JsonNode message = answer.get(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(message.has("error")).as(message.toString()).isFalse();
        return message.path("result");
    }

    /** Return the value of an expression as text. */
    String ask(String expression) {
        try {
            JsonNode result = call("Runtime.evaluate", Map.of("expression", "String(" + expression + ")"));
            assertThat(result.has("exceptionDetails")).as(result.toString()).isFalse();
            return result.path("result").path("value").asText();
        } catch (Exception e) {
            throw new IllegalStateException(expression, e);
        }
    }

    /** Wait until an expression is true. */
    void awaitTrue(String expression) {
        await(expression).atMost(LONG).until(() -> ask(expression).equals("true"));
    }

    /** Press and release a key. */
    void press(String key) throws Exception {
        boolean printed = key.length() == 1;
        Map<String, Integer> codes = Map.of("Tab", 9, "Enter", 13, "Escape", 27);
        int code = printed ? Character.toUpperCase(key.charAt(0)) : codes.get(key);
        String text = printed ? key : key.equals("Enter") ? "\r" : "";
        call(
                "Input.dispatchKeyEvent",
                Map.of(
                        "type", text.isEmpty() ? "rawKeyDown" : "keyDown",
                        "key", key,
                        "text", text,
                        "windowsVirtualKeyCode", code));
        call("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key, "windowsVirtualKeyCode", code));
    }

    void type(String text) throws Exception {
        call("Input.insertText", Map.of("text", text));
    }

    List<String> problems() {
        return problems;
    }

    @Override
    public void close() {
        socket.abort();
        List<ProcessHandle> descendants = chromium.descendants().toList();
        chromium.destroy();
        chromium.onExit().completeOnTimeout(chromium, 20, TimeUnit.SECONDS).join();
        chromium.destroyForcibly().onExit().join();
        descendants.forEach(ProcessHandle::destroyForcibly);
        descendants.forEach(each -> each.onExit().join());
    }
}
