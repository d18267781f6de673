package io.github.reconciler4j.test.internal.rest;

import io.github.reconciler4j.test.internal.error.StatusException;
import io.github.reconciler4j.test.internal.exchange.StreamSink;
import io.github.reconciler4j.test.internal.exchange.StreamSource;
import io.github.reconciler4j.test.internal.json.Json;

/** A watch that begins with an error event, and ends with it. */
final class FailedWatch implements StreamSource {
    private final StatusException error;

    FailedWatch(StatusException error) {
        this.error = error;
    }

    @Override
    public void open(StreamSink sink) {
        sink.write(WatchStream.line("ERROR", Json.bytes(error.toStatus())));
        sink.flush();
        sink.end();
    }

    @Override
    public void writable() {}

    @Override
    public void closed() {}
}
