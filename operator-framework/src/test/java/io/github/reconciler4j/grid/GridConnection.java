package io.github.reconciler4j.grid;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import java.io.IOException;
import java.time.Duration;

/** A connection with short time limits, so that a server that says nothing costs little time. */
final class GridConnection implements ApiConnection {

    private final ApiConnection connection;
    private volatile Duration limit;

    GridConnection(ApiConnection connection, Duration limit) {
        this.connection = connection;
        this.limit = limit;
    }

    void limit(Duration newLimit) {
        limit = newLimit;
    }

    private Duration min(Duration timeout) {
        return timeout.isZero() || timeout.compareTo(limit) > 0 ? limit : timeout;
    }

    @Override
    public String server() {
        return connection.server();
    }

    @Override
    public ApiResponse send(ApiRequest request) {
        boolean core = request.path().equals("/api/v1"); // what generic calls discover first
        return connection.send(core ? request : request.withTimeout(min(request.timeout())));
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        ApiStream stream = connection.stream(request.withTimeout(min(request.timeout())));
        stream.idleTimeout(limit);
        return new Stream(stream);
    }

    @Override
    public void close() {
        connection.close();
    }

    private final class Stream extends ApiStream {

        private final ApiStream stream;

        Stream(ApiStream stream) {
            this.stream = stream;
        }

        @Override
        public void idleTimeout(Duration timeout) {
            stream.idleTimeout(min(timeout));
        }

        @Override
        public int read() throws IOException {
            return stream.read();
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            return stream.read(to, offset, length);
        }

        @Override
        public int available() throws IOException {
            return stream.available();
        }

        @Override
        public void close() {
            stream.close();
        }
    }
}
