package io.github.reconciler4j.client.connection;

import io.github.reconciler4j.metrics.OperatorMetrics;

/**
 * Settings of an {@link ApiConnection}. Immutable.
 *
 * @param userAgent what the server's logs show as the client, best {@code operator/version} (default
 *     {@code reconciler4j-operator/unknown})
 * @param metrics where {@code rest_client_*} is reported (default nowhere)
 * @param engine what speaks HTTP (default {@link HttpEngine#SOCKETS}: with HTTP/1.1 a slow or dead stream cannot hold
 *     up other requests, because each has its own connection)
 * @since 0.1.0
 */
public record ConnectionOptions(String userAgent, OperatorMetrics metrics, HttpEngine engine) {

    private static final ConnectionOptions DEFAULTS =
            new ConnectionOptions("reconciler4j-operator/unknown", OperatorMetrics.NONE, HttpEngine.SOCKETS);

    /** Checks that the user agent is not blank. */
    public ConnectionOptions {
        if (userAgent.isBlank()) {
            throw new IllegalArgumentException("'userAgent' must not be blank");
        }
    }

    /** The default settings. */
    public static ConnectionOptions defaults() {
        return DEFAULTS;
    }

    /** The same with another user agent. */
    public ConnectionOptions withUserAgent(String newUserAgent) {
        return new ConnectionOptions(newUserAgent, metrics, engine);
    }

    /** The same with metrics reported there. */
    public ConnectionOptions withMetrics(OperatorMetrics newMetrics) {
        return new ConnectionOptions(userAgent, newMetrics, engine);
    }

    /** The same with another engine. */
    public ConnectionOptions withEngine(HttpEngine newEngine) {
        return new ConnectionOptions(userAgent, metrics, newEngine);
    }
}
