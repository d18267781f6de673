package io.github.reconciler4j.client.internal;

import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** Finds out why no answer came, and says what to look at. */
final class ConnectionErrors {

    private static final int DEEPEST_CAUSE = 20;

    private ConnectionErrors() {}

    static ConnectionException of(String what, String address, Throwable failure) {
        Problem problem = problem(failure);
        String explanation = failure instanceof TransportException && failure.getCause() == null
                ? rootMessage(failure) + "; check the address and the proxy settings"
                : explain(problem, failure);
        String text = what + ": no answer from " + address + ": " + explanation;
        return new ConnectionException(text, problem, failure);
    }

    static ConnectionException timeout(String what, String address, Duration waited) {
        return new ConnectionException(
                what + ": no answer from " + address + " within " + waited.toMillis() + " ms", Problem.TIMEOUT, null);
    }

    static ConnectionException unusable(String address, Throwable failure) {
        String text = "The configuration for " + address + " cannot be used (" + rootMessage(failure)
                + "); check the CA certificate, client certificate, key and proxy settings";
        return new ConnectionException(text, Problem.TLS, failure);
    }

    static ConnectionException closed(String what, String address) {
        return new ConnectionException(
                what + ": the connection to " + address + " has been closed on this side", Problem.CLOSED, null);
    }

    private static Problem problem(Throwable failure) {
        Throwable t = failure;
        for (int i = 0; t != null && i < DEEPEST_CAUSE; i++) {
            Problem found = problemOfOne(t);
            if (found != null) {
                return found;
            }
            t = t.getCause();
        }
        return Problem.CONNECTION_RESET;
    }

    private static @Nullable Problem problemOfOne(Throwable t) {
        if (t instanceof TransportException known) {
            return known.problem();
        }
        if (t instanceof HttpConnectTimeoutException) {
            return Problem.CONNECT_TIMEOUT;
        }
        if (t instanceof UnknownHostException || t instanceof UnresolvedAddressException) {
            return Problem.UNKNOWN_HOST;
        }
        if (t instanceof ConnectException && t.getCause() instanceof UnresolvedAddressException) {
            return Problem.UNKNOWN_HOST;
        }
        if (t instanceof ConnectException || t instanceof NoRouteToHostException) {
            return Problem.REFUSED;
        }
        if (isHandshakeFailure(t)) {
            return isCut(t) ? Problem.CONNECTION_RESET : Problem.TLS;
        }
        if (t instanceof HttpTimeoutException || t instanceof SocketTimeoutException || t instanceof TimeoutException) {
            return Problem.TIMEOUT;
        }
        return t instanceof CancellationException ? Problem.CLOSED : null;
    }

    /** A connection that is cut later can end in an {@link SSLException}, too. */
    private static boolean isHandshakeFailure(Throwable t) {
        if (t instanceof SSLException) {
            String message = String.valueOf(t.getMessage());
            return t instanceof SSLHandshakeException
                    || message.startsWith("Unsupported or unrecognized")
                    || message.startsWith("Unrecognized SSL message") // the same, said by SSLEngine
                    || message.contains("fatal alert");
        }
        return t instanceof GeneralSecurityException;
    }

    /** Whether the other side only went away; that says nothing of certificates. */
    static boolean isCut(Throwable failure) {
        Throwable t = failure;
        for (int i = 0; t != null && i < DEEPEST_CAUSE; i++) {
            boolean ended = String.valueOf(t.getMessage()).startsWith("Remote host terminated the handshake");
            if (ended || t instanceof EOFException || t instanceof SocketException) {
                return true;
            }
            t = t.getCause();
        }
        return false;
    }

    private static String explain(Problem problem, Throwable failure) {
        return switch (problem) {
            case REFUSED -> "the connection was refused; is the API server running, and is the address right?";
            case UNKNOWN_HOST -> "the host name has no address; check the server address and DNS";
            case TLS ->
                "the TLS connection failed (" + rootMessage(failure)
                        + "); check the CA certificate, the client certificate and that the address is https";
            case CONNECT_TIMEOUT -> "no connection in time; check the address, network policies and firewalls";
            case TIMEOUT -> "no answer in time";
            case CONNECTION_RESET ->
                "the connection ended before the answer did (" + rootMessage(failure) + ")" + ifHandshake(failure);
            case MALFORMED_RESPONSE -> "the response is malformed (" + rootMessage(failure) + ")";
            case CLOSED -> "the connection has been closed on this side";
        };
    }

    private static String ifHandshake(Throwable failure) {
        Throwable t =
                failure instanceof TransportException && failure.getCause() != null ? failure.getCause() : failure;
        return t instanceof SSLHandshakeException ? "; if it stays so, check that the address is one of https" : "";
    }

    private static String rootMessage(Throwable failure) {
        Throwable root = failure;
        for (int i = 0; root.getCause() != null && i < DEEPEST_CAUSE; i++) {
            root = root.getCause();
        }
        String message = root.getMessage();
        return message == null ? root.getClass().getSimpleName() : message;
    }
}
