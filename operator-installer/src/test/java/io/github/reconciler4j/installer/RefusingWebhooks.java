package io.github.reconciler4j.installer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
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
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** Webhooks that admit or convert all objects but some; the last part of their path selects which. */
final class RefusingWebhooks implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, Set<String>> refused = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpsServer server;
    private final String pem;

    RefusingWebhooks() throws Exception {
        X509Bundle bundle = new CertificateBuilder()
                .ecp256()
                .subject("CN=webhooks")
                .addSanIpAddress("127.0.0.1")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        pem = bundle.getCertificatePEM();
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 128);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(bundle.toKeyManagerFactory().getKeyManagers(), null, null);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.setExecutor(threads);
        server.createContext("/admit/", exchange -> answer(exchange, this::admit));
        server.createContext("/convert/", exchange -> answer(exchange, this::convert));
        server.start();
    }

    /** The part {@code clientConfig} of a webhook, as YAML on one line. */
    String clientConfig(String purpose, String which) {
        return "{url: 'https://127.0.0.1:" + server.getAddress().getPort() + "/" + purpose + "/" + which
                + "', caBundle: "
                + Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8)) + "}";
    }

    void refuse(String which, Set<String> names) {
        refused.put(which, Set.copyOf(names));
    }

    private interface Answer {
        void write(JsonNode request, ObjectNode response, Set<String> refused);
    }

    private void answer(HttpExchange exchange, Answer answer) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            ObjectNode review = (ObjectNode) JSON.readTree(exchange.getRequestBody());
            JsonNode request = review.remove("request");
            ObjectNode response =
                    review.putObject("response").put("uid", request.path("uid").asText());
            answer.write(request, response, refused.getOrDefault(path.substring(path.lastIndexOf('/') + 1), Set.of()));
            byte[] body = JSON.writeValueAsBytes(review);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private void admit(JsonNode request, ObjectNode response, Set<String> refusedNames) {
        boolean allowed = !refusedNames.contains(request.path("name").asText());
        response.put("allowed", allowed);
        if (!allowed) {
            response.putObject("status").put("code", 422).put("message", "not this one");
        }
    }

    private void convert(JsonNode request, ObjectNode response, Set<String> refusedNames) {
        ArrayNode converted = response.putArray("convertedObjects");
        for (JsonNode object : request.path("objects")) {
            if (refusedNames.contains(object.path("metadata").path("name").asText())) {
                converted.removeAll();
                response.putObject("result").put("status", "Failure").put("message", "not this one");
                return;
            }
            ((ObjectNode) object)
                    .put("apiVersion", request.path("desiredAPIVersion").asText());
            converted.add(object);
        }
        response.putObject("result").put("status", "Success");
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
