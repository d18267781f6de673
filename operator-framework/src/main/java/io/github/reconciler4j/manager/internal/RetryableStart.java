package io.github.reconciler4j.manager.internal;

import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.manager.ComponentNotReadyException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Which failures of a start pass by themselves, and when to try again. */
final class RetryableStart {

    private static final int MOST_CAUSES = 20;
    private static final double JITTER = 0.2;

    private RetryableStart() {}

    /** Whether a component that failed with this waits and is tried again, by the first cause that tells. */
    static boolean isDeferred(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
            if (cause instanceof ComponentNotReadyException || cause instanceof CacheSyncTimeoutException) {
                return true;
            }
            if (cause instanceof ApiException api && (api.code() == 403 || api.code() == 404)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** How long to wait after the given number of failed tries: doubling, capped, up to 20 % longer by chance. */
    static Duration delayAfter(int attempts, Duration first, Duration longest) {
        int doublings = Math.min(Math.max(attempts - 1, 0), 30);
        double nanos = Math.min(first.toNanos() * Math.pow(2, doublings), longest.toNanos());
        return Duration.ofNanos(
                (long) (nanos * (1 + JITTER * ThreadLocalRandom.current().nextDouble())));
    }
}
