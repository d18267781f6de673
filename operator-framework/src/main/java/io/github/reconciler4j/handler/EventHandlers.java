package io.github.reconciler4j.handler;

import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.event.ObjectEvent.Updated;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.OwnerRef;
import io.github.reconciler4j.support.PathSegments;
import io.github.reconciler4j.support.internal.UserCall;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Handlers for common cases. All are stateless and thread-safe if the functions they call are.
 *
 * <!-- snippet: SourceUse -->
 * <pre>{@code
 * controller.watch(new KindSource<>(
 *         manager.cache().informer(ConfigMap.class), EventHandlers.forObject(), EventPredicates.created()));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class EventHandlers {

    private EventHandlers() {}

    /** Return a handler that enqueues the object of the event itself, in its cluster. Looks at headers only. */
    public static EventHandler<Object, Request> forObject() {
        return (event, sink) -> {
            ObjectKey key = event.snapshot().key();
            sink.add(new Request(key.namespace(), key.name(), sink.cluster()));
        };
    }

    /**
     * Return a handler that enqueues the owners of the object, in its cluster; for an update, those before and after it, each once. Owners
     * are recognized by group and kind, in any version, and belong to the namespace of the object unless their kind
     * is cluster-scoped. Looks at headers only.
     *
     * @param ownerKind the kind of the owners
     * @param match whether to enqueue the managing controller only or every owner
     */
    public static EventHandler<Object, Request> forOwner(KindInfo ownerKind, OwnerMatch match) {
        return new OwnerHandler(ownerKind, match);
    }

    /**
     * Return a handler that enqueues what a function returns for the object; for an update, for the object before and after
     * it, each request once. Decodes the objects.
     *
     * @param mapper returns requests; null and empty mean none
     */
    public static <T, R> EventHandler<T, R> mapping(
            Function<? super T, ? extends @Nullable Iterable<? extends R>> mapper) {
        return (event, sink) -> addAll(event, snapshot -> mapper.apply(snapshot.object()), sink);
    }

    /**
     * Return a handler that enqueues what a function returns for the header of the object; for an update, for the headers
     * before and after it, each request once. Decodes nothing.
     *
     * @param mapper returns requests; null and empty mean none
     */
    public static <R> EventHandler<Object, R> mappingHeader(
            Function<ObjectHeader, ? extends @Nullable Iterable<? extends R>> mapper) {
        return (event, sink) -> addAll(event, snapshot -> mapper.apply(snapshot.header()), sink);
    }

    private static <T, R> void addAll(
            ObjectEvent<? extends T> event,
            Function<ObjectSnapshot<? extends T>, @Nullable Iterable<? extends R>> mapper,
            RequestSink<R> sink) {
        Set<R> requests = new LinkedHashSet<>();
        if (event instanceof Updated<? extends T> update) {
            map(mapper, update.previous(), requests);
        }
        map(mapper, event.snapshot(), requests);
        for (R request : requests) {
            sink.add(request);
        }
    }

    /** The result may be computed as it is read. */
    private static <T, R> void map(
            Function<ObjectSnapshot<? extends T>, ? extends @Nullable Iterable<? extends R>> mapper,
            ObjectSnapshot<? extends T> snapshot,
            Set<R> requests) {
        UserCall call = UserCall.enter(UserCall.Kind.MAPPER, "", null);
        try {
            collect(mapper.apply(snapshot), requests);
        } finally {
            call.exit();
        }
    }

    private static <R> void collect(@Nullable Iterable<? extends R> from, Set<R> into) {
        if (from != null) {
            from.forEach(into::add);
        }
    }

    /** Enqueues the owners of one kind. */
    private record OwnerHandler(KindInfo ownerKind, OwnerMatch match) implements EventHandler<Object, Request> {

        @Override
        public void onEvent(ObjectEvent<? extends Object> event, RequestSink<Request> sink) {
            Set<Request> owners = new LinkedHashSet<>();
            if (event instanceof Updated<?> update) {
                collectOwners(update.previous().header(), sink.cluster(), owners);
            }
            collectOwners(event.snapshot().header(), sink.cluster(), owners);
            owners.forEach(sink::add);
        }

        private void collectOwners(ObjectHeader owned, String cluster, Set<Request> owners) {
            for (OwnerRef owner : owned.ownerReferences()) {
                if (matches(owner)) {
                    String namespace = ownerKind.namespaced() ? owned.key().namespace() : "";
                    owners.add(new Request(namespace, owner.name(), cluster));
                }
            }
        }

        private boolean matches(OwnerRef owner) {
            return (match == OwnerMatch.ANY || owner.controller())
                    && owner.kind().equals(ownerKind.kind().kind())
                    && hasGroup(owner.apiVersion(), ownerKind.kind().group())
                    && !owner.name().isBlank()
                    && PathSegments.isSegment(owner.name()); // the API server accepts any name here
        }

        /** Compares without creating an object, because it runs for each event; malformed text has no group. */
        private static boolean hasGroup(String apiVersion, String group) {
            int slash = apiVersion.indexOf('/');
            if (slash < 0) {
                return group.isEmpty() && !apiVersion.isEmpty();
            }
            return slash > 0
                    && slash == group.length()
                    && slash == apiVersion.lastIndexOf('/')
                    && apiVersion.startsWith(group);
        }
    }
}
