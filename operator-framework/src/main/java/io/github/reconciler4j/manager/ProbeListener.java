package io.github.reconciler4j.manager;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Threads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpServerConnection;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts the connections of a {@link ProbeServer} and answers one request on each. Everything that can reach the port can open
 * connections, and must not be able to keep the kubelet from getting its answer: the kubelet would restart the pod. So
 *
 * <ul>
 *   <li>each connection has a thread of its own, which no other connection waits for;
 *   <li>a connection is closed when its request has not arrived after {@value #REQUEST_SECONDS} seconds, or its response has
 *       not been sent after another {@value #RESPONSE_SECONDS} seconds, however many bytes have come or gone;
 *   <li>at most {@value #MAX_CONNECTIONS} connections are open. One more closes the oldest: a probe needs milliseconds, so
 *       the oldest is not a probe;
 *   <li>the thread of a closed connection is interrupted. If {@value #MAX_THREADS} threads are busy nevertheless, because the
 *       code of a check ignores its interrupt, new connections are closed at once.
 * </ul>
 *
 * <p>The lock guards the set of connections; nothing blocks and no foreign code runs while it is held.
 */
final class ProbeListener implements AutoCloseable {

    static final int MAX_CONNECTIONS = 64;
    static final int REQUEST_SECONDS = 5;
    static final int RESPONSE_SECONDS = 30;
    private static final int MAX_THREADS = 2 * MAX_CONNECTIONS;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    /** How often the accepting thread looks for connections that are overdue. */
    private static final int TICK_MILLIS = 250;

    private static final Logger LOG = LoggerFactory.getLogger(ProbeListener.class);
    private static final ContentType TEXT = ContentType.create("text/plain", UTF_8);
    private static final Http1Config HTTP =
            Http1Config.custom().setMaxLineLength(4096).setMaxHeaderCount(100).build();

    private final ServerSocket server;
    private final Responder responder;
    private final Consumer<Throwable> failure;
    private final Thread acceptor = Threads.daemon("probe-server", this::acceptAll);
    private final LogLimiter warnings = new LogLimiter();
    private final ReentrantLock lock = new ReentrantLock();

    /** The connections whose threads have not ended, the oldest first. */
    @GuardedBy("lock")
    private final Set<Connection> connections = new LinkedHashSet<>();

    @GuardedBy("lock")
    private boolean closed;

    /** Answers requests. May be called by several threads at once. */
    @FunctionalInterface
    interface Responder {
        Response respond(ClassicHttpRequest request) throws Exception;
    }

    /**
     * A response.
     *
     * @param sent called when the response has been sent or could not be
     */
    record Response(int status, ContentType type, byte[] body, Runnable sent) {

        static Response text(int status, String body) {
            return new Response(status, TEXT, body.getBytes(UTF_8), () -> {});
        }
    }

    private ProbeListener(ServerSocket server, Responder responder, Consumer<Throwable> failure) {
        this.server = server;
        this.responder = responder;
        this.failure = failure;
    }

    /**
     * Starts to accept connections.
     *
     * @param failure called once if it cannot accept connections any longer
     * @throws IOException if the address cannot be bound
     */
    static ProbeListener open(InetSocketAddress address, Responder responder, Consumer<Throwable> failure)
            throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.setReuseAddress(true);
            server.bind(address, MAX_CONNECTIONS);
            server.setSoTimeout(TICK_MILLIS);
            ProbeListener listener = new ProbeListener(server, responder, failure);
            listener.acceptor.start();
            return listener;
        } catch (IOException | RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    int port() {
        return server.getLocalPort();
    }

    private void acceptAll() {
        while (!isClosed()) {
            try {
                acceptOne();
                closeOverdue();
            } catch (Throwable e) {
                if (isClosed()) {
                    return;
                }
                if (server.isClosed()) {
                    failure.accept(e);
                    return;
                }
                warn("Could not accept a connection for a probe", e);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS)); // out of files or memory, perhaps
            }
        }
    }

    private void acceptOne() throws IOException {
        Socket socket;
        try {
            socket = server.accept();
        } catch (SocketTimeoutException e) {
            return;
        }
        try {
            admit(new Connection(socket));
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
    }

    private void admit(Connection connection) throws IOException {
        lock.lock();
        try {
            if (closed || connections.size() >= MAX_THREADS) {
                connection.socket.close();
                return;
            }
            List<Connection> open =
                    connections.stream().filter(Connection::isOpen).toList();
            if (open.size() >= MAX_CONNECTIONS) {
                open.get(0).abort();
            }
            connections.add(connection);
        } finally {
            lock.unlock();
        }
        try {
            connection.thread.start();
        } catch (Throwable e) { // no memory for another thread
            remove(connection);
            throw e;
        }
    }

    private void closeOverdue() {
        long now = System.nanoTime();
        lock.lock();
        try {
            connections.stream()
                    .filter(connection -> connection.isOpen() && now - connection.deadline > 0)
                    .forEach(Connection::abort);
        } finally {
            lock.unlock();
        }
    }

    private void remove(Connection connection) {
        lock.lock();
        try {
            connections.remove(connection);
        } finally {
            lock.unlock();
        }
    }

    private void warn(String message, Throwable e) {
        warnings.log(LogLimiter.cause(e), occurrence -> LOG.warn("{}{}", message, occurrence.suffix(), e));
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Stops accepting, closes all connections, and waits until the accepting thread has ended. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            connections.forEach(Connection::abort);
        } finally {
            lock.unlock();
        }
        try {
            server.close();
        } catch (IOException e) {
            LOG.debug("The socket of the probe server could not be closed", e);
        }
        Threads.join(acceptor, CLOSE_TIMEOUT);
    }

    /** One connection with its thread. */
    private final class Connection {
        private final Socket socket;
        private final Thread thread = Threads.daemon("probe-server-connection", this::run);
        private volatile long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(REQUEST_SECONDS);

        Connection(Socket socket) {
            this.socket = socket;
        }

        boolean isOpen() {
            return !socket.isClosed();
        }

        /** Closes the socket, which ends reads and writes that wait for the other side, and interrupts a check. */
        void abort() {
            try {
                socket.close();
            } catch (IOException e) {
                LOG.debug("A connection of the probe server could not be closed", e);
            }
            thread.interrupt();
        }

        private void run() {
            try (socket;
                    DefaultBHttpServerConnection http = new DefaultBHttpServerConnection("http", HTTP)) {
                http.bind(socket);
                serve(http);
            } catch (IOException | HttpException e) {
                LOG.debug("A connection of the probe server failed", e);
            } catch (Throwable e) {
                warn("Could not answer a probe", e);
            } finally {
                remove(this);
            }
        }

        private void serve(DefaultBHttpServerConnection http) throws IOException, HttpException {
            boolean head = false;
            Response response;
            try {
                ClassicHttpRequest request = http.receiveRequestHeader();
                if (request == null) { // closed without a request
                    return;
                }
                deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(RESPONSE_SECONDS);
                head = request.getMethod().equals("HEAD");
                response = responder.respond(request);
            } catch (HttpException e) {
                response = Response.text(400, "bad request\n");
            } catch (IOException e) {
                throw e;
            } catch (Throwable e) {
                warn("A request to the probe server failed", e);
                response = Response.text(500, "internal error\n");
            }
            try {
                send(http, response, head);
            } finally {
                response.sent().run();
            }
        }

        private void send(DefaultBHttpServerConnection http, Response response, boolean head)
                throws IOException, HttpException {
            ClassicHttpResponse message = new BasicClassicHttpResponse(response.status());
            message.setHeader(HttpHeaders.CONTENT_TYPE, response.type());
            message.setHeader(HttpHeaders.CONTENT_LENGTH, response.body().length);
            message.setHeader(HttpHeaders.CONNECTION, "close");
            message.setHeader("X-Content-Type-Options", "nosniff");
            http.sendResponseHeader(message);
            if (!head) {
                message.setEntity(new ByteArrayEntity(response.body(), response.type()));
                http.sendResponseEntity(message);
            }
            http.flush();
        }
    }
}
