package io.github.reconciler4j.test.server.internal.direct;

import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.server.internal.exchange.Query;
import io.github.reconciler4j.test.server.internal.exchange.RequestHandler;
import io.github.reconciler4j.test.server.internal.exchange.Response;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Carries requests to the server without a socket. The thread of the caller does the work of a request, unless a fault delays it.
 * Streams are written by one thread, as those of one connection, which exists only once it is needed. What ends the connection over
 * a socket is an exception of the same class here. Safe for use by multiple threads.
 */
public final class DirectTransport implements AutoCloseable {
    static final String RESET = "The connection ended before the headers of the response did";
    static final String CLOSED = "The server has stopped";

    private final RequestHandler handler;
    private final int maxBody;
    private final ScheduledThreadPoolExecutor streams = executor("kubernetes-server-streams", 1);
    private final ScheduledThreadPoolExecutor delayed = executor("kubernetes-server-delayed", 4);
    private final Set<Pending> pending = ConcurrentHashMap.newKeySet();
    private final Set<DirectStream> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Create it.
     *
     * @param maxBody the size of the largest body of a request, in bytes
     */
    public DirectTransport(RequestHandler handler, int maxBody) {
        this.handler = handler;
        this.maxBody = maxBody;
    }

    private static ScheduledThreadPoolExecutor executor(String name, int threads) {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(threads, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return executor;
    }

    /**
     * Send a request and return its response. A request whose time is up may be carried out nevertheless.
     *
     * @throws SocketTimeoutException if there is no response in time
     * @throws InterruptedIOException if the thread is interrupted; its interrupt flag is set
     * @throws IOException if the server cuts the connection or has stopped
     */
    public DirectAnswer send(DirectRequest request) throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("Interrupted before the request");
        }
        Pending exchange = new Pending();
        pending.add(exchange);
        try {
            if (closed) {
                throw new SocketException(CLOSED);
            }
            if (request.body().length > maxBody) {
                exchange.send(Response.error(StatusException.tooLarge(maxBody)));
            } else {
                handler.handle(
                        new ApiRequest(
                                request.method(),
                                request.path(),
                                new Query(request.query()),
                                request.headers(),
                                request.body()),
                        exchange);
            }
            return exchange.await(request.timeout());
        } finally {
            pending.remove(exchange);
        }
    }

    /** End all that is under way. */
    @Override
    public void close() {
        closed = true;
        pending.forEach(exchange -> exchange.fail(CLOSED));
        open.forEach(stream -> stream.body().fail(CLOSED));
        streams.shutdownNow();
        delayed.shutdownNow();
    }

    /** One request and its response, which may come from any thread. */
    private final class Pending implements RequestHandler.Reply {
        private final CompletableFuture<DirectAnswer> answer = new CompletableFuture<>();

        Pending() {}

        @Override
        public void send(Response response) {
            if (response instanceof Response.Stream stream) {
                send(stream);
            } else if (response instanceof Response.Whole whole) {
                answer.complete(new DirectAnswer(whole.status(), whole.headers(), DirectBody.of(whole.body())));
            }
        }

        private void send(Response.Stream response) {
            DirectStream stream = new DirectStream(streams, response.source(), open::remove);
            open.add(stream);
            if (closed || !answer.complete(new DirectAnswer(response.status(), response.headers(), stream.body()))) {
                open.remove(stream);
                response.source().closed(); // the caller has given up
            } else {
                stream.open();
            }
        }

        @Override
        public void sendPartOf(Response.Whole response) {
            answer.complete(
                    new DirectAnswer(response.status(), response.headers(), DirectBody.ofHalf(response.body())));
        }

        @Override
        public void cut() {
            fail(RESET);
        }

        void fail(String message) {
            answer.completeExceptionally(new SocketException(message));
        }

        @Override
        public void later(Duration delay, Runnable task) {
            try {
                delayed.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException e) {
                fail(CLOSED);
            }
        }

        DirectAnswer await(Duration timeout) throws IOException {
            try {
                return timeout.isZero() ? answer.get() : answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                answer.cancel(false);
                throw new SocketTimeoutException("No response in time");
            } catch (InterruptedException e) {
                answer.cancel(false);
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("Interrupted while waiting for the response");
            } catch (ExecutionException e) {
                Throwable cause = e.getCause();
                throw new SocketException(cause == null ? RESET : cause.getMessage());
            }
        }
    }
}
