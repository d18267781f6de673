package io.github.reconciler4j.client.error;

import java.util.List;
import java.util.Optional;

/**
 * The thread was interrupted while it waited for an answer; its interrupt flag is set again. Whether the server carried
 * out the request is not known.
 *
 * @since 0.1.0
 */
public class RequestInterruptedException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Creates it with the whole message. */
    public RequestInterruptedException(String message) {
        super(message, 0, "", List.of(), Optional.empty());
    }
}
