package io.github.reconciler4j.webhook.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Threads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.HttpException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts the HTTPS connections of a webhook server. Any pod can reach the port, and must not be able to keep the API server
 * from getting its answers. So
 *
 * <ul>
 *   <li>each connection has a thread of its own, which also does its TLS handshake;
 *   <li>each phase of a connection has a time limit, however many bytes arrive: {@link Phase};
 *   <li>the number of connections is limited. One more closes the connection that has been without a request for longest; a
 *       connection with a request in progress is never closed for another one.
 * </ul>
 *
 * <p>A handshake uses the certificate of that moment; open connections continue when it changes.
 *
 * <p>The lock guards the set of connections; nothing blocks and no foreign code runs while it is held.
 */
public final class WebhookListener implements AutoCloseable {

    private static final int BACKLOG = 128;
    private static final int TICK_MILLIS = 250;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(WebhookListener.class);

    /** What a connection is doing, and how long it may take. */
    enum Phase {
        /** TLS handshake and the header of the first request. */
        CONNECTING(Duration.ofSeconds(10)),
        /** Without a request, longer than the 90 seconds of Go's HTTP client, so that the client closes it. */
        IDLE(Duration.ofSeconds(120)),
        /** Receiving the rest of a request. */
        RECEIVING(Duration.ofSeconds(15)),
        /** Waiting for the operator's code, which has a time limit of its own. */
        ANSWERING(Duration.ofSeconds(60)),
        /** Sending the response. */
        SENDING(Duration.ofSeconds(15));

        private final long nanos;

        Phase(Duration limit) {
            this.nanos = limit.toNanos();
        }

        /** Whether the connection has no request, so that closing it disturbs at most the next one. */
        boolean isWithoutRequest() {
            return this == CONNECTING || this == IDLE;
        }
    }

    /**
     * The settings.
     *
     * @param address where to listen
     * @param maxConnections the number of connections at the same time
     * @param virtual whether to use virtual threads if the JVM has them
     */
    public record Settings(InetSocketAddress address, int maxConnections, boolean virtual) {}

    private final ServerSocket server;
    private final Settings settings;
    private final Supplier<SSLContext> tls;
    private final HttpExchange exchange;
    private final Consumer<Throwable> failure;
    private final Thread acceptor = Threads.daemon("webhook-server", this::acceptAll);
    private final LogLimiter warnings = new LogLimiter();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean draining;

    /** The connections whose threads have not ended, the oldest first. */
    @GuardedBy("lock")
    private final Set<Connection> connections = new LinkedHashSet<>();

    @GuardedBy("lock")
    private boolean closed;

    private WebhookListener(
            ServerSocket server,
            Settings settings,
            Supplier<SSLContext> tls,
            Dispatcher dispatcher,
            Consumer<Throwable> failure) {
        this.server = server;
        this.settings = settings;
        this.tls = tls;
        this.exchange = new HttpExchange(dispatcher);
        this.failure = failure;
    }

    /**
     * Start to accept connections.
     *
     * @param tls returns the context for the next handshake
     * @param failure called once if the listener cannot accept connections any longer
     * @throws IOException if the address cannot be bound
     */
    public static WebhookListener open(
            Settings settings, Supplier<SSLContext> tls, Dispatcher dispatcher, Consumer<Throwable> failure)
            throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.setReuseAddress(true);
            server.bind(settings.address(), BACKLOG);
            server.setSoTimeout(TICK_MILLIS);
            WebhookListener listener = new WebhookListener(server, settings, tls, dispatcher, failure);
            listener.acceptor.start();
            return listener;
        } catch (IOException | RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    /** Return the port. */
    public int port() {
        return server.getLocalPort();
    }

    /** Return the number of connections. */
    public int connections() {
        lock.lock();
        try {
            return connections.size();
        } finally {
            lock.unlock();
        }
    }

    /** Answer requests as before, but close each connection after its response. */
    public void drain() {
        draining = true;
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
                warn("Could not accept a connection for a webhook", e);
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
            socket.setTcpNoDelay(true);
            admit(new Connection(socket));
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
    }

    private void admit(Connection connection) throws IOException {
        lock.lock();
        try {
            if (closed || connections.size() >= settings.maxConnections() && !closeOneWithoutRequest()) {
                connection.socket.close();
                return;
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

    /** Close the connection that has been without a request for longest, and return false if all have one. */
    @GuardedBy("lock")
    private boolean closeOneWithoutRequest() {
        Optional<Connection> idle = connections.stream()
                .filter(connection -> connection.phase.isWithoutRequest())
                .min(Comparator.comparingLong(connection -> connection.since - System.nanoTime()));
        idle.ifPresent(connection -> {
            connection.abort();
            connections.remove(connection);
        });
        return idle.isPresent();
    }

    private void closeOverdue() {
        lock.lock();
        try {
            connections.stream().filter(Connection::isOverdue).forEach(Connection::abort);
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

    /** Return whether a request is in progress. */
    public boolean isBusy() {
        lock.lock();
        try {
            return connections.stream().anyMatch(connection -> !connection.phase.isWithoutRequest());
        } finally {
            lock.unlock();
        }
    }

    /** Stop accepting connections, and continue with those that are open. */
    public void stopAccepting() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        try {
            server.close();
        } catch (IOException e) {
            LOG.debug("Could not close the socket of the webhook server", e);
        }
        Threads.join(acceptor, CLOSE_TIMEOUT);
    }

    /** Stop accepting connections and close those that are open. */
    @Override
    public void close() {
        stopAccepting();
        lock.lock();
        try {
            connections.forEach(Connection::abort);
        } finally {
            lock.unlock();
        }
    }

    /** One connection with its thread. */
    private final class Connection implements HttpExchange.Progress {
        private final Socket socket;
        private final Thread thread = Threads.create("webhook-connection", this::run, settings.virtual());
        private volatile Phase phase = Phase.CONNECTING;
        private volatile long since = System.nanoTime();

        Connection(Socket socket) {
            this.socket = socket;
        }

        @Override
        public void enter(Phase next) {
            since = System.nanoTime();
            phase = next;
        }

        @Override
        public boolean isLast() {
            return draining;
        }

        boolean isOverdue() {
            return System.nanoTime() - since > phase.nanos;
        }

        /** Close the socket below TLS, which never blocks, and interrupt a call. */
        void abort() {
            try {
                socket.close();
            } catch (IOException e) {
                LOG.debug("Could not close a connection of the webhook server", e);
            }
            thread.interrupt();
        }

        private void run() {
            try (socket;
                    SSLSocket secure = (SSLSocket) tls.get().getSocketFactory().createSocket(socket, null, true)) {
                secure.startHandshake();
                exchange.serve(secure, this);
            } catch (IOException | HttpException e) {
                LOG.debug("A connection of the webhook server failed", e);
            } catch (InterruptedException e) {
                LOG.debug("A connection of the webhook server was closed", e);
            } catch (Throwable e) {
                warn("A connection of the webhook server failed", e);
            } finally {
                remove(this);
            }
        }
    }
}
