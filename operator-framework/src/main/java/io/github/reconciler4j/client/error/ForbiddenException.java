package io.github.reconciler4j.client.error;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The credentials are good but lack the right for this request (403); the message names verb and resource.
 *
 * @since 0.1.0
 */
public class ForbiddenException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Creates it; see {@link ApiException}. */
    public ForbiddenException(
            String message, int code, String reason, List<Cause> causes, Optional<Duration> retryAfter) {
        super(message, code, reason, causes, retryAfter);
    }
}
