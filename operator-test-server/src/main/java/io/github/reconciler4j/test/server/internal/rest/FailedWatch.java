package io.github.reconciler4j.test.server.internal.rest;

import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.exchange.StreamSink;
import io.github.reconciler4j.test.server.internal.exchange.StreamSource;

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
