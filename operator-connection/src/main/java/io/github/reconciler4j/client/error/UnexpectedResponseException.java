package io.github.reconciler4j.client.error;

/**
 * The server answered with success, but not with what was requested: another kind, a {@code Status}, {@code null}, or no JSON
 * at all. Usually a proxy or a gateway answers in place of the API server. If the request was a write, it may or may not have
 * been carried out.
 *
 * @since 0.1.0
 */
public class UnexpectedResponseException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the given message. */
    public UnexpectedResponseException(String message) {
        super(message, ErrorDetails.of(0, "UnexpectedResponse"));
    }
}
