package io.github.reconciler4j.client.error;

import java.util.List;
import java.util.Optional;

/**
 * A class says another plural or scope than the API server; the message says which, and what to change.
 *
 * @since 0.1.0
 */
public class KindMismatchException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Creates it with the whole message. */
    public KindMismatchException(String message) {
        super(message, 0, "KindMismatch", List.of(), Optional.empty());
    }
}
