package io.github.reconciler4j.cache;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;

/**
 * A kind cannot be read from the cache because the API server does not serve it, or does not let it be listed or
 * watched; the message says which, and the mend. The cache goes on trying, so a later read may succeed.
 *
 * @since 0.1.0
 */
public class KindUnavailableException extends ApiException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates it.
     *
     * @param message the whole message
     * @param code the HTTP status of the server's refusal
     */
    public KindUnavailableException(String message, int code) {
        super(message, ErrorDetails.of(code, ""));
    }
}
