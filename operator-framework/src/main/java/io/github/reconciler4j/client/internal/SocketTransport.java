package io.github.reconciler4j.client.internal;

import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardHttpRequest.ByteArrayBodyContent;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** HTTP/1.1 on blocking sockets. A connection carries one request at a time and is used again after a whole answer. */
final class SocketTransport implements Transport {

    private static final int LARGE = 16 * 1024;

    private final SocketOpener opener;
    private final Set<HttpSocket> busy = ConcurrentHashMap.newKeySet();
    private final IdleSockets idle = new IdleSockets();
    private volatile boolean closed;

    SocketTransport(SocketOpener opener) {
        this.opener = opener;
    }

    @Override
    public Answer send(StandardHttpRequest request, long deadline) throws IOException {
        HttpSocket.rethrowIfInterrupted();
        long start = System.nanoTime();
        HttpSocket reused = idle.take();
        if (reused == null) {
            return send(request, fresh(deadline), deadline);
        }
        try {
            busy.add(reused);
            return send(request, reused, deadline);
        } catch (SocketTimeoutException e) {
            // If the server is gone without a word, all connections of that time are dead.
            idle.endOlderThan(start);
            throw e;
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            // The server may have ended the connection just now. Reading again is harmless.
            if (closed || !request.method().equals("GET")) {
                throw e;
            }
            return send(request, fresh(deadline), deadline);
        }
    }

    private HttpSocket fresh(long deadline) throws IOException {
        HttpSocket socket = opener.open(deadline);
        busy.add(socket);
        return socket;
    }

    private Answer send(StandardHttpRequest request, HttpSocket socket, long deadline) throws IOException {
        boolean answered = false;
        try {
            if (closed) {
                throw new TransportException(Problem.CLOSED, "closed", null);
            }
            socket.readUntil(deadline);
            ResponseHead head = exchange(request, socket, deadline);
            AnswerBody body = new SocketBody(socket, head, this::giveBack, () -> busy.remove(socket));
            answered = true;
            return new Answer(head.code(), head.headers(), body);
        } finally {
            if (!answered) {
                socket.cut();
                busy.remove(socket);
            }
        }
    }

    private ResponseHead exchange(StandardHttpRequest request, HttpSocket socket, long deadline) throws IOException {
        byte[] body = request.body() instanceof ByteArrayBodyContent content ? content.getContent() : null;
        byte[] head = HttpSocket.ascii(head(request, body));
        if (body == null || body.length == 0) {
            socket.write(head);
            return ResponseHead.read(socket);
        }
        byte[] all = new byte[head.length + body.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(body, 0, all, head.length, body.length);
        if (all.length < LARGE) {
            socket.write(all);
            return ResponseHead.read(socket);
        }
        try {
            writeLarge(all, socket, deadline);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            return earlyAnswer(socket, e);
        }
        return ResponseHead.read(socket);
    }

    /** What a server said that did not want to read all of a large request; that cannot be sent any further then. */
    private static ResponseHead earlyAnswer(HttpSocket socket, IOException unsent) throws IOException {
        try {
            return ResponseHead.read(socket).last();
        } catch (IOException e) {
            unsent.addSuppressed(e);
            throw unsent;
        }
    }

    /** A write has no timeout of its own; a small one never waits, since it fits into the socket's buffer. */
    private static void writeLarge(byte[] all, HttpSocket socket, long deadline) throws IOException {
        if (deadline == Long.MAX_VALUE) {
            socket.write(all);
            return;
        }
        AtomicBoolean written = new AtomicBoolean();
        CompletableFuture.delayedExecutor(HttpSocket.millisUntil(deadline), TimeUnit.MILLISECONDS, Runnable::run)
                .execute(() -> {
                    if (written.compareAndSet(false, true)) {
                        socket.cut();
                    }
                });
        try {
            socket.write(all);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            if (written.get()) {
                throw new SocketTimeoutException("The request could not be sent in time");
            }
            throw e;
        } finally {
            written.set(true);
        }
    }

    private String head(StandardHttpRequest request, byte @Nullable [] body) throws IOException {
        StringBuilder head = new StringBuilder(512);
        head.append(request.method()).append(' ');
        if (opener.namesServerInRequests()) {
            head.append(request.uri().getScheme())
                    .append("://")
                    .append(request.uri().getRawAuthority());
        }
        head.append(request.uri().getRawPath());
        if (request.uri().getRawQuery() != null) {
            head.append('?').append(request.uri().getRawQuery());
        }
        head.append(" HTTP/1.1\r\n");
        header(head, "Host", opener.authority());
        for (Map.Entry<String, List<String>> header : request.headers().entrySet()) {
            for (String value : header.getValue()) {
                header(head, header.getKey(), value);
            }
        }
        if (opener.namesServerInRequests() && opener.proxyAuthorization() != null) {
            header(head, "Proxy-Authorization", opener.proxyAuthorization());
        }
        if (request.getContentType() != null) {
            header(head, "Content-Type", request.getContentType());
        }
        if (body != null || !request.method().equals("GET")) {
            header(head, "Content-Length", Integer.toString(body == null ? 0 : body.length));
        }
        return head.append("\r\n").toString();
    }

    private static void header(StringBuilder head, String name, String value) throws IOException {
        if (value.indexOf('\r') >= 0 || value.indexOf('\n') >= 0) {
            throw new IOException("The header " + name + " has a line break in its value");
        }
        head.append(name).append(": ").append(value).append("\r\n");
    }

    private void giveBack(HttpSocket socket) {
        busy.remove(socket);
        idle.give(socket);
    }

    @Override
    public void close() {
        closed = true;
        opener.close();
        busy.forEach(HttpSocket::cut);
        idle.close();
    }
}
