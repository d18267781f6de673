package io.github.reconciler4j.client;

/**
 * Whether the writes of a client take effect.
 *
 * @since 0.1.0
 */
public enum WriteMode {
    /** Writes take effect. */
    NORMAL,
    /** Writes are dry runs: the server validates and answers them, but stores nothing. */
    DRY_RUN,
    /**
     * Writes are dry runs, and a {@link WriteObserver} receives what each would have changed. Lets a new version of an
     * operator run beside the old one and show what it would do. Costs one read per write.
     */
    OBSERVE,
    /**
     * Writes are dry runs for a plan, which {@code Plan} of {@code reconciler4j-plan} makes: it answers those whose effect is known
     * without a request.
     */
    PLAN
}
