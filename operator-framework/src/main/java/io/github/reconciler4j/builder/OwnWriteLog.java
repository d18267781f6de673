package io.github.reconciler4j.builder;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.client.internal.spi.WrittenVersions;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.event.ObjectEvent.Updated;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.support.LruMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The versions of objects that the reconciliations of one controller wrote, so that it recognizes its own updates.
 *
 * <p>A write that names the version it is for proves that it turned exactly this version into the one of the answer. An update
 * from one state to another is own if such writes of the same request lead from one to the other without a gap. It does not
 * matter whether the watch delivered each state, because the state of another writer would be a gap.
 *
 * <p>The watch can be faster than the answer. So an update for a request that is being reconciled waits for the end of the
 * reconciliation, which the queue would wait for as well, and is judged then. A {@link Run} has a lock for what waits; the sink, and
 * {@code equals} of requests, are called under no lock. Only the last {@value #SIZE} writes are known; an older one counts as foreign.
 * Thread-safe.
 *
 * @param <R> the type of requests
 */
final class OwnWriteLog<R> {

    private static final int SIZE = 10_000;

    private final UnaryOperator<R> place;
    private final LruMap<Version, Write<R>> writes = new LruMap<>(SIZE);
    private final List<Run<R>> running = new CopyOnWriteArrayList<>();

    /**
     * Create it.
     *
     * @param cluster the cluster of the controller, {@code ""} for that of the manager
     */
    OwnWriteLog(String cluster) {
        this.place = placeIn(cluster);
    }

    private record Version(String uid, String version) {}

    /** A write: the version that it replaced, and the request that was reconciled. */
    private record Write<R>(String before, R request) {}

    /** An update of an object, by its versions. */
    private record Step(String uid, String before, String after) {}

    /** A reconciliation, and what is enqueued after it. */
    private static final class Run<R> {

        private final R request;
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private @Nullable List<Runnable> waiting = new ArrayList<>();

        Run(R request) {
            this.request = request;
        }

        /** Return false if the reconciliation has ended. */
        boolean await(Runnable task) {
            lock.lock();
            try {
                return waiting != null && waiting.add(task);
            } finally {
                lock.unlock();
            }
        }

        List<Runnable> end() {
            lock.lock();
            try {
                List<Runnable> all = waiting;
                waiting = null;
                return all == null ? List.of() : all;
            } finally {
                lock.unlock();
            }
        }
    }

    /** Return a reconciler whose writes are recorded. */
    RequestReconciler<R> recording(RequestReconciler<R> reconciler) {
        return (request, context) -> {
            Run<R> run = new Run<>(request);
            running.add(run);
            try {
                return WrittenVersions.record(
                        (uid, before, after) -> writes.put(new Version(uid, after), new Write<>(before, request)),
                        () -> reconciler.reconcile(request, context));
            } finally {
                running.remove(run);
                run.end().forEach(Runnable::run);
            }
        };
    }

    /** Return a handler whose requests are dropped after their own updates. */
    <S> EventHandler<S, R> dropping(EventHandler<? super S, R> handler) {
        return new Dropping<>(this, handler);
    }

    private void add(R request, Step step, Runnable enqueue) {
        R known = place.apply(request);
        Runnable judge = () -> {
            boolean own;
            try {
                own = isOwn(known, step);
            } catch (RuntimeException | Error e) { // requests that cannot be compared are not lost
                own = false;
            }
            if (!own) {
                enqueue.run();
            }
        };
        for (Run<R> run : running) {
            if (run.request.equals(known) && run.await(judge)) {
                return;
            }
        }
        judge.run();
    }

    /** Return what makes a request one as the queue has it: in the cluster of the controller, if it names none. */
    @SuppressWarnings("unchecked") // the type of the request stays
    private static <R> UnaryOperator<R> placeIn(String cluster) {
        return cluster.isEmpty()
                ? UnaryOperator.identity()
                : request ->
                        request instanceof Request named && named.cluster().isEmpty() ? (R) named.in(cluster) : request;
    }

    private boolean isOwn(R request, Step step) {
        String version = step.after;
        for (int i = 0; i < SIZE && !version.equals(step.before); i++) {
            Write<R> write = writes.get(new Version(step.uid, version));
            if (write == null || !write.request.equals(request)) {
                return false;
            }
            version = write.before;
        }
        return version.equals(step.before);
    }

    private record Dropping<S, R>(OwnWriteLog<R> log, EventHandler<? super S, R> handler)
            implements EventHandler<S, R> {

        @Override
        public void onEvent(ObjectEvent<? extends S> event, RequestSink<R> sink) {
            handler.onEvent(event, sinkOf(event, sink));
        }

        @Override
        public void onServedChange(boolean served, RequestSink<R> sink) {
            handler.onServedChange(served, sink);
        }

        private RequestSink<R> sinkOf(ObjectEvent<? extends S> event, RequestSink<R> sink) {
            if (!(event instanceof Updated<? extends S> update) || update.resync()) {
                return sink;
            }
            ObjectHeader now = update.snapshot().header();
            String before = update.previous().header().resourceVersion();
            if (before.isEmpty()
                    || before.equals(now.resourceVersion())) { // a relist changes nothing, and is delivered
                return sink;
            }
            return new Judging<>(log, new Step(now.uid(), before, now.resourceVersion()), sink);
        }
    }

    /** Enqueues what is not own. */
    private record Judging<R>(OwnWriteLog<R> log, Step step, RequestSink<R> sink) implements RequestSink<R> {

        @Override
        public void add(R request, Duration delay, int requestPriority, Trigger requestTrigger) {
            log.add(request, step, () -> sink.add(request, delay, requestPriority, requestTrigger));
        }

        @Override
        public String name() {
            return sink.name();
        }

        @Override
        public int priority() {
            return sink.priority();
        }

        @Override
        public Trigger trigger() {
            return sink.trigger();
        }

        @Override
        public String cluster() {
            return sink.cluster();
        }
    }
}
