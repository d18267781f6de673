package io.github.reconciler4j.client.error;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The API server is busy or an eviction is not allowed now (429); {@link #retryAfter} says when to come back.
 *
 * @since 0.1.0
 */
public class TooManyRequestsException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Creates it; see {@link ApiException}. */
    public TooManyRequestsException(
            String message, int code, String reason, List<Cause> causes, Optional<Duration> retryAfter) {
        super(message, code, reason, causes, retryAfter);
    }
}
