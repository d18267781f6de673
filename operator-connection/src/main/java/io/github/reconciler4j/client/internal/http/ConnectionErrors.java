package io.github.reconciler4j.client.internal.http;

import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.support.Causes;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/** Determines why a request received no response, and explains what to check. */
public final class ConnectionErrors {

    /** What the TLS library of Go answers to a request in plain text. */
    private static final String EXPECTS_TLS = "Client sent an HTTP request to an HTTPS server";

    private ConnectionErrors() {}

    public static ConnectionException of(String what, String server, IOException failure) {
        Problem problem = problem(failure);
        TransportException.OfProxy ofProxy = Causes.find(failure, TransportException.OfProxy.class);
        String reason = ofProxy == null ? explain(problem, failure) : String.valueOf(ofProxy.getMessage());
        return new ConnectionException(what + ": no response from " + server + ": " + reason, problem, failure);
    }

    public static ConnectionException timeout(String what, String server, Duration waited) {
        return new ConnectionException(
                what + ": no response from " + server + " within " + waited.toMillis() + " ms", Problem.TIMEOUT, null);
    }

    static ConnectionException unusable(String server, Throwable failure) {
        String text = "The configuration for " + server + " cannot be used (" + rootMessage(failure)
                + "); check the CA certificate, the client certificate and key, and the proxy settings (R4J-025)";
        return new ConnectionException(text, Problem.TLS, failure);
    }

    public static ConnectionException closed(String what, String server) {
        return new ConnectionException(
                what + ": the connection to " + server + " has been closed by this program", Problem.CLOSED, null);
    }

    /** Return whether a response to a request in plain text means that the server expects TLS. */
    static boolean expectsTls(int code, byte[] body) {
        return code == 400
                && body.length < 200
                && new String(body, StandardCharsets.ISO_8859_1).startsWith(EXPECTS_TLS);
    }

    static ConnectionException plainToTls(String what, String server) {
        return new ConnectionException(
                what + ": " + server + " expects TLS: change its address to https:// (R4J-026)", Problem.TLS, null);
    }

    static Problem problem(IOException failure) {
        TransportException known = Causes.find(failure, TransportException.class);
        if (known != null) {
            return known.problem();
        }
        List<Throwable> chain = Causes.of(failure);
        for (Throwable next : chain) {
            if (next instanceof UnknownHostException) {
                return Problem.UNKNOWN_HOST;
            }
            if (next instanceof ConnectException || next instanceof NoRouteToHostException) {
                return Problem.REFUSED;
            }
            if (next instanceof SocketTimeoutException) {
                return Problem.TIMEOUT;
            }
        }
        return isTls(chain) ? Problem.TLS : Problem.CONNECTION_RESET;
    }

    /**
     * Return whether certificates or the protocol are the problem. A connection that ends while TLS is used also ends in an
     * {@link SSLException}; its cause then is the failure of the socket, which says nothing about certificates.
     */
    private static boolean isTls(List<Throwable> chain) {
        boolean isTls = false;
        for (Throwable next : chain) {
            if (next instanceof GeneralSecurityException) {
                return true;
            }
            if (next instanceof SSLException) {
                isTls |= next instanceof SSLHandshakeException || hasTlsMessage(next);
            } else if (next instanceof IOException) {
                return false;
            }
        }
        return isTls;
    }

    private static boolean hasTlsMessage(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return message.startsWith("Unsupported or unrecognized") || message.contains("fatal alert");
    }

    private static String explain(Problem problem, IOException failure) {
        return switch (problem) {
            case REFUSED ->
                "the connection was refused; is the API server running, and are the address and the proxy settings"
                        + " correct? (R4J-020)";
            case UNKNOWN_HOST -> "the host name has no address; check the server address and DNS (R4J-021)";
            case TLS ->
                "the TLS connection failed (" + rootMessage(failure)
                        + "); check the CA certificate, the client certificate and that the address is https (R4J-022)";
            case CONNECT_TIMEOUT ->
                "the connection was not established in time; check the address, network policies and firewalls (R4J-023)";
            case TIMEOUT -> "the response did not arrive in time";
            case CONNECTION_RESET ->
                "the connection ended before the response did (" + rootMessage(failure) + ")" + ifHandshake(failure);
            case MALFORMED_RESPONSE ->
                "the response is not one of an API server (" + messageOf(failure)
                        + "); check the address and any proxy (R4J-024)";
            case CLOSED -> "the connection has been closed by this program";
            case CREDENTIALS -> "there are no credentials (" + rootMessage(failure) + ")";
        };
    }

    private static String ifHandshake(IOException failure) {
        return Causes.contains(failure, SSLHandshakeException.class)
                ? "; if it happens again, check that the address is that of a TLS server"
                : "";
    }

    static String messageOf(IOException failure) {
        TransportException known = Causes.find(failure, TransportException.class);
        return String.valueOf((known == null ? failure : known).getMessage());
    }

    static String rootMessage(Throwable failure) {
        List<Throwable> chain = Causes.of(failure);
        Throwable root = chain.get(chain.size() - 1);
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
}
