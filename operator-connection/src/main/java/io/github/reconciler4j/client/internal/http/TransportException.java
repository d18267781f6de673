package io.github.reconciler4j.client.internal.http;

import io.github.reconciler4j.client.error.ConnectionException.Problem;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A failure of the transport whose kind is known. */
class TransportException extends IOException {

    private static final long serialVersionUID = 1L;

    private final Problem problem;

    TransportException(Problem problem, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.problem = problem;
    }

    Problem problem() {
        return problem;
    }

    /** A failure of the proxy, or on the way to it; the server has nothing to do with it. The message is a whole sentence. */
    static final class OfProxy extends TransportException {

        private static final long serialVersionUID = 1L;

        OfProxy(Problem problem, String message, @Nullable Throwable cause) {
            super(problem, message, cause);
        }
    }
}
