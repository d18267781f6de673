package io.github.reconciler4j.client.connection;

import java.io.InputStream;
import java.time.Duration;

/**
 * The body of an answer as it arrives. To be read by one thread; {@link #close} may be called by another and ends a
 * blocked read with an {@link java.io.IOException}.
 *
 * @since 0.1.0
 */
public abstract class ApiStream extends InputStream {

    /** For implementations. */
    protected ApiStream() {}

    /**
     * How long one read may wait for the next byte before it fails with {@link java.net.SocketTimeoutException}; zero,
     * the default, is without end.
     */
    public abstract void idleTimeout(Duration timeout);

    /** Ends the answer; never blocks, never throws. */
    @Override
    public abstract void close();
}
