package io.github.reconciler4j.client.internal;

import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads and tries again after conflicts. */
final class ConflictRetries {

    private static final int MOST = 5;
    private static final long FIRST_PAUSE_MILLIS = 10;

    private ConflictRetries() {}

    static <T, R> R run(KindInfo kind, ObjectKey key, Supplier<Optional<T>> read, Function<T, R> attempt) {
        for (int tries = 1; ; tries++) {
            T object = read.get().orElseThrow(() -> missing(kind, key));
            try {
                return attempt.apply(object);
            } catch (ConflictException e) {
                if (tries >= MOST) {
                    throw e;
                }
                pause(kind, key, tries);
            }
        }
    }

    private static NotFoundException missing(KindInfo kind, ObjectKey key) {
        return new NotFoundException("get " + kind.resource() + " " + key + ": the object does not exist");
    }

    private static void pause(KindInfo kind, ObjectKey key, int tries) {
        long millis = FIRST_PAUSE_MILLIS << (tries - 1);
        try {
            TimeUnit.MILLISECONDS.sleep(millis + ThreadLocalRandom.current().nextLong(millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException(
                    kind.resource() + " " + key + ": interrupted while waiting to try again after a conflict");
        }
    }
}
