package io.github.reconciler4j.client.error;

import org.jspecify.annotations.Nullable;

/**
 * The request received no response, or no complete one. Whether the server carried out the request is unknown unless
 * {@link #problem} says that it was not sent. The message contains the address, the problem and what to check.
 *
 * @since 0.1.0
 */
public class ConnectionException extends ApiException {

    private static final long serialVersionUID = 1L;

    private final Problem problem;

    /** Create an exception with the given message, problem and cause. */
    public ConnectionException(String message, Problem problem, @Nullable Throwable cause) {
        super(message, ErrorDetails.none());
        this.problem = problem;
        if (cause != null) {
            initCause(cause);
        }
    }

    /** Return what went wrong. */
    public Problem problem() {
        return problem;
    }

    /**
     * The reasons for a missing response.
     *
     * @since 0.1.0
     */
    public enum Problem {
        /** No server listens at the address; the request was not sent. */
        REFUSED,
        /** The host name has no address; the request was not sent. */
        UNKNOWN_HOST,
        /** The certificates do not match, or the peer does not speak TLS; the request was not sent. */
        TLS,
        /** There are no credentials, or they cannot be sent, as if an exec plug-in fails; the request was not sent. */
        CREDENTIALS,
        /** The connection could not be established in time; the request was not sent. */
        CONNECT_TIMEOUT,
        /** The connection was established, but the response did not arrive in time. */
        TIMEOUT,
        /** The connection ended before the response did, or during the TLS handshake. */
        CONNECTION_RESET,
        /** The response is not one of an API server: it is not HTTP/1.1, too large, or not of the expected form. */
        MALFORMED_RESPONSE,
        /** The connection was closed by this program. */
        CLOSED;

        /** Return whether the request certainly did not reach the server. */
        public boolean isBeforeSending() {
            return switch (this) {
                case REFUSED, UNKNOWN_HOST, TLS, CREDENTIALS, CONNECT_TIMEOUT -> true;
                case TIMEOUT, CONNECTION_RESET, MALFORMED_RESPONSE, CLOSED -> false;
            };
        }
    }

    /** Return true. */
    @Override
    public boolean isTransient() {
        return true;
    }
}
