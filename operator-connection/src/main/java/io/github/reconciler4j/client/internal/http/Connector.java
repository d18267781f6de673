package io.github.reconciler4j.client.internal.http;

import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.Platform;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.io.HttpClientConnectionOperator;
import org.apache.hc.client5.http.io.ManagedHttpClientConnection;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.net.NamedEndpoint;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections: finds the addresses of the host and lets the library connect to one after the other, each with its share
 * of the time that is left. Sockets are those of channels, whose blocking operations end when the thread is interrupted or
 * another thread closes the channel.
 */
final class Connector implements HttpClientConnectionOperator {

    /** The attribute of the context that holds the {@link Exchange}. */
    static final String EXCHANGE = "reconciler4j.exchange";

    private static final SocketConfig SOCKET_CONFIG = SocketConfig.custom()
            .setTcpNoDelay(true)
            .setSoKeepAlive(true)
            .setSoTimeout(Timeout.DISABLED)
            .build();

    private final HostAddresses addresses;
    private final @Nullable ProxyHop proxy;

    /** Connects to what comes first: the proxy, or the server without one. */
    private final HttpClientConnectionOperator firstHop;

    /** Encrypts what passes through the proxy. */
    private final HttpClientConnectionOperator secondHop;

    /**
     * Create it.
     *
     * @param tls encrypts connections to the server, null if they are not encrypted
     * @param proxy what is between, null for nothing
     */
    Connector(HostAddresses addresses, @Nullable TlsUpgrade tls, @Nullable ProxyHop proxy) {
        this.addresses = addresses;
        this.proxy = proxy;
        this.secondHop = operator(tls);
        this.firstHop = proxy == null ? secondHop : operator(proxy.tls());
    }

    private static HttpClientConnectionOperator operator(@Nullable TlsUpgrade tls) {
        return new DefaultHttpClientConnectionOperator(
                socksProxy -> Platform.current().openSocket(),
                DefaultSchemePortResolver.INSTANCE,
                null,
                scheme -> scheme.equals("https") ? tls : null);
    }

    @Override
    public void connect(
            ManagedHttpClientConnection connection,
            HttpHost host,
            @Nullable InetSocketAddress localAddress,
            TimeValue timeout,
            SocketConfig socketConfig,
            HttpContext context)
            throws IOException {
        connect(
                connection,
                host,
                null,
                localAddress,
                Timeout.of(timeout.getDuration(), timeout.getTimeUnit()),
                socketConfig,
                null,
                context);
    }

    @Override
    public void connect(
            ManagedHttpClientConnection connection,
            HttpHost host,
            @Nullable NamedEndpoint name,
            @Nullable InetSocketAddress localAddress,
            Timeout timeout,
            SocketConfig socketConfig,
            @Nullable Object attachment,
            HttpContext context)
            throws IOException {
        Exchange exchange = (Exchange) context.getAttribute(EXCHANGE);
        ((ServerConnection) connection).use(exchange);
        long end = TimeSource.system().nanoTime() + timeout.toNanoseconds();
        if (exchange.deadline() != Exchange.NEVER && exchange.deadline() - end < 0) {
            end = exchange.deadline();
        }
        if (proxy == null) {
            connect(connection, host, name, end, attachment, context);
            return;
        }
        try {
            connect(connection, proxy.address(), proxy.address(), end, attachment, context);
            if (proxy.socks() != null) {
                proxy.socks().connect(((ServerConnection) connection).socket());
            }
        } catch (IOException e) {
            exchange.check();
            throw proxy.failure(e, exchange.isConnectExpired());
        }
        if (proxy.socks() != null && host.getSchemeName().equals("https")) {
            secondHop.upgrade(connection, host, name, attachment, context);
        }
    }

    private void connect(
            ManagedHttpClientConnection connection,
            HttpHost host,
            @Nullable NamedEndpoint name,
            long end,
            @Nullable Object attachment,
            HttpContext context)
            throws IOException {
        Exchange exchange = (Exchange) context.getAttribute(EXCHANGE);
        InetAddress[] found = addresses.of(host.getHostName(), end);
        for (int i = 0; i < found.length; i++) {
            long left = Math.max(
                    TimeUnit.MILLISECONDS.toNanos(1), end - TimeSource.system().nanoTime());
            Timeout share = Timeout.ofNanoseconds(left / (found.length - i));
            HttpHost address = new HttpHost(host.getSchemeName(), found[i], host.getHostName(), host.getPort());
            try {
                firstHop.connect(connection, address, name, null, share, SOCKET_CONFIG, attachment, context);
                return;
            } catch (TlsUpgrade.OneGroupException e) {
                exchange.check();
                i--; // the next attempt offers more
            } catch (IOException e) {
                exchange.check();
                if (i == found.length - 1 || exchange.isAborted()) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void upgrade(ManagedHttpClientConnection connection, HttpHost host, HttpContext context) throws IOException {
        secondHop.upgrade(connection, host, context);
    }

    @Override
    public void upgrade(
            ManagedHttpClientConnection connection,
            HttpHost host,
            @Nullable NamedEndpoint name,
            @Nullable Object attachment,
            HttpContext context)
            throws IOException {
        secondHop.upgrade(connection, host, name, attachment, context);
    }
}
