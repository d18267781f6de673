package io.github.reconciler4j.client.connection;

/**
 * What speaks HTTP under an {@link ApiConnection}. Configuration, credentials and TLS material are fabric8's in all.
 *
 * @since 0.1.0
 */
public enum HttpEngine {
    /**
     * The JDK's HTTP client with HTTP/1.1: one connection per request under way. Knows neither proxies that want
     * credentials nor fabric8's {@code tlsServerName}.
     */
    JDK,
    /** The same with HTTP/2 where the server offers it: one connection for all requests. */
    JDK_HTTP_2,
    /**
     * HTTP/1.1 on blocking sockets of our own: one connection per request under way, and no threads of its own: a reader
     * reads in its own thread, virtual or not. The default, as it takes the least processor time.
     */
    SOCKETS
}
