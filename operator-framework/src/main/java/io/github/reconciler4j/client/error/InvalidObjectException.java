package io.github.reconciler4j.client.error;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The API server finds the object invalid (422); {@link #causes} says which fields. Sending the same again cannot help.
 *
 * @since 0.1.0
 */
public class InvalidObjectException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Creates it; see {@link ApiException}. */
    public InvalidObjectException(
            String message, int code, String reason, List<Cause> causes, Optional<Duration> retryAfter) {
        super(message, code, reason, causes, retryAfter);
    }
}
