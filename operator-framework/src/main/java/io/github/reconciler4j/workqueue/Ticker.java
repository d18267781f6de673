package io.github.reconciler4j.workqueue;

/**
 * Where queues and limiters read the time. The time is monotonic, in nanoseconds from an arbitrary origin, as that of
 * {@link System#nanoTime}. Implementations are safe for use by many threads and do not throw.
 *
 * @see ManualTicker
 * @since 0.1.0
 */
@FunctionalInterface
public interface Ticker {

    /** The time now. */
    long nanos();

    /**
     * Registers something to run after the time has jumped ahead of real time. Whoever waits for a point in time
     * registers here, so that a test that moves the time wakes it. Time that only flows never jumps: the default
     * forgets the listener.
     */
    default void onJump(Runnable listener) {}

    /** The time of this process. */
    static Ticker system() {
        return SystemTicker.INSTANCE;
    }
}
