package io.github.reconciler4j.client.internal.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
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
    private final HttpClientConnectionOperator delegate;

    Connector(HostAddresses addresses, @Nullable TlsUpgrade tls) {
        this.addresses = addresses;
        this.delegate = new DefaultHttpClientConnectionOperator(
                proxy -> SocketChannel.open().socket(),
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
        long end = System.nanoTime() + timeout.toNanoseconds();
        if (exchange.deadline() != Exchange.NEVER && exchange.deadline() - end < 0) {
            end = exchange.deadline();
        }
        InetAddress[] found = addresses.of(host.getHostName(), end);
        for (int i = 0; i < found.length; i++) {
            long left = Math.max(TimeUnit.MILLISECONDS.toNanos(1), end - System.nanoTime());
            Timeout share = Timeout.ofNanoseconds(left / (found.length - i));
            HttpHost address = new HttpHost(host.getSchemeName(), found[i], host.getHostName(), host.getPort());
            try {
                delegate.connect(connection, address, name, null, share, SOCKET_CONFIG, attachment, context);
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
        delegate.upgrade(connection, host, context);
    }

    @Override
    public void upgrade(
            ManagedHttpClientConnection connection,
            HttpHost host,
            @Nullable NamedEndpoint name,
            @Nullable Object attachment,
            HttpContext context)
            throws IOException {
        delegate.upgrade(connection, host, name, attachment, context);
    }
}
