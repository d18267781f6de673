package io.github.reconciler4j.test.server.internal.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;

/** Webhooks that answer by a script and keep what they were asked. Safe for use by many threads. */
final class ScriptedWebhooks implements AutoCloseable {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** The answer of a webhook: a status, and a body made from the review. */
    record Script(int status, int delayMillis, UnaryOperator<ObjectNode> body) {
        static Script answering(UnaryOperator<ObjectNode> body) {
            return new Script(200, 0, body);
        }
    }

    private final Map<String, Script> scripts = new ConcurrentHashMap<>();
    private final List<ObjectNode> reviews = Collections.synchronizedList(new ArrayList<>());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpsServer server;
    private final String pem;

    ScriptedWebhooks() throws Exception {
        X509Bundle bundle = new CertificateBuilder()
                .ecp256()
                .subject("CN=webhooks")
                .addSanDnsName("localhost")
                .addSanIpAddress("127.0.0.1")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        pem = bundle.getCertificatePEM();
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 128);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(bundle.toKeyManagerFactory().getKeyManagers(), null, null);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url(String path) {
        return "https://127.0.0.1:" + server.getAddress().getPort() + "/" + path;
    }

    String caBundle() {
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
    }

    void script(String path, Script script) {
        scripts.put("/" + path, script);
    }

    /** What was asked since the last call, each with the path of the webhook. */
    List<ObjectNode> take() {
        synchronized (reviews) {
            List<ObjectNode> taken = List.copyOf(reviews);
            reviews.clear();
            return taken;
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            ObjectNode review = (ObjectNode) MAPPER.readTree(exchange.getRequestBody());
            String path = exchange.getRequestURI().getPath();
            ObjectNode kept = review.deepCopy();
            kept.put("path", path);
            kept.put("query", String.valueOf(exchange.getRequestURI().getQuery()));
            reviews.add(kept);
            Script script = scripts.get(path);
            Thread.sleep(script.delayMillis());
            JsonNode answer = script.body().apply(review);
            byte[] body =
                    answer == null ? "nonsense".getBytes(StandardCharsets.UTF_8) : MAPPER.writeValueAsBytes(answer);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(script.status(), body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
