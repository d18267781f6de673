package io.github.reconciler4j.client.error;

import java.util.List;
import java.util.Optional;

/**
 * The API server did not become ready in time, or never will as things are; the cause is the last obstacle.
 *
 * @since 0.1.0
 */
public class ServerNotReadyException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Creates it with the whole message and the last obstacle. */
    public ServerNotReadyException(String message, ApiException cause) {
        super(message, cause.code(), cause.reason(), List.of(), Optional.empty());
        initCause(cause);
    }
}
