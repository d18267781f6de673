package io.github.reconciler4j.client.internal;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** One request under way, so that it can be ended from outside. */
final class JdkExchange {

    private final Set<JdkExchange> open;
    private final JdkBody stream;
    private final CompletableFuture<HttpResponse<AsyncBody>> answer;

    private JdkExchange(Set<JdkExchange> open, StandardHttpClient<?, ?, ?> client, StandardHttpRequest request) {
        this.open = open;
        this.stream = new JdkBody(() -> open.remove(this));
        this.answer = client.consumeBytesDirect(request, stream);
    }

    /** Sends a request, and keeps the exchange among the open ones until its body has ended. */
    static JdkExchange start(Set<JdkExchange> open, StandardHttpClient<?, ?, ?> client, StandardHttpRequest request) {
        JdkExchange exchange = new JdkExchange(open, client, request);
        open.add(exchange);
        return exchange;
    }

    CompletableFuture<HttpResponse<AsyncBody>> answer() {
        return answer;
    }

    /** The body; to be read after {@link #answer} is there. */
    JdkBody stream() {
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
