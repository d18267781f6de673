package io.github.reconciler4j.client.internal;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.TlsVersion;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to one server: name, address, proxy, TLS. Uses channels, whose blocking operations end when the
 * thread is interrupted or the channel is closed. Safe for use by many threads.
 */
final class SocketOpener {

    private static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final URI server;
    private final @Nullable InetSocketAddress proxy;
    private final @Nullable String proxyAuthorization;
    private final @Nullable SSLContext tls;
    private final String tlsName;
    private final boolean verifyName;
    private final String @Nullable [] tlsVersions;
    private final Duration connectTimeout;
    private final HostAddresses addresses;
    private final Set<SocketChannel> opening = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    SocketOpener(Config config, StandardHttpClientBuilder<?, ?, ?> settings) {
        this(config, settings, new HostAddresses(InetAddress::getAllByName));
    }

    SocketOpener(Config config, StandardHttpClientBuilder<?, ?, ?> settings, HostAddresses addresses) {
        this.addresses = addresses;
        this.server = URI.create(config.getMasterUrl());
        this.tls = "https".equalsIgnoreCase(server.getScheme()) ? settings.getSslContext() : null;
        String name = settings.getTlsServerName();
        this.tlsName = name == null || name.isEmpty() ? host() : name;
        this.verifyName = !config.isTrustCerts() && !config.isDisableHostnameVerification();
        TlsVersion[] versions = settings.getTlsVersions();
        this.tlsVersions = versions == null || versions.length == 0
                ? null
                : Stream.of(versions).map(TlsVersion::javaName).toArray(String[]::new);
        this.connectTimeout =
                settings.getConnectTimeout() == null ? DEFAULT_CONNECT_TIMEOUT : settings.getConnectTimeout();
        this.proxy = settings.getProxyType() == HttpClient.ProxyType.DIRECT ? null : settings.getProxyAddress();
        this.proxyAuthorization = settings.getProxyAuthorization();
        if (proxy != null && settings.getProxyType() != HttpClient.ProxyType.HTTP) {
            throw new IllegalArgumentException("Only HTTP proxies are supported, not " + settings.getProxyType());
        }
    }

    /** The value of the Host header. */
    String authority() {
        return server.getAuthority();
    }

    /** Whether requests go to a proxy unencrypted, and so must name the server. */
    boolean namesServerInRequests() {
        return proxy != null && tls == null;
    }

    /** What a proxy wants to see in such requests; null for nothing. */
    @Nullable
    String proxyAuthorization() {
        return proxyAuthorization;
    }

    /** Opens a connection on which nothing was sent yet. */
    HttpSocket open(long deadline) throws IOException {
        long limit = Math.min(deadline, System.nanoTime() + connectTimeout.toNanos());
        SocketChannel channel = connect(limit);
        boolean done = false;
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            HttpSocket plain = new HttpSocket(channel, channel.socket());
            HttpSocket ready = tls == null ? plain : encrypt(tls, plain, limit);
            done = true;
            return ready;
        } finally {
            opening.remove(channel);
            if (!done) {
                channel.close();
            }
        }
    }

    /** Ends connections that are being made. */
    void close() {
        closed = true;
        for (SocketChannel channel : opening) {
            HttpSocket.cut(channel);
        }
    }

    private String host() {
        String host = server.getHost();
        // An IPv6 address comes in brackets.
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private int port() {
        if (server.getPort() >= 0) {
            return server.getPort();
        }
        return tls == null ? 80 : 443;
    }

    /** Tries one address after the other, each with its share of the time that is left. */
    private SocketChannel connect(long limit) throws IOException {
        String host = proxy == null ? host() : proxy.getHostString();
        int port = proxy == null ? port() : proxy.getPort();
        InetAddress[] addresses = this.addresses.of(host, limit);
        IOException failure = null;
        for (int i = 0; i < addresses.length; i++) {
            long now = System.nanoTime();
            try {
                return connect(new InetSocketAddress(addresses[i], port), now + (limit - now) / (addresses.length - i));
            } catch (IOException e) {
                HttpSocket.rethrowIfInterrupted();
                failure = e;
            }
        }
        if (failure instanceof SocketTimeoutException) {
            throw new TransportException(Problem.CONNECT_TIMEOUT, "No connection in time", failure);
        }
        throw new TransportException(Problem.REFUSED, "Connection refused", failure);
    }

    private SocketChannel connect(InetSocketAddress address, long limit) throws IOException {
        SocketChannel channel = SocketChannel.open();
        boolean done = false;
        try {
            opening.add(channel);
            if (closed) {
                throw new TransportException(Problem.CLOSED, "closed", null);
            }
            channel.socket().connect(address, HttpSocket.millisUntil(limit));
            done = true;
            return channel;
        } finally {
            if (!done) {
                opening.remove(channel);
                channel.close();
            }
        }
    }

    private HttpSocket encrypt(SSLContext context, HttpSocket plain, long limit) throws IOException {
        if (proxy != null) {
            tunnel(plain, limit);
        }
        try {
            Socket socket = plain.socket();
            SSLSocket encrypted = (SSLSocket) context.getSocketFactory().createSocket(socket, host(), port(), true);
            encrypted.setSSLParameters(parameters(encrypted.getSSLParameters()));
            encrypted.setSoTimeout(HttpSocket.millisUntil(limit));
            encrypted.startHandshake();
            return new HttpSocket(plain.channel(), encrypted);
        } catch (SocketTimeoutException e) {
            throw new TransportException(Problem.CONNECT_TIMEOUT, "No TLS handshake in time", e);
        } catch (IOException e) {
            HttpSocket.rethrowIfInterrupted();
            Problem problem = ConnectionErrors.isCut(e) ? Problem.CONNECTION_RESET : Problem.TLS;
            throw new TransportException(problem, String.valueOf(e.getMessage()), e);
        }
    }

    private SSLParameters parameters(SSLParameters parameters) {
        if (verifyName) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        if (tlsVersions != null) {
            parameters.setProtocols(tlsVersions);
        }
        parameters.setCipherSuites(CipherOrder.of(parameters.getCipherSuites()));
        if (!HostAddresses.isAddress(tlsName)) {
            parameters.setServerNames(List.of(new SNIHostName(tlsName)));
        }
        return parameters;
    }

    /** Asks an HTTP proxy to pass everything through to the server. */
    private void tunnel(HttpSocket socket, long limit) throws IOException {
        String target = (host().indexOf(':') < 0 ? host() : "[" + host() + "]") + ":" + port();
        StringBuilder request = new StringBuilder("CONNECT ").append(target).append(" HTTP/1.1\r\n");
        request.append("Host: ").append(target).append("\r\n");
        if (proxyAuthorization != null) {
            request.append("Proxy-Authorization: ").append(proxyAuthorization).append("\r\n");
        }
        socket.write(HttpSocket.ascii(request.append("\r\n").toString()));
        socket.readUntil(limit);
        ResponseHead head = ResponseHead.read(socket);
        if (head.code() < 200 || head.code() > 299) {
            throw new TransportException(Problem.REFUSED, "The proxy answered " + head.code() + " to CONNECT", null);
        }
    }
}
