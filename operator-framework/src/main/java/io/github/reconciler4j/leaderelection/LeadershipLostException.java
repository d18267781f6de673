package io.github.reconciler4j.leaderelection;

/**
 * Thrown if this replica was leader and has lost the lease. The message names the lease and the reason.
 *
 * @since 0.1.0
 */
public class LeadershipLostException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the given message. */
    public LeadershipLostException(String message) {
        super(message);
    }
}
