package io.github.reconciler4j.client.internal;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** One request under way, so that it can be ended from outside. */
final class HttpExchange {

    private final Set<HttpExchange> open;
    private final BodyStream stream;
    private final CompletableFuture<HttpResponse<AsyncBody>> answer;

    private HttpExchange(Set<HttpExchange> open, StandardHttpClient<?, ?, ?> client, StandardHttpRequest request) {
        this.open = open;
        this.stream = new BodyStream(() -> open.remove(this));
        this.answer = client.consumeBytesDirect(request, stream);
    }

    /** Sends a request, and keeps the exchange among the open ones until its body has ended. */
    static HttpExchange start(Set<HttpExchange> open, StandardHttpClient<?, ?, ?> client, StandardHttpRequest request) {
        HttpExchange exchange = new HttpExchange(open, client, request);
        open.add(exchange);
        return exchange;
    }

    CompletableFuture<HttpResponse<AsyncBody>> answer() {
        return answer;
    }

    /** The body; to be read after {@link #answer} is there. */
    BodyStream stream() {
        return stream;
    }

    /** Ends it, wherever it is; never blocks. */
    void abort() {
        answer.cancel(true);
        answer.thenAccept(response -> response.body().cancel());
        stream.close();
        open.remove(this);
    }
}
