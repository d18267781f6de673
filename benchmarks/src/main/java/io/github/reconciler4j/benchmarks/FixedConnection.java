package io.github.reconciler4j.benchmarks;

import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A connection that answers list requests with the same bytes each time, and watch requests with what is sent. */
final class FixedConnection extends StreamingConnection {

    private static final byte[] END = {};

    private final BlockingQueue<byte[]> events = new LinkedBlockingQueue<>();
    private final byte[] list;

    FixedConnection(byte[] list) {
        this.list = list;
    }

    /** Sends an event on the watch. */
    void send(String event) {
        events.add(event.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        boolean watch = request.verb().equals("watch");
        return new Answer(watch ? END : list, watch);
    }

    @Override
    public void close() {
        events.add(END);
    }

    /** Gives out what there is, and in a watch waits for more. */
    private final class Answer extends Pieces {

        private final boolean watch;

        Answer(byte[] first, boolean watch) {
            super(first);
            this.watch = watch;
        }

        @Override
        byte[] next() throws IOException {
            if (!watch) {
                return END;
            }
            try {
                return events.take();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }

        @Override
        public void close() {
            // the cache interrupts the thread that waits for an event
        }
    }
}
