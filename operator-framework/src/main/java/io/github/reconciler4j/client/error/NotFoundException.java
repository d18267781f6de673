package io.github.reconciler4j.client.error;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * There is no such object, or the namespace or kind it should be in does not exist (404).
 *
 * @since 0.1.0
 */
public class NotFoundException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Creates it; see {@link ApiException}. */
    public NotFoundException(
            String message, int code, String reason, List<Cause> causes, Optional<Duration> retryAfter) {
        super(message, code, reason, causes, retryAfter);
    }
}
