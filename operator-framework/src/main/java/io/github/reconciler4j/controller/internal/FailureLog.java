package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.controller.FailingRequest;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot.Backoff;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot.Position;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports failed reconciliations without flooding the log, and knows which requests fail.
 *
 * <p>Errors of the API server and terminal errors are one line with their causes; other failures have a stack trace, the
 * same one at most once a minute. If a request fails again in the same way, only the 2nd, 4th, 8th ... failure in a row is
 * reported, as one line. A conflict is reported from its 4th time, because the retry normally succeeds. Of lines about
 * different requests that fail in the same way, at most one a minute is written after the first 10, and from the first one
 * while the API server is away. Of the requests that are not retried and wait for a change, the latest 10,000 are known.
 * Thread-safe.
 *
 * @param <R> the type of requests
 */
final class FailureLog<R> {

    private static final Logger LOG = LoggerFactory.getLogger("io.github.reconciler4j.controller.Controller");

    private static final int SILENT_CONFLICTS = 3;
    private static final int MAX_ERROR = 1000;

    /** The requests that are not retried and may never return that are known. */
    private static final int MAX_TERMINAL = 10_000;

    /** The requests that fail in one way whose lines are all written. */
    private static final int UNLIMITED = 10;

    private final String controller;
    private final Function<Object, Request> names;
    private final LogLimiter stackTraces;
    private final LogLimiter lines;
    private final Map<R, Series> failing = new ConcurrentHashMap<>();
    private final BoundedBacklog<R, Series> terminal = new BoundedBacklog<>(MAX_TERMINAL, failing);

    FailureLog(String controller, Function<Object, Request> names, TimeSource time) {
        this.controller = controller;
        this.names = names;
        this.stackTraces = new LogLimiter(Duration.ofMinutes(1), time);
        this.lines = new LogLimiter(Duration.ofMinutes(1), time);
    }

    /**
     * The failures of one request in a row.
     *
     * @param signature what the latest ones have in common
     * @param total how many there were since the last success
     * @param same how many with the present signature there were in a row
     * @param since when the first one happened
     * @param last when the latest one happened
     * @param error the causes of the latest one in one line
     * @param terminal whether the request waits for a change instead of a retry
     * @param counted how many count for {@code maxAttempts}, since the request last waited for a change
     */
    private record Series(
            String signature,
            int total,
            int same,
            Instant since,
            Instant last,
            String error,
            boolean terminal,
            int counted) {

        Series followedBy(Series next) {
            int alike = next.signature.equals(signature) ? same + 1 : 1;
            int more = next.terminal ? 0 : counted + next.counted;
            return new Series(next.signature, total + 1, alike, since, next.last, next.error, next.terminal, more);
        }
    }

    /**
     * Report a failed reconciliation.
     *
     * @param exceeded the time limit that it exceeded, zero if it did not
     */
    void failed(R request, ReconcileContext context, Throwable failure, Duration exceeded) {
        String signature = Failures.signature(failure);
        String chain = Failures.chain(failure);
        Instant now = TimeSource.system().instant();
        boolean waits = Failures.isTerminal(failure) || Failures.isExhausted(failure, context);
        int counted = waits || ApiException.isTransient(failure) ? 0 : 1;
        Series first = new Series(signature, 1, 1, now, now, shortened(chain), waits, counted);
        Series series = failing.merge(request, first, Series::followedBy);
        if (series.terminal()) {
            terminal.add(request, series);
        }
        String what = describe(context, failure, exceeded);
        boolean limited = Failures.isUnavailable(failure) || failing.size() > UNLIMITED;
        boolean quiet = Failures.isConflict(failure) && series.same() <= SILENT_CONFLICTS;
        if (!Failures.isExhausted(failure, context) && (quiet || Integer.bitCount(series.same()) != 1)) {
            LOG.debug("{}: {}", what, chain);
        } else if (series.same() > 1) {
            write(signature, limited, "{}, {} times in a row since {}: {}", what, series.same(), series.since(), chain);
        } else if (Failures.isExpected(failure) || !exceeded.isZero() || !writeStackTrace(signature, what, failure)) {
            write(signature, limited, "{}: {}", what, chain);
        }
    }

    private boolean writeStackTrace(String signature, String what, Throwable failure) {
        boolean[] written = {false};
        stackTraces.log(signature, occurrence -> {
            LOG.error(what, Causes.loggable(failure));
            written[0] = true;
        });
        return written[0];
    }

    /** Many requests can fail in one way at the same time, as when a service is down. */
    private void write(String signature, boolean limited, String format, Object... arguments) {
        if (limited) {
            lines.log(signature, occurrence -> LOG.warn(format + occurrence.suffix(), arguments));
        } else {
            LOG.warn(format, arguments);
        }
    }

    private static String shortened(String error) {
        return error.length() <= MAX_ERROR ? error : error.substring(0, MAX_ERROR) + "...";
    }

    private String describe(ReconcileContext context, Throwable failure, Duration exceeded) {
        boolean waits = Failures.isTerminal(failure) || Failures.isExhausted(failure, context);
        String next = waits ? "; not retried until something changes" : "";
        String limit = exceeded.isZero() ? "" : " after its time limit of " + exceeded;
        return "Reconciliation of " + controller + " " + context.request() + " (attempt " + context.attempt()
                + ") failed" + limit + next;
    }

    /** Report a reconciliation that was interrupted because the controller stops or its part moves. */
    void stopped(ReconcileContext context, Throwable failure) {
        LOG.info(
                "Reconciliation of {} {} was interrupted because the controller stops or its part moves: {}",
                controller,
                context.request(),
                Failures.chain(failure));
    }

    /** Report a successful reconciliation. */
    void succeeded(R request) {
        Series series = failing.isEmpty() ? null : failing.remove(request);
        if (series == null || series.total() <= SILENT_CONFLICTS) {
            return;
        }
        Consumer<String> write = suffix -> LOG.info(
                "Reconciliation of {} {} succeeded after {} failures since {}{}",
                controller,
                names.apply(request),
                series.total(),
                series.since(),
                suffix);
        if (failing.size() < UNLIMITED) {
            write.accept("");
        } else {
            lines.log("succeeded", occurrence -> write.accept(occurrence.suffix()));
        }
    }

    /** Forget a request that belongs to another process now. */
    void forget(R request) {
        failing.remove(request);
    }

    /** Return the requests whose last reconciliation failed, a copy. */
    Set<R> requests() {
        return new LinkedHashSet<>(failing.keySet());
    }

    /** Return how many failures of a request in a row count for {@code maxAttempts}. */
    int counted(R request) {
        Series series = failing.get(request);
        return series == null ? 0 : series.counted();
    }

    /** Return the number of requests that are not retried until something changes. */
    int stalled() {
        return (int) failing.values().stream().filter(Series::terminal).count();
    }

    /** Return the number of requests whose last reconciliation failed. */
    int count() {
        return failing.size();
    }

    /** Return requests whose last reconciliation failed, at most {@code limit}, those with the earliest retry first. */
    List<FailingRequest<R>> failing(WorkQueueSnapshot<R> queue, int limit) {
        Map<R, Series> others = new LinkedHashMap<>(failing);
        List<FailingRequest<R>> found = new ArrayList<>();
        for (Backoff<R> waiting : queue.inBackoff()) {
            Series series = others.remove(waiting.item());
            if (series != null) {
                found.add(failing(waiting.item(), series, waiting.next()));
            }
        }
        others.forEach((request, series) -> found.add(failing(request, series, null)));
        return List.copyOf(found.subList(0, Math.min(limit, found.size())));
    }

    /** Return a request if its last reconciliation failed. */
    Optional<FailingRequest<R>> failing(R request, Supplier<Optional<Position>> queue) {
        return Optional.ofNullable(failing.get(request))
                .map(series -> failing(
                        request,
                        series,
                        queue.get()
                                .filter(position -> position.waitsFor() == Wait.BACKOFF)
                                .map(Position::time)
                                .orElse(null)));
    }

    private static <R> FailingRequest<R> failing(R request, Series series, @Nullable Duration next) {
        return FailingRequest.of(
                request, series.total(), series.since(), series.last(), series.error(), series.terminal(), next);
    }

    /**
     * Removes the oldest of the entries of a map, once there are too many. An entry that has another value
     * since is not removed. Thread-safe, without a lock, because it calls {@code equals} of keys of users.
     */
    private static final class BoundedBacklog<K, V> {

        private final int max;
        private final Map<K, V> entries;
        private final Queue<Map.Entry<K, V>> oldestFirst = new ConcurrentLinkedQueue<>();
        private final AtomicInteger size = new AtomicInteger();

        BoundedBacklog(int max, Map<K, V> entries) {
            this.max = max;
            this.entries = entries;
        }

        /** Note that the map has this entry; remove the oldest one if there are too many. */
        void add(K key, V value) {
            oldestFirst.add(Map.entry(key, value));
            if (size.incrementAndGet() > max) {
                size.decrementAndGet();
                Map.Entry<K, V> oldest = oldestFirst.poll();
                if (oldest != null) {
                    entries.computeIfPresent(oldest.getKey(), (ignored, now) -> now == oldest.getValue() ? null : now);
                }
            }
        }
    }
}
