package io.github.reconciler4j.test.server.internal.exchange;

import java.time.Duration;

/** The sending end of a stream. {@link #execute} may be called from any thread, the rest in the connection's thread. */
public interface StreamSink {
    /** Run the task in the connection's thread, soon; dropped when the connection is gone. */
    void execute(Runnable task);

    /** Run the task in the connection's thread after the delay; the result cancels it. */
    Runnable schedule(Duration delay, Runnable task);

    /** Return whether the other side takes data fast enough for more to be written. */
    boolean isWritable();

    void write(byte[] bytes);

    void flush();

    void end();

    /** Close the connection without an orderly end. */
    void cut();
}
