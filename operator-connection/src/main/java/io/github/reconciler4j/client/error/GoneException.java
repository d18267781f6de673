package io.github.reconciler4j.client.error;

/**
 * A resourceVersion or a continue token is too old (410). List the objects again.
 *
 * @since 0.1.0
 */
public class GoneException extends ApiException {

    private static final long serialVersionUID = 1L;

    private final String continueToken;

    /** Create an exception with the given message, status 410, reason {@code Expired} and no continue token. */
    public GoneException(String message) {
        this(message, ErrorDetails.of(410, "Expired"), "");
    }

    /**
     * Create an exception with the given message and details.
     *
     * @param continueToken the token of {@link #continueToken}, {@code ""} for none
     */
    public GoneException(String message, ErrorDetails details, String continueToken) {
        super(message, details);
        this.continueToken = continueToken;
    }

    /** Return a token that continues the list in the newest state, {@code ""} if the server sent none. */
    public String continueToken() {
        return continueToken;
    }
}
