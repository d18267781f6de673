package io.github.reconciler4j.test.server.internal.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Calls webhooks as the API server does: over HTTP/1.1 and TLS, with connections that are kept open, and with the name of
 * the Service as server name where a configuration names a Service. Safe for use by multiple threads.
 */
public final class WebhookCaller implements AutoCloseable {
    private static final int MAX_IDLE = 8;
    private static final int HTTPS = 443;

    private final ServiceAddresses services;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Deque<WebhookConnection>> idle = new HashMap<>();

    @GuardedBy("lock")
    private boolean closed;

    /** Finds the address behind a Service. */
    @FunctionalInterface
    public interface ServiceAddresses {
        /**
         * Return the address of a port of a Service.
         *
         * @throws WebhookFailure if there is no such Service, or it has no endpoint
         */
        InetSocketAddress find(String namespace, String name, int port) throws WebhookFailure;
    }

    public WebhookCaller(ServiceAddresses services) {
        this.services = services;
    }

    /** A webhook's address: where to connect, and under which name. */
    private record Target(String authority, String serverName, InetSocketAddress address, String path) {}

    /**
     * Send a review to a webhook and return its answer.
     *
     * @param config the {@code clientConfig} of the webhook
     * @param timeout the time for the whole call; also sent to the webhook if {@code announced}
     * @throws WebhookFailure if there is no answer in time or it is not JSON with status 200
     */
    public ObjectNode call(JsonNode config, ObjectNode review, Duration timeout, boolean announced)
            throws WebhookFailure {
        long deadline = System.nanoTime() + timeout.toNanos();
        String path = path(config) + (announced ? "?timeout=" + seconds(timeout) + "s" : "");
        String authority = authority(config);
        String prefix = "Post " + FieldError.quoted("https://" + authority + path) + ": ";
        try {
            Target target = target(config, authority, path);
            byte[] body = Json.bytes(review);
            String trust = config.path("caBundle").asText();
            WebhookConnection.Answer answer = send(target, trust, body, deadline);
            return WebhookAnswers.parse(answer);
        } catch (SocketTimeoutException e) {
            throw new WebhookFailure(prefix + "context deadline exceeded");
        } catch (ConnectException e) {
            throw new WebhookFailure(prefix + "dial tcp " + authority + ": connect: connection refused");
        } catch (SSLHandshakeException e) {
            throw new WebhookFailure(prefix + "tls: failed to verify certificate: x509: " + e.getMessage());
        } catch (SSLException e) {
            throw new WebhookFailure(prefix + "remote error: tls: " + e.getMessage());
        } catch (IOException e) {
            throw new WebhookFailure(prefix + "EOF");
        } catch (GeneralSecurityException e) {
            throw new WebhookFailure("unable to load root certificates: unable to parse bytes as PEM block");
        }
    }

    private static long seconds(Duration timeout) {
        return (timeout.toMillis() + 999) / 1000;
    }

    private static String authority(JsonNode config) {
        JsonNode service = config.path("service");
        if (service.isObject()) {
            return service.path("name").asText() + "."
                    + service.path("namespace").asText() + ".svc:"
                    + service.path("port").asInt(HTTPS);
        }
        return URI.create(config.path("url").asText()).getRawAuthority();
    }

    private static String path(JsonNode config) {
        JsonNode service = config.path("service");
        String path = service.isObject()
                ? service.path("path").asText()
                : URI.create(config.path("url").asText()).getRawPath();
        // as Go's path.Join does, for services, too
        return Arrays.stream(path.split("/")).filter(part -> !part.isEmpty()).collect(Collectors.joining("/", "/", ""));
    }

    private Target target(JsonNode config, String authority, String path) throws WebhookFailure {
        JsonNode service = config.path("service");
        if (service.isObject()) {
            String name = service.path("name").asText();
            String namespace = service.path("namespace").asText();
            InetSocketAddress address =
                    services.find(namespace, name, service.path("port").asInt(HTTPS));
            return new Target(authority, name + "." + namespace + ".svc", address, path);
        }
        URI url = URI.create(config.path("url").asText());
        String host = url.getHost().replaceAll("[\\[\\]]", "");
        int port = url.getPort() < 0 ? HTTPS : url.getPort();
        return new Target(authority, host, new InetSocketAddress(host, port), path);
    }

    private WebhookConnection.Answer send(Target target, String trust, byte[] body, long deadline)
            throws IOException, GeneralSecurityException {
        String key = target.address() + " " + target.serverName() + " " + trust;
        WebhookConnection open = takeIdle(key);
        if (open != null) {
            try {
                return exchange(open, key, target, body, deadline);
            } catch (SocketTimeoutException e) {
                throw e;
            } catch (IOException e) {
                // the webhook closed the idle connection: the request goes over a new one
            }
        }
        WebhookConnection made =
                WebhookConnection.open(target.address(), target.serverName(), context(trust), deadline);
        return exchange(made, key, target, body, deadline);
    }

    private WebhookConnection.Answer exchange(
            WebhookConnection connection, String key, Target target, byte[] body, long deadline) throws IOException {
        boolean reusable = false;
        try {
            WebhookConnection.Answer answer = connection.post(target.path(), target.authority(), body, deadline);
            reusable = answer.keepAlive();
            return answer;
        } finally {
            if (!reusable || !keep(key, connection)) {
                connection.close();
            }
        }
    }

    private @Nullable WebhookConnection takeIdle(String key) {
        lock.lock();
        try {
            Deque<WebhookConnection> connections = idle.get(key);
            return connections == null ? null : connections.pollFirst();
        } finally {
            lock.unlock();
        }
    }

    private boolean keep(String key, WebhookConnection connection) {
        lock.lock();
        try {
            Deque<WebhookConnection> connections = idle.computeIfAbsent(key, none -> new ArrayDeque<>());
            if (closed || connections.size() >= MAX_IDLE) {
                return false;
            }
            connections.addFirst(connection);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Return the trust of a bundle of certificates; that of the JVM for an empty one. */
    private static SSLContext context(String trust) throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        if (trust.isBlank()) {
            context.init(null, null, null);
            return context;
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null);
        int number = 0;
        byte[] pem = Base64.getDecoder().decode(trust);
        for (Certificate certificate :
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem))) {
            store.setCertificateEntry("ca-" + number++, certificate);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            idle.values().forEach(connections -> connections.forEach(WebhookConnection::close));
            idle.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Reads the answers of webhooks. Stateless; safe for use by multiple threads. */
    private static final class WebhookAnswers {
        private WebhookAnswers() {}

        static ObjectNode parse(WebhookConnection.Answer answer) throws WebhookFailure {
            if (answer.status() < 200 || answer.status() > 206) {
                throw new WebhookFailure(refusal(answer));
            }
            try {
                if (Json.parse(answer.body()) instanceof ObjectNode review) {
                    return review;
                }
            } catch (IOException e) {
                // no JSON
            }
            throw new WebhookFailure("couldn't get version/kind; json parse error: unexpected end of JSON input");
        }

        private static String refusal(WebhookConnection.Answer answer) {
            return switch (answer.status()) {
                case 400 -> "the server rejected our request for an unknown reason";
                case 401 -> "the server has asked for the client to provide credentials";
                case 404 -> "the server could not find the requested resource";
                case 405 -> "the server does not allow this method on the requested resource";
                case 429 -> "the server has received too many requests and has asked us to try again later";
                case 503 -> "the server is currently unable to handle the request";
                case 504 ->
                    "the server was unable to return a response in the time allotted, but may still be"
                            + " processing the request";
                default -> {
                    String text = new String(answer.body(), StandardCharsets.UTF_8);
                    yield answer.status() >= 500
                            ? "an error on the server (" + FieldError.quoted(text.isEmpty() ? "unknown" : text)
                                    + ") has prevented the request from succeeding"
                            : "the server responded with the status code " + answer.status()
                                    + " but did not return more information";
                }
            };
        }
    }
}
