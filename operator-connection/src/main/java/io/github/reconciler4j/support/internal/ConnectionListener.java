package io.github.reconciler4j.support.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts the connections of a server inside the operator, such as that of probes or of webhooks. Everything that can reach
 * the port can open connections, and must not be able to keep others from getting their answers. So
 *
 * <ul>
 *   <li>each connection has a thread of its own, which no other connection waits for;
 *   <li>each phase of a connection has a time limit, however many bytes come or go: {@link Phase};
 *   <li>the number of open connections is limited. One more closes the replaceable connection that has been in its phase for
 *       longest. If no connection is replaceable, the new one is closed at once;
 *   <li>the thread of a closed connection is interrupted. The number of threads is limited too, because code of the operator
 *       may ignore its interrupt. Beyond that limit new connections are closed at once.
 * </ul>
 *
 * <p>The lock guards the set of connections; nothing blocks and no foreign code runs while it is held.
 *
 * <p>Thread-safe.
 */
public final class ConnectionListener implements AutoCloseable {

    private static final int BACKLOG = 128;
    private static final Duration FRESH = Duration.ofSeconds(5);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    /** How often the accepting thread looks for connections that are overdue. */
    private static final int TICK_MILLIS = 250;

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionListener.class);

    private final ServerSocket server;
    private final Settings settings;
    private final Handler handler;
    private final Consumer<Throwable> failure;
    private final Thread acceptor;
    private final LogLimiter warnings = new LogLimiter();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean draining;

    /** How often no client has connected for a tick. */
    private final AtomicLong quietTicks = new AtomicLong();

    /** The connections whose threads have not ended. */
    @GuardedBy("lock")
    private final Set<Connection> connections = new LinkedHashSet<>();

    @GuardedBy("lock")
    private boolean closed;

    /**
     * The settings.
     *
     * @param name names the threads and appears in log messages, for example {@code probe-server}
     * @param address where to listen
     * @param maxConnections the limit on open connections
     * @param maxThreads the limit on threads, including those of closed connections
     * @param virtual whether to use virtual threads if the JVM has them
     * @param first the phase of a new connection
     */
    public record Settings(
            String name, InetSocketAddress address, int maxConnections, int maxThreads, boolean virtual, Phase first) {}

    /**
     * What a connection is doing.
     *
     * @param limit how long it may take
     * @param replaceable whether the connection can be closed in favor of a new one
     * @param busy whether a request is in progress, which the end of the server waits for
     */
    public record Phase(Duration limit, boolean replaceable, boolean busy) {}

    /** Serves connections. Called by several threads at once. */
    @FunctionalInterface
    public interface Handler {

        /** Serve a connection until it ends. The socket is closed afterwards. An {@link IOException} is logged quietly. */
        void serve(Socket socket, Progress progress) throws Exception;
    }

    /** A connection, as far as its handler needs to know it. */
    public interface Progress {

        /** Report what happens next. */
        void enter(Phase phase);

        /** Return whether the connection must be closed after the current response. */
        boolean isLast();
    }

    private ConnectionListener(ServerSocket server, Settings settings, Handler handler, Consumer<Throwable> failure) {
        this.server = server;
        this.settings = settings;
        this.handler = handler;
        this.failure = failure;
        this.acceptor = Threads.daemon(settings.name(), this::acceptAll, failure);
    }

    /**
     * Start to accept connections.
     *
     * @param failure called once if the listener cannot accept connections any longer
     * @throws IOException if the address cannot be bound
     */
    public static ConnectionListener open(Settings settings, Handler handler, Consumer<Throwable> failure)
            throws IOException {
        ServerSocket server = Platform.current().openServerSocket();
        try {
            server.setReuseAddress(true);
            server.bind(settings.address(), BACKLOG);
            server.setSoTimeout(TICK_MILLIS);
            ConnectionListener listener = new ConnectionListener(server, settings, handler, failure);
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

    /** Return the number of open connections. */
    public int connections() {
        lock.lock();
        try {
            return open().size();
        } finally {
            lock.unlock();
        }
    }

    /** Return whether a request is in progress. */
    public boolean isBusy() {
        return any(connection -> connection.phase.busy());
    }

    /**
     * Return whether a request is in progress or may come: on a connection that was accepted at most 5 seconds ago, or that has
     * bytes to read.
     */
    public boolean isExpecting() {
        return any(connection -> connection.phase.busy() || connection.isExpecting());
    }

    private boolean any(Predicate<Connection> condition) {
        lock.lock();
        try {
            return connections.stream().anyMatch(condition);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Wait until no client has connected for a moment, so that a client that the system has connected already is not refused.
     *
     * @param limit how long to wait
     */
    public void awaitQuiet(Duration limit) throws InterruptedException {
        long start = quietTicks.get();
        long end = TimeSource.system().nanoTime() + Nanos.of(limit);
        while (quietTicks.get() - start < 2 && end - TimeSource.system().nanoTime() > 0 && !server.isClosed()) {
            TimeSource.system().sleep(TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS) / 10);
        }
    }

    /** Continue as before, but ask the handler to close each connection after its response. */
    public void drain() {
        draining = true;
    }

    private void acceptAll() {
        while (true) {
            try {
                if (isClosed()) {
                    return;
                }
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
                warn("Could not accept a connection", e);
                TimeSource.system()
                        .park(this, TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS)); // out of files or memory, perhaps
            }
        }
    }

    private void acceptOne() throws IOException {
        Socket socket;
        try {
            socket = server.accept();
        } catch (SocketTimeoutException e) {
            quietTicks.incrementAndGet();
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
            if (closed || connections.size() >= settings.maxThreads() || !makeRoom()) {
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

    /** Close a connection if there are too many, and return false if none of them is replaceable. */
    @GuardedBy("lock")
    private boolean makeRoom() {
        List<Connection> open = open();
        if (open.size() < settings.maxConnections()) {
            return true;
        }
        long now = TimeSource.system().nanoTime();
        Optional<Connection> longest = open.stream()
                .filter(connection -> connection.phase.replaceable())
                .min(Comparator.comparingLong(connection -> connection.since - now));
        longest.ifPresent(Connection::abort);
        return longest.isPresent();
    }

    @GuardedBy("lock")
    private List<Connection> open() {
        return connections.stream().filter(Connection::isOpen).toList();
    }

    private void closeOverdue() {
        lock.lock();
        try {
            open().stream().filter(Connection::isOverdue).forEach(Connection::abort);
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
        warnings.log(
                LogLimiter.cause(e),
                occurrence ->
                        LOG.warn("{}: {}{}", settings.name(), message, occurrence.suffix(e), occurrence.trace(e)));
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Stop accepting connections, wait until the accepting thread has ended, and continue with those that are open. */
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
            LOG.debug("{}: Could not close the server socket", settings.name(), Causes.loggable(e));
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
    private final class Connection implements Progress {
        private final Socket socket;
        private final Thread thread = Threads.create(settings.name() + "-connection", this::run, settings.virtual());
        private volatile Phase phase = settings.first();
        private volatile long since = TimeSource.system().nanoTime();

        Connection(Socket socket) {
            this.socket = socket;
        }

        @Override
        public void enter(Phase next) {
            since = TimeSource.system().nanoTime();
            phase = next;
        }

        @Override
        public boolean isLast() {
            return draining;
        }

        boolean isOpen() {
            return !socket.isClosed();
        }

        boolean isExpecting() {
            try {
                return isOpen()
                        && (phase == settings.first() && TimeSource.system().nanoTime() - since < FRESH.toNanos()
                                || socket.getInputStream().available() > 0);
            } catch (IOException e) { // closed meanwhile
                return false;
            }
        }

        boolean isOverdue() {
            return TimeSource.system().nanoTime() - since > Nanos.of(phase.limit());
        }

        /** Close the socket below TLS, which ends all reads and writes and never blocks, and interrupt the handler. */
        void abort() {
            try {
                socket.close();
            } catch (IOException e) {
                LOG.debug("{}: Could not close a connection", settings.name(), Causes.loggable(e));
            }
            thread.interrupt();
        }

        private void run() {
            try (socket) {
                handler.serve(socket, this);
            } catch (IOException | InterruptedException e) {
                LOG.debug("{}: A connection failed or was closed", settings.name(), Causes.loggable(e));
            } catch (Throwable e) {
                warn("A connection failed", e);
            } finally {
                remove(this);
            }
        }
    }
}
