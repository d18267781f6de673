package io.github.reconciler4j.client.error;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The API server, or something in front of it or behind it, failed (5xx).
 *
 * @since 0.1.0
 */
public class ServerUnavailableException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Creates it; see {@link ApiException}. */
    public ServerUnavailableException(
            String message, int code, String reason, List<Cause> causes, Optional<Duration> retryAfter) {
        super(message, code, reason, causes, retryAfter);
    }
}
