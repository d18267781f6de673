package io.github.reconciler4j.client.error;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A resourceVersion or a continue token is too old (410); read anew.
 *
 * @since 0.1.0
 */
public class GoneException extends ApiException {

    private static final long serialVersionUID = 1L;

    private final String continueToken;

    /** Creates it without a continue token; see {@link ApiException}. */
    public GoneException(String message, int code, String reason, List<Cause> causes, Optional<Duration> retryAfter) {
        this(message, code, reason, causes, retryAfter, "");
    }

    /** Creates it; see {@link ApiException}. */
    public GoneException(
            String message,
            int code,
            String reason,
            List<Cause> causes,
            Optional<Duration> retryAfter,
            String continueToken) {
        super(message, code, reason, causes, retryAfter);
        this.continueToken = continueToken;
    }

    /** With what a list can go on in the newest state, {@code ""} if the server did not say. */
    public String continueToken() {
        return continueToken;
    }
}
