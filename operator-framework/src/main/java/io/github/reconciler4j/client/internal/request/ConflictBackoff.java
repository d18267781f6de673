package io.github.reconciler4j.client.internal.request;

import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;

/**
 * Delays the next attempt after a conflict.
 *
 * @since 0.1.0
 */
public final class ConflictBackoff {

    private static final Backoff BACKOFF =
            Backoff.of(Duration.ofMillis(10), Duration.ofSeconds(1)).withJitter(1, 2);

    private ConflictBackoff() {}

    /**
     * Wait.
     *
     * @param object names the object in the error
     * @param conflicts the number of conflicts so far
     * @throws RequestInterruptedException if the thread is interrupted
     */
    public static void await(String object, int conflicts) {
        try {
            TimeSource.system().sleep(BACKOFF.delay(conflicts).toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException(
                    object + ": interrupted while waiting for the next attempt after a conflict");
        }
    }
}
