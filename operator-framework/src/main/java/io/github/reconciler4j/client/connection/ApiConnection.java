package io.github.reconciler4j.client.connection;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.error.ServerNotReadyException;
import io.github.reconciler4j.client.internal.http.HttpApiConnection;
import io.github.reconciler4j.client.internal.http.ServerWait;
import io.github.reconciler4j.metrics.OperatorMetrics;
import java.time.Duration;

/**
 * The way to one API server: fabric8's HTTP client with its credentials, TLS and proxy settings, and the typed errors
 * of this package. The low level under {@link Client} and the cache; most code never needs it. Safe for use by many
 * threads.
 *
 * @since 0.1.0
 */
public interface ApiConnection extends AutoCloseable {

    /** Opens a connection with default settings; see {@link #open(Config, ConnectionOptions)}. */
    static ApiConnection open(Config config) {
        return open(config, ConnectionOptions.defaults());
    }

    /**
     * Opens a connection. Nothing is sent yet. The configuration is not changed, except that fabric8 keeps refreshed
     * tokens in it; its retries and request timeout are not used: each {@link ApiRequest} has its own time limit, and
     * nothing is sent twice except after a 401 for which a new token could be had.
     *
     * @throws ConnectionException if certificates or proxy settings cannot be used
     */
    static ApiConnection open(Config config, ConnectionOptions options) {
        return HttpApiConnection.open(config, options);
    }

    /** Return the address of the API server, without credentials. */
    String server();

    /**
     * Sends a request and reads the whole answer.
     *
     * @throws ApiException for an answer other than 2xx, if no answer came ({@link ConnectionException}), or if the
     *     thread is interrupted ({@link RequestInterruptedException})
     */
    ApiResponse send(ApiRequest request);

    /**
     * Sends a request and returns once the answer's headers are there; the body is read as it arrives, and not faster
     * than the caller reads it. Must be closed.
     *
     * @throws ApiException as {@link #send} does
     */
    ApiStream stream(ApiRequest request);

    /** Where this connection reports measurements. */
    default OperatorMetrics metrics() {
        return OperatorMetrics.NONE;
    }

    /** Waits until the server says it is ready, with progress in the log every 10 seconds. */
    default void awaitServer(Duration timeout) throws InterruptedException {
        awaitServer(timeout, Duration.ofSeconds(10));
    }

    /**
     * Waits until the server says it is ready. While it waits it logs, at once, whenever the obstacle changes and then
     * once per interval, what is in the way, since when, and when it will give up. Does not wait for what time cannot mend: after three answers in a row
     * that the credentials or certificates are wrong it gives up.
     *
     * @throws ServerNotReadyException after the timeout; its cause is the last obstacle
     * @throws InterruptedException if the thread is interrupted
     */
    default void awaitServer(Duration timeout, Duration progressInterval) throws InterruptedException {
        ServerWait.run(this, timeout, progressInterval);
    }

    /** Ends all connections; requests under way fail. */
    @Override
    void close();
}
