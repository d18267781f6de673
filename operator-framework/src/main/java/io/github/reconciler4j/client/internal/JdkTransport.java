package io.github.reconciler4j.client.internal;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The transport of fabric8's client on the JDK's. */
final class JdkTransport implements Transport {

    private final StandardHttpClient<?, ?, ?> client;
    private final Set<JdkExchange> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    JdkTransport(StandardHttpClient<?, ?, ?> client) {
        this.client = client;
    }

    @Override
    public Answer send(StandardHttpRequest request, long deadline) throws IOException {
        JdkExchange exchange = JdkExchange.start(open, client, request);
        if (closed) {
            exchange.abort();
        }
        boolean answered = false;
        try {
            HttpResponse<AsyncBody> response = await(exchange.answer(), deadline);
            exchange.stream().start(response.body());
            answered = true;
            return new Answer(response.code(), lowerCased(response.headers()), exchange.stream());
        } finally {
            if (!answered) {
                exchange.abort();
            }
        }
    }

    private static HttpResponse<AsyncBody> await(CompletableFuture<HttpResponse<AsyncBody>> answer, long deadline)
            throws IOException {
        try {
            return deadline == Long.MAX_VALUE
                    ? answer.get()
                    : answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while waiting for the answer");
        } catch (TimeoutException e) {
            throw new SocketTimeoutException("No answer in time");
        } catch (CancellationException e) {
            throw new TransportException(Problem.CLOSED, "closed", e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause() == null ? e : e.getCause());
        }
    }

    private static Map<String, List<String>> lowerCased(Map<String, List<String>> headers) {
        Map<String, List<String>> lower = new HashMap<>();
        headers.forEach((name, values) -> lower.put(name.toLowerCase(Locale.ROOT), values));
        return lower;
    }

    @Override
    public void close() {
        closed = true;
        for (JdkExchange exchange : new ArrayList<>(open)) {
            exchange.abort();
        }
        client.close();
    }
}
