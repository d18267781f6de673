package io.github.reconciler4j.test.expect;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Looks again and again until what it sees is right, or the time is over. What fails meanwhile is tried again. */
final class Poll {
    private static final long FIRST_PAUSE_MILLIS = 10;
    private static final long LONGEST_PAUSE_MILLIS = 250;

    private Poll() {}

    /**
     * Look until the condition holds.
     *
     * @param expected what is waited for, for the error
     * @param within how long
     * @param describe says what was seen, without secrets
     * @throws AssertionError if it does not come to hold
     */
    static <T extends @Nullable Object> T until(
            String expected, Duration within, Supplier<T> look, Predicate<T> condition, Function<T, String> describe) {
        long deadline = System.nanoTime() + within.toNanos();
        long pause = FIRST_PAUSE_MILLIS;
        while (true) {
            String seen;
            try {
                T found = look.get();
                if (condition.test(found)) {
                    return found;
                }
                seen = describe.apply(found);
            } catch (KubernetesClientException e) {
                seen = "an error, " + e.getMessage() + (e.getCause() == null ? "" : " " + e.getCause());
            }
            if (System.nanoTime() - deadline >= 0) {
                throw new AssertionError(expected + ", but not within " + text(within) + "; last seen: " + seen);
            }
            sleep(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        }
    }

    /** Check until the time is over, and fail as soon as something else is observed. */
    static <T extends @Nullable Object> T during(
            String expected, Duration time, Supplier<T> look, Predicate<T> condition, Function<T, String> describe) {
        long deadline = System.nanoTime() + time.toNanos();
        while (true) {
            T found = look.get();
            if (!condition.test(found)) {
                throw new AssertionError(expected + ", for " + text(time) + "; seen: " + describe.apply(found));
            }
            if (System.nanoTime() - deadline >= 0) {
                return found;
            }
            sleep(FIRST_PAUSE_MILLIS);
        }
    }

    private static String text(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    private static void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting", e);
        }
    }
}
