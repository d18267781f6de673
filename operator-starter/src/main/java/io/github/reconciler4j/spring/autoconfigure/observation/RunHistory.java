package io.github.reconciler4j.spring.autoconfigure.observation;

import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.support.LruMap;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the latest reconciliations of each object: the last {@value #MAX_RUNS} of the {@value #MAX_OBJECTS} objects of each
 * controller that were reconciled most recently. Thread-safe.
 *
 * @since 0.1.0
 */
public final class RunHistory implements ReconcileObserver {

    /** The number of reconciliations that are kept of one object. */
    static final int MAX_RUNS = 10;

    /** The number of objects of one controller. */
    static final int MAX_OBJECTS = 500;

    private static final int MAX_ERROR = 500;

    private final Map<String, LruMap<Request, List<Entry>>> controllers = new ConcurrentHashMap<>();
    private final ThreadLocal<int @Nullable []> requests = new ThreadLocal<>();

    /** Create an empty history. */
    public RunHistory() {}

    /**
     * One reconciliation.
     *
     * @param started when it started
     * @param timing how long it took
     * @param context the context of the call
     * @param requests the number of requests to the API server that it sent on the thread of the worker
     * @param outcome the outcome
     * @param error what it threw, in one line; empty if it returned
     * @since 0.1.0
     */
    public record Entry(
            Instant started, Timing timing, ReconcileContext context, int requests, Outcome outcome, String error) {}

    /**
     * The durations of one reconciliation.
     *
     * @param waited how long the request was ready in the queue
     * @param took how long the reconciler took
     * @since 0.1.0
     */
    public record Timing(Duration waited, Duration took) {}

    @Override
    public Scope started(Run run) {
        Instant started = TimeSource.system().instant();
        long start = TimeSource.system().nanoTime();
        int[] count = {0};
        requests.set(count);
        return (outcome, failure) -> {
            requests.remove();
            Timing timing = new Timing(
                    run.waited(), Duration.ofNanos(TimeSource.system().nanoTime() - start));
            add(run, new Entry(started, timing, run.context(), count[0], outcome, text(failure)));
        };
    }

    private static String text(@Nullable Throwable failure) {
        String text = failure == null ? "" : failure.toString();
        return text.length() <= MAX_ERROR ? text : text.substring(0, MAX_ERROR) + "...";
    }

    private void add(Run run, Entry entry) {
        LruMap<Request, List<Entry>> objects =
                controllers.computeIfAbsent(run.controller(), name -> new LruMap<>(MAX_OBJECTS));
        Request request = run.context().request();
        List<Entry> before = objects.get(request); // requests are never reconciled concurrently
        List<Entry> runs = new ArrayList<>();
        runs.add(entry);
        if (before != null) {
            runs.addAll(before.subList(0, Math.min(before.size(), MAX_RUNS - 1)));
        }
        objects.put(request, List.copyOf(runs));
    }

    /** Return the latest reconciliations of an object, the latest first; empty if none is remembered. */
    public List<Entry> of(String controller, Request request) {
        LruMap<Request, List<Entry>> objects = controllers.get(controller);
        List<Entry> runs = objects == null ? null : objects.get(request);
        return runs == null ? List.of() : runs;
    }

    /** Return what counts the requests of the reconciliation on a thread. */
    public ClientInterceptor counter() {
        return (call, next) -> {
            int[] count = requests.get();
            if (count != null) {
                count[0]++;
            }
            return next.proceed(call);
        };
    }
}
