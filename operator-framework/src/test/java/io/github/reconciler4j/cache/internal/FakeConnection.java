package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A connection whose answers a test writes byte by byte. It knows nothing of Kubernetes. */
public final class FakeConnection implements ApiConnection {

    private static final byte[] END = new byte[0];

    private final BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
    private final Queue<String> looks = new ConcurrentLinkedQueue<>();
    public final List<ApiRequest> requests = new CopyOnWriteArrayList<>();

    /** How many other requests are said to be answered. */
    public final AtomicLong answered = new AtomicLong();

    /** Answers the next request with this and ends the answer. */
    public FakeConnection whole(String body) {
        Body stream = open();
        stream.send(body);
        stream.end();
        return this;
    }

    /** Answers the next request with what is sent to the body from now on. */
    public Body open() {
        Body body = new Body();
        answers.add(body);
        return body;
    }

    /** Refuses the next request. */
    public FakeConnection refuse(int code, String reason, Duration retryAfter) {
        ErrorDetails details = ErrorDetails.of(code, reason);
        answers.add(new ApiException(
                "refused: " + reason, retryAfter.isZero() ? details : details.withRetryAfter(retryAfter)));
        return this;
    }

    /** Fails the next request with this. */
    public FakeConnection fail(Throwable failure) {
        answers.add(failure);
        return this;
    }

    /** Answers the next request with this stream. */
    public FakeConnection answer(Supplier<ApiStream> stream) {
        answers.add(stream);
        return this;
    }

    public FakeConnection refuse(int code, String reason) {
        return refuse(code, reason, Duration.ZERO);
    }

    @Override
    public String server() {
        return "http://server.invalid";
    }

    @Override
    public long answers() {
        return answered.get();
    }

    /** Answers the next question for one object with this list. */
    public FakeConnection look(String list) {
        looks.add(list);
        return this;
    }

    /** This server does not say what it serves. */
    @Override
    public ApiResponse send(ApiRequest request) {
        if (request.verb().equals("list")) {
            requests.add(request);
            return new ApiResponse(200, looks.remove().getBytes(StandardCharsets.UTF_8), List.of());
        }
        throw new ApiException("no discovery here", ErrorDetails.of(503, "ServiceUnavailable"));
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        if (isWatchOfOneObject(request)) {
            throw new ApiException("no watch of one object here", ErrorDetails.of(503, "ServiceUnavailable"));
        }
        requests.add(request);
        try {
            Object answer = answers.take();
            if (answer instanceof RuntimeException failure) {
                throw failure;
            }
            if (answer instanceof Error failure) {
                throw failure;
            }
            return answer instanceof Supplier<?> stream ? (ApiStream) stream.get() : (Body) answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException("interrupted");
        }
    }

    private static boolean isWatchOfOneObject(ApiRequest request) {
        return request.verb().equals("watch")
                && request.query()
                        .getOrDefault("fieldSelector", List.of())
                        .toString()
                        .contains("metadata.name=");
    }

    @Override
    public void close() {
        requests.clear();
    }

    /** A body being written. */
    public static final class Body extends ApiStream {

        private final BlockingQueue<byte[]> pieces = new LinkedBlockingQueue<>();
        private byte[] piece = END;
        private int at;
        private volatile boolean cut;
        private volatile Duration idle = Duration.ZERO;

        public Body send(String text) {
            pieces.add(text.getBytes(StandardCharsets.UTF_8));
            return this;
        }

        public Body raw(byte[] bytes) {
            pieces.add(bytes);
            return this;
        }

        public void end() {
            pieces.add(END);
        }

        public void cut() {
            cut = true;
            pieces.add(END);
        }

        @Override
        public void idleTimeout(Duration timeout) {
            idle = timeout;
        }

        /** How long the reader waits for the next piece; zero for ever. */
        public Duration idleTimeout() {
            return idle;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException("read pieces");
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            while (at == piece.length) {
                piece = next();
                at = 0;
                if (piece.length == 0) {
                    end(); // as for a socket, the end stays the end
                    return -1;
                }
            }
            int count = Math.min(length, piece.length - at);
            System.arraycopy(piece, at, to, offset, count);
            at += count;
            return count;
        }

        private byte[] next() throws IOException {
            try {
                byte[] next = idle.isZero() ? pieces.take() : pieces.poll(idle.toNanos(), TimeUnit.NANOSECONDS);
                if (next == null) {
                    throw new SocketTimeoutException("idle");
                }
                if (next.length == 0 && cut) {
                    throw new IOException("cut");
                }
                return next;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }

        @Override
        public void close() {
            cut();
        }
    }
}
