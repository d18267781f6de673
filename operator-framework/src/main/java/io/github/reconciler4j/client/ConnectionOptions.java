package io.github.reconciler4j.client;

import io.github.reconciler4j.metrics.OperatorMetrics;

/**
 * Settings of an {@link ApiConnection}. Immutable.
 *
 * @param userAgent what the server's logs show as the client, best {@code operator/version} (default
 *     {@code reconciler4j-operator/unknown})
 * @param metrics where {@code rest_client_*} is reported (default nowhere)
 * @param http2 whether to speak HTTP/2 where the server offers it (default false: with HTTP/1.1 a slow or dead stream
 *     cannot hold up other requests, because each has its own connection)
 */
public record ConnectionOptions(String userAgent, OperatorMetrics metrics, boolean http2) {

    private static final ConnectionOptions DEFAULTS =
            new ConnectionOptions("reconciler4j-operator/unknown", OperatorMetrics.NONE, false);

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
        return new ConnectionOptions(newUserAgent, metrics, http2);
    }

    /** The same with metrics reported there. */
    public ConnectionOptions withMetrics(OperatorMetrics newMetrics) {
        return new ConnectionOptions(userAgent, newMetrics, http2);
    }

    /** The same with or without HTTP/2. */
    public ConnectionOptions withHttp2(boolean newHttp2) {
        return new ConnectionOptions(userAgent, metrics, newHttp2);
    }
}
