package io.github.reconciler4j.test.server.internal.exchange;

import java.time.Duration;

/**
 * The sending end of a stream. {@link #execute} may be called from any thread, the rest in the connection's thread.
 *
 * @since 0.1.0
 */
public interface StreamSink {
    /** Runs the task in the connection's thread, soon; dropped when the connection is gone. */
    void execute(Runnable task);

    /** Runs the task in the connection's thread after the delay; the result cancels it. */
    Runnable schedule(Duration delay, Runnable task);

    /** Whether the other side takes data fast enough for more to be written. */
    boolean isWritable();

    /** Adds bytes; they leave with the next {@link #flush}. */
    void write(byte[] bytes);

    /** Sends what was written. */
    void flush();

    /** Ends the stream in good order. */
    void end();

    /** Closes the connection without an orderly end. */
    void cut();
}
