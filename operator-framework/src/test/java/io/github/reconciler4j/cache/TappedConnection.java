package io.github.reconciler4j.cache;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A connection that remembers its requests and everything that it received. Closing it leaves the original open. */
final class TappedConnection implements ApiConnection {

    final List<ApiRequest> requests = new CopyOnWriteArrayList<>();
    private final ApiConnection original;
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();

    TappedConnection(ApiConnection original) {
        this.original = original;
    }

    /** Return everything that was received, one response after the other. */
    String received() {
        return received.toString(StandardCharsets.UTF_8);
    }

    /** Return the requests for a resource that a cache sends. */
    List<ApiRequest> watchesOf(String resource) {
        return requests.stream()
                .filter(request ->
                        request.verb().equals("watch") && request.path().endsWith("/" + resource))
                .toList();
    }

    @Override
    public String server() {
        return original.server();
    }

    @Override
    public ApiResponse send(ApiRequest request) {
        requests.add(request);
        ApiResponse response = original.send(request);
        received.writeBytes(response.body());
        return response;
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        requests.add(request);
        return new Tap(original.stream(request));
    }

    @Override
    public void close() {}

    /** A stream that remembers what was read. */
    private final class Tap extends ApiStream {

        private final ApiStream original;

        Tap(ApiStream original) {
            this.original = original;
        }

        @Override
        public void idleTimeout(Duration timeout) {
            original.idleTimeout(timeout);
        }

        @Override
        public int read() throws IOException {
            int next = original.read();
            if (next >= 0) {
                received.write(next);
            }
            return next;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            int count = original.read(to, offset, length);
            if (count > 0) {
                received.write(to, offset, count);
            }
            return count;
        }

        @Override
        public void close() {
            original.close();
        }
    }
}
