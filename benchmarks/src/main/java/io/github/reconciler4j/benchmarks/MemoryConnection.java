package io.github.reconciler4j.benchmarks;

import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** A connection that answers list requests with generated objects, and watch requests with silence. */
final class MemoryConnection extends StreamingConnection {

    private static final byte[] END = {};

    private final SampleObjects.Kind kind;
    private final int count;

    MemoryConnection(SampleObjects.Kind kind, int count) {
        this.kind = kind;
        this.count = count;
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        return request.verb().equals("list") ? new Generated() : new Silence();
    }

    @Override
    public void close() {
        // nothing is open
    }

    /** The answer, made piece by piece, so that it is never in memory as a whole. */
    private final class Generated extends Pieces {

        private final SampleObjects objects = new SampleObjects(42);
        private int made;

        Generated() {
            super(kind.listStart());
        }

        @Override
        byte[] next() {
            if (made > count) {
                return END;
            }
            int index = made++;
            if (index == count) {
                return "]}".getBytes(StandardCharsets.UTF_8);
            }
            byte[] object = objects.next(kind, index);
            byte[] piece = new byte[object.length + 1];
            piece[0] = (byte) (index == 0 ? ' ' : ',');
            System.arraycopy(object, 0, piece, 1, object.length);
            return piece;
        }

        @Override
        public void close() {
            // nothing is open
        }
    }

    /** A watch in which nothing happens until it is closed. */
    private static final class Silence extends Pieces {

        private final CountDownLatch closed = new CountDownLatch(1);

        Silence() {
            super(END);
        }

        @Override
        byte[] next() throws IOException {
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new IOException("closed");
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }
}
