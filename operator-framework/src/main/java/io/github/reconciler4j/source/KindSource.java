package io.github.reconciler4j.source;

import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.ObjectListener;
import io.github.reconciler4j.cache.Subscription;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.event.ObjectEvent.Updated;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.reconcile.Trigger.Change;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.support.internal.UserCall;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Objects;

/**
 * A watched kind as a source: its events pass a predicate and then the handler. Requests of the initial list and of resyncs
 * have low priority. If the predicate or handler throws, the change is kept, coalesced with later changes of the same
 * object, and delivered again, after 1 s and then after delays that double to 1 min, until it succeeds. Of an optional
 * informer, the handler also receives that the API server starts or stops to serve the kind. Immutable and thread-safe.
 *
 * <!-- snippet: SourceUse -->
 * <pre>{@code
 * controller.watch(new KindSource<>(
 *         manager.cache().informer(ConfigMap.class), EventHandlers.forObject(), EventPredicates.created()));
 * }</pre>
 *
 * @param <T> the class of the objects
 * @param <R> the type of requests
 * @since 0.1.0
 */
public final class KindSource<T, R> implements RequestSource<R> {

    private final Informer<T> informer;
    private final EventHandler<? super T, R> handler;
    private final EventPredicate<? super T> predicate;
    private final String cluster;
    private final String name;

    /**
     * Create a source.
     *
     * @param informer watches the kind
     * @param handler maps events to requests
     * @param predicate must accept an event before the handler receives it
     */
    public KindSource(Informer<T> informer, EventHandler<? super T, R> handler, EventPredicate<? super T> predicate) {
        this.informer = Objects.requireNonNull(informer, "'informer' must not be null");
        this.handler = Objects.requireNonNull(handler, "'handler' must not be null");
        this.predicate = Objects.requireNonNull(predicate, "'predicate' must not be null");
        this.cluster = informer.cluster();
        String kind = informer.kind().kind().toString();
        this.name = cluster.isEmpty() ? kind : kind + " in " + cluster;
    }

    /** Return the watched kind. */
    public KindInfo kind() {
        return informer.kind();
    }

    /** Return the name of the watched kind, for instance {@code Deployment.v1.apps}, and of the cluster if it is not the own. */
    @Override
    public String name() {
        return name;
    }

    @Override
    public String cluster() {
        return cluster;
    }

    /** Return whether the cache has the objects of the held parts only. */
    public boolean isDivided() {
        return informer.isDivided();
    }

    /** Return whether the cache has the objects of all held parts. */
    public boolean hasParts() {
        return informer.hasParts();
    }

    /** Subscribe; the initial list is delivered on the thread of the subscription. */
    @Override
    public Running start(RequestSink<R> sink) {
        Redelivery<T> redelivery = new Redelivery<>(sink.name() + "/" + name, event -> deliver(event, sink));
        return new Watching(informer, informer.subscribe(sink.name(), new Listener(redelivery, sink)), redelivery);
    }

    private void deliver(ObjectEvent<T> event, RequestSink<R> sink) {
        if (accepts(event, sink.name())) {
            Trigger trigger = Trigger.of(name, event);
            boolean low = trigger.change() == Change.INITIAL || changesNothing(event);
            int priority = low ? WorkQueue.LOW_PRIORITY : WorkQueue.DEFAULT_PRIORITY;
            UserCall call = UserCall.enter(
                    UserCall.Kind.HANDLER, sink.name(), event.snapshot().header());
            try {
                handler.onEvent(event, sink.with(priority, trigger, cluster));
            } finally {
                call.exit();
            }
        }
    }

    private boolean accepts(ObjectEvent<T> event, String controller) {
        UserCall call = UserCall.enter(
                UserCall.Kind.PREDICATE, controller, event.snapshot().header());
        try {
            return predicate.test(event);
        } finally {
            call.exit();
        }
    }

    /** A resync changes nothing, and neither does an update with equal versions, as after a relist. */
    private static boolean changesNothing(ObjectEvent<?> event) {
        if (!(event instanceof Updated<?> update)) {
            return false;
        }
        String before = update.previous().header().resourceVersion();
        return update.resync()
                || (!before.isEmpty()
                        && before.equals(update.snapshot().header().resourceVersion()));
    }

    @Override
    public String toString() {
        return "KindSource[" + name + "]";
    }

    /** Passes everything on from the informer. */
    private final class Listener implements ObjectListener<T> {

        private final Redelivery<T> redelivery;
        private final RequestSink<R> sink;

        Listener(Redelivery<T> redelivery, RequestSink<R> sink) {
            this.redelivery = redelivery;
            this.sink = sink;
        }

        @Override
        public void onEvent(ObjectEvent<T> event) {
            redelivery.deliver(event);
        }

        @Override
        public void onServedChange(boolean served) {
            handler.onServedChange(
                    served, sink.with(WorkQueue.LOW_PRIORITY, Trigger.external(KindSource.this.name()), cluster()));
        }
    }

    private record Watching(Informer<?> informer, Subscription subscription, Redelivery<?> redelivery)
            implements Running {

        @Override
        public String notReadyReason() {
            return informer.notReadyReason();
        }

        @Override
        public int undelivered() {
            return redelivery.size();
        }

        @Override
        public boolean isAlive() {
            return subscription.isAlive() && redelivery.isAlive();
        }

        @Override
        public void awaitSync(Duration timeout) throws InterruptedException {
            subscription.awaitInitial(timeout);
        }

        @Override
        public void close() {
            subscription.close();
            redelivery.close();
        }
    }
}
