package io.github.reconciler4j.test.client.internal;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.internal.error.ApiErrors;
import io.github.reconciler4j.client.internal.http.ConnectionErrors;
import io.github.reconciler4j.client.internal.http.HttpApiConnection;
import io.github.reconciler4j.client.internal.http.RequestTarget;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.test.server.internal.direct.DirectAnswer;
import io.github.reconciler4j.test.server.internal.direct.DirectBody;
import io.github.reconciler4j.test.server.internal.direct.DirectRequest;
import io.github.reconciler4j.test.server.internal.direct.DirectTransport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A connection without a socket. Its errors are those of a connection over HTTP. Thread-safe. */
public final class DirectConnection implements ApiConnection {

    private static final String SERVER = "https://fake-client";

    private final DirectTransport transport;
    private final String token;
    private final AtomicLong answers = new AtomicLong();

    /** Whether a connection over HTTP would be open and idle now: a read that fails on such a connection is sent again. */
    private final AtomicBoolean idle = new AtomicBoolean();

    private volatile boolean closed;

    /**
     * Create a connection.
     *
     * @param token the token of the user of the requests
     */
    public DirectConnection(DirectTransport transport, String token) {
        this.transport = transport;
        this.token = token;
    }

    @Override
    public String server() {
        return SERVER;
    }

    @Override
    public long answers() {
        return answers.get();
    }

    @Override
    public ApiResponse send(ApiRequest request) {
        DirectAnswer answer = exchange(request);
        try {
            byte[] body = read(answer);
            return new ApiResponse(answer.status(), body, HttpApiConnection.Warnings.of(values(answer, "Warning")));
        } catch (IOException e) {
            throw failure(request, e);
        }
    }

    private byte[] read(DirectAnswer answer) throws IOException {
        try (DirectBody body = answer.body()) {
            byte[] bytes = body.readAllBytes();
            idle.set(true);
            return bytes;
        }
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        return new BodyStream(exchange(request).body());
    }

    private DirectAnswer exchange(ApiRequest request) {
        if (closed) {
            throw ConnectionErrors.closed(what(request), SERVER);
        }
        try {
            DirectAnswer answer = sendRepeatedly(request);
            if (answer.status() > 299) {
                throw refused(request, answer);
            }
            answers.incrementAndGet();
            return answer;
        } catch (IOException e) {
            throw failure(request, e);
        }
    }

    private DirectAnswer sendRepeatedly(ApiRequest request) throws IOException {
        boolean reused = idle.getAndSet(false);
        DirectRequest direct = direct(request);
        try {
            return transport.send(direct);
        } catch (SocketException e) {
            if (!reused || closed || !request.method().equals("GET")) {
                throw e;
            }
        }
        return transport.send(direct);
    }

    private DirectRequest direct(ApiRequest request) {
        byte[] body = request.body();
        return new DirectRequest(
                request.method(),
                request.path(),
                request.query(),
                headers(request),
                body == null ? new byte[0] : body,
                request.timeout());
    }

    private Map<String, String> headers(ApiRequest request) {
        Map<String, String> headers = new HashMap<>();
        request.headers().forEach((name, value) -> headers.put(name.toLowerCase(Locale.ROOT), value));
        headers.put("accept", request.accept());
        if (request.contentType() != null) {
            headers.put("content-type", request.contentType());
        }
        String account = request.serviceAccount();
        if (!account.isEmpty()) {
            headers.put("impersonate-user", "system:serviceaccount:" + account.replace('/', ':'));
        }
        headers.put("authorization", "Bearer " + token);
        headers.put("user-agent", ConnectionOptions.defaults().userAgent());
        return headers;
    }

    private ApiException refused(ApiRequest request, DirectAnswer answer) throws IOException {
        List<String> retryAfter = values(answer, "Retry-After");
        return ApiErrors.of(
                what(request),
                answer.status(),
                retryAfter.isEmpty() ? null : retryAfter.get(0),
                read(answer),
                KubernetesJson.mapper());
    }

    private static List<String> values(DirectAnswer answer, String name) {
        return answer.headers().stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .toList();
    }

    private ApiException failure(ApiRequest request, IOException e) {
        if (closed) {
            return ConnectionErrors.closed(what(request), SERVER);
        }
        if (e instanceof SocketTimeoutException) {
            return ConnectionErrors.timeout(what(request), SERVER, request.timeout());
        }
        if (e instanceof InterruptedIOException) {
            return new RequestInterruptedException(what(request) + ": interrupted while waiting for the response");
        }
        return ConnectionErrors.of(what(request), SERVER, e);
    }

    private static String what(ApiRequest request) {
        return RequestTarget.of(request.path()).describe(request.verb());
    }

    @Override
    public void close() {
        closed = true;
        transport.close();
    }

    /** The body of a response as the cache reads it. */
    private static final class BodyStream extends ApiStream {

        private final DirectBody body;

        BodyStream(DirectBody body) {
            this.body = body;
        }

        @Override
        public void idleTimeout(Duration timeout) {
            body.idleTimeout(timeout);
        }

        @Override
        public int read() throws IOException {
            return body.read();
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            return body.read(to, offset, length);
        }

        @Override
        public int available() {
            return body.available();
        }

        @Override
        public void close() {
            body.close();
        }
    }
}
