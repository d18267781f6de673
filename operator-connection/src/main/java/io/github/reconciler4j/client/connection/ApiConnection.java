package io.github.reconciler4j.client.connection;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.error.ServerNotReadyException;
import io.github.reconciler4j.client.internal.http.HttpApiConnection;
import io.github.reconciler4j.client.internal.http.ServerWait;
import io.github.reconciler4j.metrics.OperatorMetrics;
import java.time.Duration;

/**
 * A connection to one API server over HTTP, with the credentials, certificates and proxy of a fabric8 {@link Config}. It is the
 * level below {@code Client} and the cache; most programs never use it directly. Thread-safe.
 *
 * <!-- snippet: ConnectionUse -->
 * <pre>{@code
 * Config config = Kubeconfig.ofEnvironment().read();
 * try (ApiConnection connection = ApiConnection.open(config)) {
 *     connection.awaitServer(Duration.ofMinutes(1));
 *     ApiResponse response = connection.send(ApiRequest.of("get", "GET", "/version"));
 *     return new String(response.body(), StandardCharsets.UTF_8);
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface ApiConnection extends AutoCloseable {

    /** Open a connection with default options; see {@link #open(Config, ConnectionOptions)}. */
    static ApiConnection open(Config config) {
        return open(config, ConnectionOptions.defaults());
    }

    /**
     * Open a connection; no request is sent yet. The configuration is not changed, except that fabric8 stores refreshed tokens in
     * it. Its retries and request timeout are not used: each {@link ApiRequest} has its own time limit, and a request is only
     * sent twice after status 401, if there is a new token. Files of tokens, certificates and authorities are read again when
     * they change.
     *
     * @throws ConnectionException if no cluster is configured, or if certificates or proxy settings cannot be used
     */
    static ApiConnection open(Config config, ConnectionOptions options) {
        return HttpApiConnection.open(config, options);
    }

    /** Return the address of the API server, without credentials. */
    String server();

    /**
     * Return the namespace of the program: of its pod, or of the context in the kubeconfig. Without either, and by default, it is
     * {@code default}.
     */
    default String namespace() {
        return "default";
    }

    /**
     * Send a request and return the complete response.
     *
     * @throws ApiException if the status is not 2xx, if there is no complete response ({@link ConnectionException}), or if the
     *     thread is interrupted ({@link RequestInterruptedException})
     */
    ApiResponse send(ApiRequest request);

    /**
     * Send a request and return the body of the response as soon as its headers have arrived. The body is read as the caller
     * reads the stream, which must be closed.
     *
     * @throws ApiException in the cases of {@link #send}
     */
    ApiStream stream(ApiRequest request);

    /**
     * Return how many requests the server has answered with status 2xx. If the number grows while a caller waits after a failure
     * without a response, the server responds again. A connection that does not count returns 0.
     */
    default long answers() {
        return 0;
    }

    /** Return the metrics that this connection reports to. */
    default OperatorMetrics metrics() {
        return OperatorMetrics.NONE;
    }

    /** Wait until the server is ready, and log the progress every 10 seconds. */
    default void awaitServer(Duration timeout) throws InterruptedException {
        awaitServer(timeout, Duration.ofSeconds(10));
    }

    /**
     * Wait until the server is ready. The log says why it is not ready, how long it has been waiting, and when it gives up: at
     * once when the reason changes, and then once per interval. Waiting does not fix wrong credentials or certificates, so it
     * gives up after three such failures in a row.
     *
     * @throws ServerNotReadyException after the timeout; its cause is the last failure
     * @throws InterruptedException if the thread is interrupted
     */
    default void awaitServer(Duration timeout, Duration progressInterval) throws InterruptedException {
        ServerWait.run(this, timeout, progressInterval);
    }

    /** Close all connections; requests in progress fail. */
    @Override
    void close();
}
