package io.github.reconciler4j.client.error;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * No answer, or no whole answer, came. Whether the server carried out the request is not known unless {@link #problem}
 * says that no connection came about. The message says the address, what went wrong and what to look at.
 *
 * @since 0.1.0
 */
public class ConnectionException extends ApiException {

    private static final long serialVersionUID = 1L;

    private final Problem problem;

    /** Creates it with the whole message. */
    public ConnectionException(String message, Problem problem, @Nullable Throwable cause) {
        super(message, 0, "", List.of(), Optional.empty());
        this.problem = problem;
        if (cause != null) {
            initCause(cause);
        }
    }

    /** What went wrong. */
    public Problem problem() {
        return problem;
    }

    /**
     * The ways in which a request can be left without an answer.
     *
     * @since 0.1.0
     */
    public enum Problem {
        /** Nobody listens at the address; the request was not sent. */
        REFUSED,
        /** The host name has no address; the request was not sent. */
        UNKNOWN_HOST,
        /** The certificates do not fit, or the other side speaks no TLS; the request was not sent. */
        TLS,
        /** No connection in time; the request was not sent. */
        CONNECT_TIMEOUT,
        /** Connected, but no answer in time. */
        TIMEOUT,
        /** The connection ended before the answer did, be it while TLS was being set up. */
        CONNECTION_RESET,
        /** This side was closed. */
        CLOSED;

        /** Whether the request certainly did not reach the server. */
        public boolean isBeforeSending() {
            return this == REFUSED || this == UNKNOWN_HOST || this == TLS || this == CONNECT_TIMEOUT;
        }
    }
}
