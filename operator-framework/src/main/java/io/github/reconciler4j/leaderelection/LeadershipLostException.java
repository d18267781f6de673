package io.github.reconciler4j.leaderelection;

/**
 * This replica led and leads no more; the message says which lease and why.
 *
 * @since 0.1.0
 */
public class LeadershipLostException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates it with the whole message. */
    public LeadershipLostException(String message) {
        super(message);
    }
}
