package io.github.reconciler4j.brake;

import io.github.reconciler4j.reconcile.RequeueException;
import java.time.Duration;

/**
 * A deletion that was not sent, because the controller has deleted too much; see {@link Brake}. If a reconciler throws it, or an
 * exception whose cause it is, the request is reconciled again half a minute later. The message says what was deleted, and how a person
 * releases the controller.
 *
 * @since 0.1.0
 */
public final class BrakeException extends RequeueException {

    private static final long serialVersionUID = 1L;

    BrakeException(String message, Duration delay) {
        super(message, delay);
    }
}
