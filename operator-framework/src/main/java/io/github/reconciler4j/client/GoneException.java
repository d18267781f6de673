package io.github.reconciler4j.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A resourceVersion or a continue token is too old (410); read anew. */
public class GoneException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Creates it; see {@link ApiException}. */
    public GoneException(String message, int code, String reason, List<Cause> causes, Optional<Duration> retryAfter) {
        super(message, code, reason, causes, retryAfter);
    }
}
