package io.github.reconciler4j.cache;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;

/**
 * Thrown when a kind cannot be read from the cache because the API server does not serve it, or does not permit to list or
 * watch it. The message says which, and how to fix it. The cache keeps trying, so a later read can succeed.
 *
 * @since 0.1.0
 */
public class KindUnavailableException extends ApiException {

    private static final long serialVersionUID = 1L;

    /**
     * Create an exception.
     *
     * @param message the whole message
     * @param code the HTTP status of the API server's response
     */
    public KindUnavailableException(String message, int code) {
        super(message, ErrorDetails.of(code, ""));
    }
}
