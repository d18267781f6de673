package io.github.reconciler4j.test.server.internal.exchange;

/** Fills a stream. All methods are called in the thread of the connection, one at a time. */
public interface StreamSource {
    /** The stream is open: keep the sink and write to it from now on. */
    void open(StreamSink sink);

    /** The sink can take data again after it could not. */
    void writable();

    /** The stream ended, on either side. Called once. */
    void closed();
}
