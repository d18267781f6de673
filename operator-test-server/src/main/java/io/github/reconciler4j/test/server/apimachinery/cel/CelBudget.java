package io.github.reconciler4j.test.server.apimachinery.cel;

/** What the rules may still cost in one check of an object. For one thread. */
final class CelBudget {
    private static final long WHOLE = 10_000_000;

    private final boolean counts;
    private long left = WHOLE;
    private boolean stopped;

    /** A whole budget; one that does not count is for rules that cannot use it up. */
    CelBudget(boolean counts) {
        this.counts = counts;
    }

    boolean counts() {
        return counts;
    }

    /** Takes what a run cost; false if there was not enough left. */
    boolean take(long cost) {
        if (cost > left) {
            stopped = true;
            return false;
        }
        left -= cost;
        return true;
    }

    /** Lets no more rules run. */
    void stop() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    boolean isSpent() {
        return left <= 0;
    }
}
