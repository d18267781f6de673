package io.github.reconciler4j.client.internal.http;

import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.client.internal.http.Exchange.Deadlines;
import io.github.reconciler4j.client.internal.http.ServerConnection.RequestTransfer;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.RouteInfo.LayerType;
import org.apache.hc.client5.http.RouteInfo.TunnelType;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.ConnectionShutdownException;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.impl.DefaultConnectionReuseStrategy;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.pool.PoolReusePolicy;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Sends HTTP/1.1 requests to one server, on the calling thread. Thread-safe.
 *
 * <h2>How a request runs</h2>
 *
 * <ol>
 *   <li>An {@link Exchange} is created and added to {@link Deadlines}. From then on its time limit, {@link #close} and an
 *       interrupt of the thread end it at any point: each of them closes the channel of the socket.
 *   <li>The pool leases an idle connection, or an entry without one. An idle connection that the server has closed, or on
 *       which unexpected bytes have arrived, counts as stale and is dropped ({@link ServerConnection#isStale}); so is one with
 *       outdated certificates ({@link TlsMaterial#generation}).
 *   <li>Otherwise the {@link Connector} opens one, through the tunnel of a proxy if necessary.
 *   <li>Request and head of the response pass. Interim responses are skipped, but not without limit.
 *   <li>The caller reads the body ({@link ResponseBody}). At its end the connection returns to the pool if the response allows
 *       that. A body that is not read to its end closes the connection.
 * </ol>
 *
 * <h2>Why not the client of the library</h2>
 *
 * {@code CloseableHttpClient} adds redirects, cookies, retries, authentication and decompression to this, all of which have to
 * be switched off here, and limits the wait for single bytes but not the request as a whole. What remains of it is the pool,
 * the connections and the parsers, which are used directly.
 *
 * <h2>Repeated requests</h2>
 *
 * A server may close an idle connection at the moment a request is sent on it. A GET that gets no response on a reused
 * connection is therefore sent again on a new one. Nothing else is sent twice here: a write may have been carried out. The
 * check for stale connections before each request makes that case rare.
 *
 * <h2>Half-open connections</h2>
 *
 * If a machine or a NAT on the way disappears, nothing arrives anymore, not even the end of the connection. A request that runs
 * into its time limit therefore drops all idle connections, since they are probably dead too. Streams end by their idle
 * timeout.
 */
public final class HttpTransport implements AutoCloseable {

    private static final int MAX_IDLE_CONNECTIONS = 64;
    private static final TimeValue KEEP_IDLE = TimeValue.ofSeconds(60);

    private final ServerAddress server;
    private final @Nullable ProxyHop proxy;
    private final @Nullable TlsMaterial tls;
    private final Timeout connectTimeout;
    private final HttpRoute route;
    private final PoolingHttpClientConnectionManager pool;
    private final Deadlines deadlines = new Deadlines();
    private final AtomicBoolean sweepScheduled = new AtomicBoolean();
    private volatile int usedGeneration;
    private volatile boolean closed;

    HttpTransport(
            ServerAddress server,
            @Nullable ProxyHop proxy,
            @Nullable TlsMaterial tls,
            Connector connector,
            Duration connectTimeout) {
        this.server = server;
        this.proxy = proxy;
        this.tls = tls;
        this.connectTimeout = Timeout.of(connectTimeout);
        this.route = route(server, proxy);
        this.pool = new PoolingHttpClientConnectionManager(
                connector,
                PoolConcurrencyPolicy.LAX,
                PoolReusePolicy.LIFO,
                TimeValue.NEG_ONE_MILLISECOND,
                config -> new ServerConnection());
        pool.setDefaultMaxPerRoute(Integer.MAX_VALUE);
        // Idle connections expire by what release() says. The option for it exists since HttpClient 5.6, and Spring
        // Boot 4.0 has 5.5.
        pool.setDefaultConnectionConfig(ConnectionConfig.custom()
                .setValidateAfterInactivity(TimeValue.ZERO_MILLISECONDS)
                .build());
    }

    private static HttpRoute route(ServerAddress server, @Nullable ProxyHop proxy) {
        HttpHost target = new HttpHost(server.secure() ? "https" : "http", server.host(), server.port());
        if (proxy == null || !proxy.isHttp()) { // the connector talks to other proxies
            return new HttpRoute(target, null, server.secure());
        }
        return new HttpRoute(
                target,
                null,
                proxy.address(),
                server.secure(),
                server.secure() ? TunnelType.TUNNELLED : TunnelType.PLAIN,
                server.secure() ? LayerType.LAYERED : LayerType.PLAIN);
    }

    /**
     * Send a request and wait for the head of the response.
     *
     * @param target the encoded path and query
     * @param deadline when to end the request, in {@link System#nanoTime}; {@link Long#MAX_VALUE} for no limit. The deadline
     *     holds for the body too, unless the caller removes it with {@link ResponseBody#removeDeadline}.
     * @throws SocketTimeoutException if the deadline has passed
     * @throws InterruptedIOException if the thread is interrupted; its interrupt flag is set
     * @throws TransportException if the problem is known
     */
    Response send(String method, String target, List<Header> headers, byte @Nullable [] body, long deadline)
            throws IOException {
        Exchange exchange = new Exchange(deadline);
        deadlines.add(exchange);
        boolean hasResponse = false;
        try {
            exchange.check();
            if (tls != null) {
                tls.refresh();
                if (usedGeneration != tls.generation()) {
                    usedGeneration = tls.generation();
                    pool.closeIdle(TimeValue.ZERO_MILLISECONDS);
                }
            }
            Response response =
                    sendRepeatedly(request(method, target, headers, body), body == null ? 0 : body.length, exchange);
            hasResponse = true;
            return response;
        } catch (IOException e) {
            throw reason(exchange, e);
        } catch (ConnectionShutdownException e) { // closed by another thread
            throw reason(exchange, new IOException("The connection is closed", e));
        } finally {
            if (!hasResponse) {
                deadlines.remove(exchange);
            }
        }
    }

    /** Return why an exchange failed, which is often not what the socket says. */
    IOException reason(Exchange exchange, IOException failure) {
        try {
            exchange.check();
        } catch (SocketTimeoutException e) {
            pool.closeIdle(TimeValue.ZERO_MILLISECONDS);
            e.initCause(failure);
            return e;
        } catch (IOException e) {
            return e;
        }
        return closed ? new TransportException(Problem.CLOSED, "The connection has been closed", failure) : failure;
    }

    private ClassicHttpRequest request(String method, String target, List<Header> headers, byte @Nullable [] body) {
        boolean throughProxy = proxy != null && proxy.isHttp() && !server.secure();
        BasicClassicHttpRequest request = new BasicClassicHttpRequest(method, route.getTargetHost(), target);
        request.setAbsoluteRequestUri(throughProxy);
        request.setHeader("Host", server.authority());
        headers.forEach(request::addHeader);
        if (throughProxy && proxy != null && proxy.settings().authorization() != null) {
            request.setHeader("Proxy-Authorization", proxy.settings().authorization());
        }
        if (body != null) {
            request.setHeader("Content-Length", Integer.toString(body.length));
            request.setEntity(new ByteArrayEntity(body, (ContentType) null));
        } else if (!method.equals("GET")) {
            request.setHeader("Content-Length", "0");
        }
        return request;
    }

    private Response sendRepeatedly(ClassicHttpRequest request, int bodyLength, Exchange exchange) throws IOException {
        ConnectionEndpoint endpoint = lease(exchange);
        boolean reused = endpoint.isConnected();
        try {
            return sendOnce(request, bodyLength, endpoint, exchange);
        } catch (TransportException e) {
            throw e;
        } catch (IOException e) {
            exchange.check();
            if (!reused || closed || !request.getMethod().equals("GET")) {
                throw e;
            }
        }
        endpoint = lease(exchange);
        endpoint.close(CloseMode.IMMEDIATE); // so that a new connection is opened
        return sendOnce(request, bodyLength, endpoint, exchange);
    }

    /** Lease an entry of the pool, with a connection or without one. The pool has no limit, so this does not wait. */
    private ConnectionEndpoint lease(Exchange exchange) throws IOException {
        try {
            return pool.lease("", route, Timeout.DISABLED, null).get(Timeout.ofSeconds(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while waiting for a connection");
        } catch (ExecutionException | TimeoutException | IllegalStateException e) {
            exchange.check();
            throw new TransportException(Problem.CLOSED, "The connection pool is closed", e);
        }
    }

    /** Close connections that have been idle for long; the pool itself looks at a connection only when it is needed. */
    private void scheduleSweep() {
        if (sweepScheduled.compareAndSet(false, true)) {
            Threads.runLater(this::sweep, KEEP_IDLE.toDuration());
        }
    }

    private void sweep() {
        sweepScheduled.set(false);
        pool.closeIdle(KEEP_IDLE);
        if (!closed && pool.getStats(route).getAvailable() > 0) {
            scheduleSweep();
        }
    }

    private Response sendOnce(
            ClassicHttpRequest request, int bodyLength, ConnectionEndpoint endpoint, Exchange exchange)
            throws IOException {
        boolean done = false;
        try {
            int generation = connect(endpoint, exchange);
            ServerConnection[] used = new ServerConnection[1];
            ClassicHttpResponse response =
                    RequestTransfer.execute(endpoint, request, (message, connection, context) -> {
                        used[0] = (ServerConnection) connection;
                        used[0].use(exchange);
                        if (generation >= 0) {
                            used[0].generation(generation);
                        }
                        return RequestTransfer.transfer(message, bodyLength, used[0]);
                    });
            boolean reusable =
                    DefaultConnectionReuseStrategy.INSTANCE.keepAlive(request, response, RequestTransfer.NO_CONTEXT);
            ResponseBody body = new ResponseBody(this, endpoint, used[0], exchange, response.getEntity(), reusable);
            done = true;
            return new Response(response, body);
        } finally {
            if (!done) {
                discard(endpoint);
            }
        }
    }

    /**
     * Open a connection if the endpoint has none.
     *
     * @return the generation of the certificates it was opened with, -1 if it was open
     */
    private int connect(ConnectionEndpoint endpoint, Exchange exchange) throws IOException {
        if (endpoint.isConnected()) {
            return -1;
        }
        int generation = tls == null ? 0 : tls.generation();
        HttpContext context = HttpCoreContext.create();
        context.setAttribute(Connector.EXCHANGE, exchange);
        deadlines.limit(exchange, TimeSource.system().nanoTime() + connectTimeout.toNanoseconds());
        try {
            try {
                open(endpoint, exchange, context);
            } catch (TlsUpgrade.OneGroupException e) { // in a tunnel; other handshakes are repeated by the connector
                exchange.check();
                endpoint.close(CloseMode.IMMEDIATE);
                open(endpoint, exchange, context); // offers all groups
            }
        } catch (TransportException.OfProxy e) {
            exchange.check();
            throw e;
        } catch (SocketTimeoutException e) {
            exchange.check();
            throw new TransportException(Problem.CONNECT_TIMEOUT, "No connection in time", e);
        } catch (IOException e) {
            if (exchange.isConnectExpired()) {
                throw new TransportException(Problem.CONNECT_TIMEOUT, "No connection in time", e);
            }
            throw e;
        } finally {
            exchange.connected();
        }
        return generation;
    }

    private void open(ConnectionEndpoint endpoint, Exchange exchange, HttpContext context) throws IOException {
        pool.connect(endpoint, connectTimeout, context);
        if (route.isTunnelled() && proxy != null) {
            try {
                openTunnel(endpoint, exchange, proxy);
            } catch (IOException e) {
                exchange.check();
                throw proxy.failure(e, exchange.isConnectExpired());
            }
            pool.upgrade(endpoint, context);
        }
    }

    /** Ask the proxy to pass everything through to the server. */
    private void openTunnel(ConnectionEndpoint endpoint, Exchange exchange, ProxyHop through) throws IOException {
        ClassicHttpRequest connect =
                new BasicClassicHttpRequest("CONNECT", route.getTargetHost(), server.hostAndPort());
        connect.setHeader("Host", server.hostAndPort());
        if (through.settings().authorization() != null) {
            connect.setHeader("Proxy-Authorization", through.settings().authorization());
        }
        boolean[] stale = new boolean[1];
        ClassicHttpResponse response = RequestTransfer.execute(endpoint, connect, (message, connection, context) -> {
            ((ServerConnection) connection).use(exchange);
            ClassicHttpResponse head = RequestTransfer.transfer(message, 0, (ServerConnection) connection);
            // A proxy that refuses can end the connection at once.
            stale[0] = RequestTransfer.isSuccess(head) && ((ServerConnection) connection).hasMore();
            return head;
        });
        if (!RequestTransfer.isSuccess(response)) {
            throw through.refusal(response.getCode());
        }
        if (stale[0]) {
            // Bytes that came in plain text must not be taken for the server's.
            throw new TransportException(
                    Problem.MALFORMED_RESPONSE, "The proxy sent bytes before the TLS handshake", null);
        }
    }

    /** Return the connection of a response that has been read to its end to the pool. */
    void release(ConnectionEndpoint endpoint, ServerConnection connection, Exchange exchange, boolean reusable) {
        deadlines.remove(exchange);
        boolean keep = reusable
                && !closed
                && connection.generation() == (tls == null ? 0 : tls.generation())
                && pool.getStats(route).getAvailable() < MAX_IDLE_CONNECTIONS;
        if (keep) {
            pool.release(endpoint, null, KEEP_IDLE);
            scheduleSweep();
        } else {
            discard(endpoint);
        }
    }

    /** End a response that has not been read to its end. */
    void abandon(ConnectionEndpoint endpoint, Exchange exchange) {
        exchange.abort();
        deadlines.remove(exchange);
        discard(endpoint);
    }

    private void discard(ConnectionEndpoint endpoint) {
        endpoint.close(CloseMode.IMMEDIATE);
        pool.release(endpoint, null, null);
    }

    /** End all requests under way and close all connections. */
    @Override
    public void close() {
        closed = true;
        deadlines.close();
        pool.close(CloseMode.IMMEDIATE);
    }

    /**
     * A response whose body has not been read.
     *
     * @param head status and headers
     * @param body must be read to its end or closed
     */
    record Response(ClassicHttpResponse head, ResponseBody body) {

        int code() {
            return head.getCode();
        }

        /** The first value of a header, null if it is missing. */
        @Nullable
        String header(String name) {
            Header header = head.getFirstHeader(name);
            return header == null ? null : header.getValue();
        }
    }
}
