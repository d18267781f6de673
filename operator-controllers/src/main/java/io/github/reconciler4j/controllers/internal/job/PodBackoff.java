package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long to wait before failed pods are replaced: 10 seconds after the first failure, then twice as long each time, up to
 * 10 minutes. A success starts over. Immutable.
 *
 * @param failures how many pods have failed since the last success
 * @param lastFailure when the last of them did, {@code null} if none did
 */
record PodBackoff(int failures, @Nullable Instant lastFailure) {

    static final PodBackoff NONE = new PodBackoff(0, null);

    private static final Duration INITIAL = Duration.ofSeconds(10);
    private static final Duration MAX = Duration.ofMinutes(10);

    /** Return the state after these pods have ended. */
    PodBackoff after(Collection<Pod> succeeded, Collection<Pod> failed) {
        Instant lastSuccess =
                succeeded.stream().map(FinishTimes::of).max(Instant::compareTo).orElse(null);
        List<Instant> since = failed.stream()
                .map(FinishTimes::of)
                .filter(time -> lastSuccess == null || time.isAfter(lastSuccess))
                .toList();
        PodBackoff before = lastSuccess == null ? this : NONE;
        return since.isEmpty()
                ? before
                : new PodBackoff(
                        before.failures + since.size(),
                        since.stream().max(Instant::compareTo).orElseThrow());
    }

    /** Return the state of one index, which its last failed pod has in its annotations. */
    static PodBackoff ofIndex(@Nullable Pod lastFailed) {
        return lastFailed == null
                ? NONE
                : new PodBackoff(IndexedPods.allFailures(lastFailed) + 1, FinishTimes.of(lastFailed));
    }

    /** Return how long to wait from now on; zero if pods can be created. */
    Duration remaining(Instant now) {
        return remaining(now, INITIAL, MAX);
    }

    Duration remaining(Instant now, Duration initial, Duration max) {
        if (failures == 0 || lastFailure == null) {
            return Duration.ZERO;
        }
        Duration delay = initial;
        for (int i = 1; i < failures && delay.compareTo(max) < 0; i++) {
            delay = delay.multipliedBy(2);
            delay = delay.compareTo(max) < 0 ? delay : max;
        }
        Duration left = delay.minus(Duration.between(lastFailure, now));
        return left.isNegative() ? Duration.ZERO : left;
    }
}
