package io.github.reconciler4j.benchmarks;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import java.io.IOException;
import java.time.Duration;

/** A connection to nowhere that answers streams only. */
abstract class StreamingConnection implements ApiConnection {

    @Override
    public String server() {
        return "http://server.invalid";
    }

    /** This server does not say what it serves. */
    @Override
    public ApiResponse send(ApiRequest request) {
        throw new ApiException("only streams are answered", ErrorDetails.of(503, "ServiceUnavailable"));
    }

    /** An answer in pieces. */
    abstract static class Pieces extends ApiStream {

        private byte[] piece;
        private int at;

        /** A response that starts with {@code first}. */
        Pieces(byte[] first) {
            piece = first;
        }

        /**
         * The next piece, waiting for it if need be; an empty one if there is no more.
         *
         * @throws IOException if the wait is interrupted or the answer is closed
         */
        abstract byte[] next() throws IOException;

        @Override
        public void idleTimeout(Duration timeout) {
            // it is never idle, or always
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException("read pieces");
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            if (at == piece.length) {
                piece = next();
                at = 0;
                if (piece.length == 0) {
                    return -1;
                }
            }
            int size = Math.min(length, piece.length - at);
            System.arraycopy(piece, at, to, offset, size);
            at += size;
            return size;
        }
    }
}
