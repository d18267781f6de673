package io.github.reconciler4j.controller.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports failed runs without flooding the log. Errors of the API server and terminal errors are one line with their
 * chain of causes; anything else has its stack trace, the same one at most once a minute. When a request fails again in the same way, only the 2nd, 4th, 8th
 * ... time in a row is reported, as one line that sums up. A conflict is reported from its 4th time on only, as the retry
 * after it normally succeeds. Safe for use by many threads.
 *
 * @param <R> what a request is
 */
final class FailureLog<R> {

    private static final Logger LOG = LoggerFactory.getLogger("io.github.reconciler4j.controller.Controller");

    private static final int CONFLICTS_IN_SILENCE = 3;
    private static final int MOST_STACKS = 100;
    private static final int LONGEST_ERROR = 1000;
    private static final long STACK_AGAIN_AFTER_NANOS = Duration.ofMinutes(1).toNanos();

    private final String controller;

    private final ReentrantLock lock = new ReentrantLock();

    /** When the stack of which failure was last written; the oldest entries go. Guarded by {@link #lock}. */
    private final Map<String, Long> stacks = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST_STACKS;
        }
    };

    /** The requests whose last run failed. */
    private final Map<R, Series> failing = new ConcurrentHashMap<>();

    FailureLog(String controller) {
        this.controller = controller;
    }

    /**
     * Failures of one request in a row.
     *
     * @param signature what they have in common
     * @param total how many there were in all since the last success
     * @param same how many of the present sort there were in a row
     * @param since when the first of all happened
     * @param last the latest
     */
    private record Series(String signature, int total, int same, Instant since, Last last) {

        Series followedBy(Series next) {
            boolean alike = next.signature.equals(signature);
            return new Series(next.signature, total + 1, alike ? same + 1 : 1, since, next.last);
        }
    }

    /**
     * The latest failure of a request.
     *
     * @param at when it happened
     * @param error the chain of causes in one line
     * @param terminal whether the request waits for a change instead of a time
     */
    private record Last(Instant at, String error, boolean terminal) {}

    /**
     * How a request fails.
     *
     * @param failures how many runs in a row failed
     * @param since when the first of them failed
     * @param last when the latest of them failed
     * @param error what the latest threw, in one line
     * @param terminal whether it is not tried again before something changes
     */
    record SyncFailure(int failures, Instant since, Instant last, String error, boolean terminal) {}

    /** A run failed. A timeout other than zero is the time limit it had exceeded. */
    void failed(R request, RunContext context, Throwable failure, Duration exceeded) {
        String signature = Failures.signature(failure);
        String chain = Failures.chain(failure);
        Instant now = Instant.now();
        Last last = new Last(now, shortened(chain), Failures.isTerminal(failure));
        Series series = failing.merge(request, new Series(signature, 1, 1, now, last), Series::followedBy);
        String what = what(context, failure, exceeded);
        boolean quiet = Failures.isConflict(failure) && series.same() <= CONFLICTS_IN_SILENCE;
        if (quiet || Integer.bitCount(series.same()) != 1) {
            LOG.debug("{}: {}", what, chain);
        } else if (series.same() > 1) {
            LOG.warn("{}, {} times in a row in this way since {}: {}", what, series.same(), series.since(), chain);
        } else if (Failures.isExpected(failure) || !exceeded.isZero() || !stackIsDue(signature)) {
            LOG.warn("{}: {}", what, chain);
        } else {
            LOG.error(what, failure);
        }
    }

    private static String shortened(String error) {
        return error.length() <= LONGEST_ERROR ? error : error.substring(0, LONGEST_ERROR) + "...";
    }

    /** Calls somebody for each request whose last run failed, in no particular order. */
    void forEach(BiConsumer<R, SyncFailure> action) {
        failing.forEach((request, series) -> action.accept(
                request,
                new SyncFailure(
                        series.total(),
                        series.since(),
                        series.last().at(),
                        series.last().error(),
                        series.last().terminal())));
    }

    /** How many requests' last run failed. */
    int count() {
        return failing.size();
    }

    /** Many requests can fail in one way at the same time; the stack is the same, so once a minute is enough. */
    private boolean stackIsDue(String signature) {
        long now = System.nanoTime();
        lock.lock();
        try {
            Long last = stacks.get(signature);
            if (last != null && now - last < STACK_AGAIN_AFTER_NANOS) {
                return false;
            }
            stacks.put(signature, now);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private String what(RunContext context, Throwable failure, Duration exceeded) {
        String next = Failures.isTerminal(failure) ? "; not tried again until something changes" : "";
        String limit = exceeded.isZero() ? "" : " after its time limit of " + exceeded;
        return "Reconcile of " + controller + " " + context.request() + " (attempt " + context.attempt() + ") failed"
                + limit + next;
    }

    /** A run was cut short because the controller stops. */
    void stopped(RunContext context, Throwable failure) {
        LOG.info(
                "Reconcile of {} {} was interrupted because the controller stops: {}",
                controller,
                context.request(),
                Failures.chain(failure));
    }

    /** A run went well. */
    void succeeded(R request) {
        Series series = failing.isEmpty() ? null : failing.remove(request);
        if (series != null && series.total() > CONFLICTS_IN_SILENCE) {
            LOG.info(
                    "Reconcile of {} {} succeeded after {} failures since {}",
                    controller,
                    RunContext.nameOf(request),
                    series.total(),
                    series.since());
        }
    }
}
