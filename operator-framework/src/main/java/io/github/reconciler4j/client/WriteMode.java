package io.github.reconciler4j.client;

/**
 * Whether a client's writes take effect.
 *
 * @since 0.1.0
 */
public enum WriteMode {
    /** They do. */
    NORMAL,
    /** They are sent as dry runs: checked and answered by the server, but not stored. */
    DRY_RUN,
    /**
     * They are sent as dry runs, and a {@link WriteObserver} is told what each would have changed. Lets a new version of
     * an operator run beside the old one and show what it would do. Costs one read per write.
     */
    OBSERVE
}
