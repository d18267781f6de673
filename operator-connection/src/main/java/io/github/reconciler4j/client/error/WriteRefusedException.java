package io.github.reconciler4j.client.error;

/**
 * A write was not sent because this program must not write at the moment, for example after it lost its lease.
 *
 * @since 0.1.0
 */
public class WriteRefusedException extends ApiException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the given message. */
    public WriteRefusedException(String message) {
        super(message, ErrorDetails.of(0, "WriteRefused"));
    }

    /** Return true. */
    @Override
    public boolean isTransient() {
        return true;
    }
}
