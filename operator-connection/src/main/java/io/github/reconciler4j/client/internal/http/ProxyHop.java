package io.github.reconciler4j.client.internal.http;

import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.client.internal.http.ProxySettings.Scheme;
import java.io.IOException;
import java.net.SocketTimeoutException;
import org.apache.hc.core5.http.HttpHost;
import org.jspecify.annotations.Nullable;

/**
 * The way to a proxy. Immutable.
 *
 * @param settings the proxy
 * @param tls encrypts the connection to it before anything is sent, null if it is in plain text
 * @param socks the greeting of SOCKS, null for an HTTP proxy
 */
record ProxyHop(
        ProxySettings settings,
        @Nullable TlsUpgrade tls,
        @Nullable SocksGreeting socks) {

    HttpHost address() {
        return new HttpHost(settings.scheme() == Scheme.HTTPS ? "https" : "http", settings.host(), settings.port());
    }

    /** Return whether it is asked to connect by HTTP. */
    boolean isHttp() {
        return socks == null;
    }

    /** Return an error that names the proxy, so that no one looks at the server. */
    TransportException failure(IOException failure, boolean isTooLate) {
        if (failure instanceof TransportException.OfProxy known) {
            return known;
        }
        Problem problem = isTooLate || failure instanceof SocketTimeoutException
                ? Problem.CONNECT_TIMEOUT
                : ConnectionErrors.problem(failure);
        String text = switch (problem) {
            case REFUSED -> "refuses connections: is it running, and is its address correct?";
            case UNKNOWN_HOST -> "has a host name without an address: check its address and DNS";
            case TLS ->
                "cannot be used, because the TLS connection to it failed (" + ConnectionErrors.rootMessage(failure)
                        + "): check that it speaks TLS, and that the certificate authority of the cluster or the JVM"
                        + " trusts its certificate";
            case CONNECT_TIMEOUT, TIMEOUT ->
                "did not answer in time: check its address, network policies and firewalls";
            case MALFORMED_RESPONSE ->
                "does not answer as a proxy does (" + ConnectionErrors.messageOf(failure)
                        + "): check its address and scheme";
            default -> "ended the connection: check its address and scheme";
        };
        return new TransportException.OfProxy(problem, "the proxy " + settings + " " + text + " (R4J-028)", failure);
    }

    /** Return the error of a proxy that does not connect to the server. */
    TransportException refusal(int code) {
        String text = code == 407
                ? "asks for a user and a password: check those in its address (R4J-029)"
                : "does not connect to the API server: does it allow that, and does it reach the server?";
        return new TransportException.OfProxy(
                Problem.REFUSED, "the proxy " + settings + " answered " + code + " to CONNECT and " + text, null);
    }
}
