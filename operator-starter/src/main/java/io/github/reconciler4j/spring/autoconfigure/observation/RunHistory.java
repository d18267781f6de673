package io.github.reconciler4j.spring.autoconfigure.observation;

import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
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

    /** The number of writes that are kept of one reconciliation. */
    static final int MAX_WRITES = 6;

    /** The number of texts that are shared by reconciliations, which mostly write the same fields. */
    private static final int MAX_TEXTS = 1000;

    private static final int MAX_ERROR = 500;

    private final Map<String, LruMap<Request, List<Entry>>> controllers = new ConcurrentHashMap<>();
    private final ThreadLocal<@Nullable Current> current = new ThreadLocal<>();
    private final LruMap<String, String> texts = new LruMap<>(MAX_TEXTS);

    /** Create an empty history. */
    public RunHistory() {}

    /**
     * One reconciliation.
     *
     * @param started when it started
     * @param timing how long it took
     * @param context the context of the call
     * @param requests the requests to the API server that it sent on the thread of the worker
     * @param outcome the outcome
     * @param error what it threw, in one line; empty if it returned
     * @since 0.1.0
     */
    public record Entry(
            Instant started,
            Timing timing,
            ReconcileContext context,
            Requests requests,
            Outcome outcome,
            String error) {}

    /**
     * The requests of one reconciliation to the API server.
     *
     * @param count how many there were
     * @param writes the first {@value #MAX_WRITES} writes, in order
     * @since 0.1.0
     */
    public record Requests(int count, List<Write> writes) {}

    /**
     * One write, without any value that was written.
     *
     * @param call the verb, followed by the subresource, if there is one: {@code apply} or {@code patch status}
     * @param kind the kind of the object
     * @param key the object, {@code ""} if it has no name yet
     * @param fields the names of the fields that the request contains, separated by a comma
     * @param step the class and method of the application that wrote; {@code ""} if the framework did
     * @since 0.1.0
     */
    public record Write(String call, KindName kind, String key, String fields, String step) {}

    /**
     * The durations of one reconciliation.
     *
     * @param waited how long the request was ready in the queue
     * @param took how long the reconciler took
     * @since 0.1.0
     */
    public record Timing(Duration waited, Duration took) {}

    /** The requests of the reconciliation on one thread so far. */
    private static final class Current {

        private final List<Write> writes = new ArrayList<>();
        private int count;
    }

    @Override
    public Scope started(Run run) {
        Instant started = TimeSource.system().instant();
        long start = TimeSource.system().nanoTime();
        Current requests = new Current();
        current.set(requests);
        return (outcome, failure) -> {
            current.remove();
            Timing timing = new Timing(
                    run.waited(), Duration.ofNanos(TimeSource.system().nanoTime() - start));
            Requests sent = new Requests(requests.count, List.copyOf(requests.writes));
            add(run, new Entry(started, timing, run.context(), sent, outcome, text(failure)));
        };
    }

    private static String text(@Nullable Throwable failure) {
        String text = failure == null ? "" : failure.toString();
        return cut(text, MAX_ERROR);
    }

    /** Cuts a text that is too long, and no character of two parts in its middle, because JSON has no half ones. */
    static String cut(String text, int max) {
        int end = max < text.length() && Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
        return text.length() <= max ? text : text.substring(0, end) + "...";
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

    /** Return what notes the requests of the reconciliation on a thread. */
    public ClientInterceptor counter() {
        return (call, next) -> {
            Current requests = current.get();
            if (requests != null) {
                requests.count++;
                if (call.verb().isWrite() && requests.writes.size() < MAX_WRITES) {
                    requests.writes.add(write(call));
                }
            }
            return next.proceed(call);
        };
    }

    private Write write(ClientCall call) {
        String verb =
                call.dryRun() ? "dry run of " + call.verb().word() : call.verb().word();
        return new Write(
                shared(call.subresource().isEmpty() ? verb : verb + " " + call.subresource()),
                call.kind().kind(),
                call.key().map(ObjectKey::toString).orElse(""),
                shared(WrittenFields.of(call)),
                shared(WritingStep.now()));
    }

    private String shared(String text) {
        String known = texts.get(text);
        if (known == null) {
            texts.put(text, text);
        }
        return known == null ? text : known;
    }
}
