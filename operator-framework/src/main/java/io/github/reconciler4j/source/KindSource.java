package io.github.reconciler4j.source;

import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.Subscription;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.scheme.KindInfo;
import java.time.Duration;
import java.util.Objects;

/**
 * A watched kind as a source: its events pass a predicate and then the handler. What was there when the
 * watch began, and what a resync repeats, is queued with low priority. An event whose predicate or handler throws is
 * logged and told again later, up to 10 times. Immutable and safe for use by many threads.
 *
 * @param <T> the class of the objects
 * @param <R> what a request is
 * @since 0.1.0
 */
public final class KindSource<T, R> implements EventSource<R> {

    private final Informer<T> informer;
    private final EventHandler<? super T, R> handler;
    private final EventPredicate<? super T> predicate;

    /**
     * Creates it.
     *
     * @param informer watches the kind
     * @param handler turns events into requests
     * @param predicate must let an event go on to the handler
     */
    public KindSource(Informer<T> informer, EventHandler<? super T, R> handler, EventPredicate<? super T> predicate) {
        this.informer = Objects.requireNonNull(informer, "'informer' must not be null");
        this.handler = Objects.requireNonNull(handler, "'handler' must not be null");
        this.predicate = Objects.requireNonNull(predicate, "'predicate' must not be null");
    }

    /** The kind watched. */
    public KindInfo kind() {
        return informer.kind();
    }

    /** The name of the kind watched, for instance {@code Deployment.v1.apps}. */
    @Override
    public String name() {
        return informer.kind().kind().toString();
    }

    /** Subscribes; the initial list is told on the subscription's thread. */
    @Override
    public Running start(RequestTarget<R> target) {
        Redelivery<T> redelivery = new Redelivery<>(target.name() + "/" + name(), event -> deliver(event, target));
        return new Watching(informer, informer.subscribe(target.name(), redelivery::deliver), redelivery);
    }

    private void deliver(ObjectEvent<T> event, RequestTarget<R> target) {
        if (predicate.test(event)) {
            handler.onEvent(event, EventSink.of(target, name(), event));
        }
    }

    @Override
    public String toString() {
        return "KindSource[" + name() + "]";
    }

    private record Watching(Informer<?> informer, Subscription subscription, Redelivery<?> redelivery)
            implements Running {

        @Override
        public String notReadyReason() {
            return informer.notReadyReason();
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
