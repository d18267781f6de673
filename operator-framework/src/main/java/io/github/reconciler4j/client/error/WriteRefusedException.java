package io.github.reconciler4j.client.error;

import java.util.List;
import java.util.Optional;

/**
 * A write was not sent because this program may not write now, for instance after losing leadership.
 *
 * @since 0.1.0
 */
public class WriteRefusedException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Creates it with a message that says why. */
    public WriteRefusedException(String message) {
        super(message, 0, "WriteRefused", List.of(), Optional.empty());
    }
}
