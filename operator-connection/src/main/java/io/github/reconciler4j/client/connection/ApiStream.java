package io.github.reconciler4j.client.connection;

import java.io.InputStream;
import java.time.Duration;

/**
 * The body of a response, read as it arrives. One thread may read it; {@link #close} may be called from any thread and ends a
 * blocked read with an {@link java.io.IOException}.
 *
 * <!-- snippet: ConnectionUse -->
 * <pre>{@code
 * try (ApiStream stream = connection.stream(request);
 *         var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
 *     stream.idleTimeout(Duration.ofMinutes(5));
 *     for (String line = lines.readLine(); line != null; line = lines.readLine()) {
 *         log.accept(line);
 *     }
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public abstract class ApiStream extends InputStream {

    /** Create a stream. */
    protected ApiStream() {}

    /**
     * Set how long one read may wait for the next byte before it throws {@link java.net.SocketTimeoutException}; zero, the
     * default, means no limit.
     */
    public abstract void idleTimeout(Duration timeout);

    /** End the response. Never blocks and never throws. */
    @Override
    public abstract void close();
}
