package io.github.reconciler4j.client.internal;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.TlsVersion;
import io.github.reconciler4j.client.ConnectionException.Problem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
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

    SocketOpener(Config config, StandardHttpClientBuilder<?, ?, ?> settings) {
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
            if (!done) {
                channel.close();
            }
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

    private SocketChannel connect(long limit) throws IOException {
        String host = proxy == null ? host() : proxy.getHostString();
        int port = proxy == null ? port() : proxy.getPort();
        IOException failure = null;
        for (InetAddress address : resolve(host)) {
            try {
                return connect(new InetSocketAddress(address, port), limit);
            } catch (SocketTimeoutException e) {
                throw new TransportException(Problem.CONNECT_TIMEOUT, "No connection in time", e);
            } catch (IOException e) {
                HttpSocket.rethrowIfInterrupted();
                failure = e;
            }
        }
        throw new TransportException(Problem.REFUSED, "Connection refused", failure);
    }

    private static List<InetAddress> resolve(String host) throws TransportException {
        try {
            return List.of(InetAddress.getAllByName(host));
        } catch (UnknownHostException e) {
            throw new TransportException(Problem.UNKNOWN_HOST, "Unknown host " + host, e);
        }
    }

    private static SocketChannel connect(InetSocketAddress address, long limit) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.socket().connect(address, HttpSocket.millisUntil(limit));
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
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
            Problem problem = ConnectionErrors.isCut(e) ? Problem.CUT : Problem.TLS;
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
        boolean isAddress = tlsName.indexOf(':') >= 0 || tlsName.matches("[0-9.]+");
        if (!isAddress) {
            parameters.setServerNames(List.of(new SNIHostName(tlsName)));
        }
        return parameters;
    }

    /** Asks an HTTP proxy to pass everything through to the server. */
    private void tunnel(HttpSocket socket, long limit) throws IOException {
        StringBuilder request = new StringBuilder("CONNECT ");
        request.append(host()).append(':').append(port()).append(" HTTP/1.1\r\n");
        request.append("Host: ").append(host()).append(':').append(port()).append("\r\n");
        if (proxyAuthorization != null) {
            request.append("Proxy-Authorization: ").append(proxyAuthorization).append("\r\n");
        }
        socket.write(HttpSocket.ascii(request.append("\r\n").toString()));
        socket.readUntil(limit);
        ResponseHead head = ResponseHead.read(socket);
        if (head.code() != 200) {
            throw new TransportException(Problem.REFUSED, "The proxy answered " + head.code() + " to CONNECT", null);
        }
    }
}
