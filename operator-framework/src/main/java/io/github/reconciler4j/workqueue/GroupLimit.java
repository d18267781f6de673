package io.github.reconciler4j.workqueue;

import org.jspecify.annotations.Nullable;

/** The most keys of one group that may be processed at a time, by the present number of workers. Not thread-safe. */
final class GroupLimit {

    /** So that a share that is a whole number of workers is not rounded up because of the last bit. */
    private static final double ROUNDING = 1e-9;

    private final int maxRunning;
    private final double share;
    private int most;

    GroupLimit(@Nullable Fairness<?> fairness) {
        this.maxRunning = fairness == null ? Integer.MAX_VALUE : fairness.maxRunning();
        this.share = fairness == null ? 1 : fairness.share();
        this.most = maxRunning;
    }

    int most() {
        return most;
    }

    /** There are so many workers now; 0 if that is not known, so that shares do not count. */
    void workers(int workers) {
        boolean counts = workers > 0 && share < 1;
        int part = (int) Math.max(1, Math.ceil(share * workers - ROUNDING));
        most = counts ? Math.min(maxRunning, part) : maxRunning;
    }
}
