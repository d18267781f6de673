package io.github.reconciler4j.handler;

import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.event.ObjectEvent.Updated;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Ready-made handlers. All are stateless and safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class EventHandlers {

    private EventHandlers() {}

    /** Queues the object of the event itself. Looks at headers only. */
    public static EventHandler<Object, Request> forObject() {
        return (event, sink) -> sink.add(Request.of(event.snapshot().key()));
    }

    /**
     * Queues the owners of the object, those before and those after an update, each once. Owners are recognized by group
     * and kind, whatever the version, and sought in the object's namespace unless their kind is cluster-scoped. Looks at
     * headers only.
     *
     * @param ownerKind the kind of the owners to queue
     * @param match whether to queue the managing controller only or every owner
     */
    public static EventHandler<Object, Request> forOwner(KindInfo ownerKind, OwnerMatch match) {
        return new OwnerHandler(ownerKind, match);
    }

    /**
     * Queues what a function returns for the object; for an update, what it returns for the object before and after,
     * each request once. Decodes the objects.
     *
     * @param mapper names the requests an object concerns; null and empty are none
     */
    public static <T, R> EventHandler<T, R> mapping(Function<? super T, ? extends @Nullable Iterable<R>> mapper) {
        return (event, sink) -> queueAll(event, snapshot -> mapper.apply(snapshot.object()), sink);
    }

    /**
     * Queues what a function returns for the object's header; for an update, what it returns for the header before and
     * after, each request once. Decodes nothing.
     *
     * @param mapper names the requests an object concerns; null and empty are none
     */
    public static <R> EventHandler<Object, R> mappingHeader(
            Function<ObjectHeader, ? extends @Nullable Iterable<R>> mapper) {
        return (event, sink) -> queueAll(event, snapshot -> mapper.apply(snapshot.header()), sink);
    }

    private static <T, R> void queueAll(
            ObjectEvent<? extends T> event,
            Function<ObjectSnapshot<? extends T>, @Nullable Iterable<R>> mapper,
            RequestSink<R> sink) {
        Set<R> requests = new LinkedHashSet<>();
        if (event instanceof Updated<? extends T> update) {
            collect(mapper.apply(update.previous()), requests);
        }
        collect(mapper.apply(event.snapshot()), requests);
        for (R request : requests) {
            sink.add(request);
        }
    }

    private static <R> void collect(@Nullable Iterable<R> from, Set<R> into) {
        if (from != null) {
            from.forEach(into::add);
        }
    }
}
