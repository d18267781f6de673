package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.WatchOptions;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a reflector goes on after failures: how long it pauses, and what it says, once per change of what is wrong. To be
 * used by one thread.
 */
final class Recovery {

    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final Duration MISSING_PAUSE = Duration.ofSeconds(10);
    /** A watch that ends sooner without having brought anything counts as a failure. */
    private static final Duration SHORTEST_WATCH = Duration.ofSeconds(1);

    private final Scope scope;
    private final SyncState state;
    private final WatchOptions options;
    private final Backoff backoff;
    private @Nullable SyncFailure trouble;
    private long openedAt = System.nanoTime();
    private boolean brought;
    private int failures;

    Recovery(Scope scope, SyncState state, WatchOptions options) {
        this.scope = scope;
        this.state = state;
        this.options = options;
        this.backoff = new Backoff(
                options.backoffMin(),
                options.backoffMax(),
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /** Notes that a watch has begun; it need not bring anything soon, so nothing is wrong any more. */
    void opened() {
        if (trouble != null) {
            state.failure(scope, null);
        }
        openedAt = System.nanoTime();
        brought = false;
    }

    /** Notes that something arrived. */
    void works() {
        brought = true;
        failures = 0;
        if (trouble != null) {
            LOG.info("{} is followed again after {} failures", scope, backoff.failures());
            trouble = null;
            state.failure(scope, null);
        }
        backoff.reset();
    }

    /** Whether the watch has been open for this long, or as long as the shortest one may be, and has brought nothing. */
    boolean wasSilentFor(Duration time) {
        Duration shortest = time.compareTo(options.lifetimeMin()) < 0 ? time : options.lifetimeMin();
        return !brought && System.nanoTime() - openedAt >= shortest.toNanos();
    }

    int failuresInRow() {
        return failures;
    }

    /** The pause after a watch that ended as watches do. */
    Duration ended() {
        if (brought || System.nanoTime() - openedAt >= SHORTEST_WATCH.toNanos()) {
            works();
            return Duration.ZERO;
        }
        failures++;
        return backoff.next();
    }

    /** The pause after a failure. */
    Duration failed(SyncFailure now, Throwable failure) {
        failures++;
        SyncFailure before = trouble;
        if (now.type() != SyncFailure.Type.GONE) {
            trouble = now;
            state.failure(scope, now);
        }
        if (before == null || before.type() != now.type()) {
            tell(now, failure);
        } else {
            LOG.debug("{}", now.message());
        }
        Duration pause = pause(now);
        return now.retryAfter().filter(asked -> asked.compareTo(pause) > 0).orElse(pause);
    }

    private Duration pause(SyncFailure now) {
        Duration next = backoff.next();
        if (now.type() == SyncFailure.Type.GONE && failures == 1) {
            return Duration.ZERO;
        }
        if (!now.type().requiresAction()) {
            return next;
        }
        Duration bound = now.type() == SyncFailure.Type.MISSING && MISSING_PAUSE.compareTo(options.backoffMax()) < 0
                ? MISSING_PAUSE
                : options.backoffMax();
        return bound.dividedBy(2)
                .plus(Duration.ofMillis(ThreadLocalRandom.current().nextLong(bound.toMillis() / 2 + 1)));
    }

    private void tell(SyncFailure now, Throwable failure) {
        if (now.type() == SyncFailure.Type.GONE) {
            LOG.debug("{}; it is listed anew", now.message());
        } else if (failure instanceof RuntimeException || failure instanceof Error) {
            tellWithCause(now, failure);
        } else {
            LOG.warn("{}; trying again", now.message());
        }
    }

    private static void tellWithCause(SyncFailure now, Throwable failure) {
        if (failure instanceof io.github.reconciler4j.client.error.ApiException) {
            LOG.warn("{}; trying again", now.message());
        } else {
            LOG.error("{}; trying again", now.message(), failure);
        }
    }
}
