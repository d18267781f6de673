package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.builder.ControllerAssembly.Relation;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.scheme.Kind;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A watched kind and the requests that a change of its objects leads to, for controllers of objects and of requests.
 *
 * <!-- snippet: ControllerUse -->
 * <pre>{@code
 * .watches(Watch.kind(Kind.of(Namespace.class).metadata())
 *         .when(EventPredicates.labelsChanged())
 *         .map(namespace -> List.of(new Request(namespace.key().name(), "default"))))
 * }</pre>
 *
 * <p>The form of the kind decides what the cache keeps: a watch of {@link Kind#metadata} never keeps the content of objects.
 * Immutable, and thread-safe if its functions are.
 *
 * @param <R> the type of requests
 * @since 0.1.0
 */
public final class Watch<R> {

    private final Relation<?, R> relation;

    private Watch(Relation<?, R> relation) {
        this.relation = relation;
    }

    /** Start a watch of the kind of a class; see {@link Kind#of(Class)}. */
    public static <S extends HasMetadata> Builder<S> kind(Class<S> type) {
        return kind(Kind.of(type));
    }

    /** Start a watch of a kind: typed, generic or metadata only. */
    public static <S> Builder<S> kind(Kind<S> kind) {
        return new Builder<>(kind, Relation.EVERYTHING, false, OwnWrites.DELIVER);
    }

    Relation<?, R> relation() {
        return relation;
    }

    @Override
    public String toString() {
        return "Watch[" + relation.kind() + "]";
    }

    /**
     * A watched kind without the requests, which {@link #map} or {@link #handler} adds. Immutable.
     *
     * @param <S> the type of the objects
     * @since 0.1.0
     */
    public static final class Builder<S> {

        private final Kind<S> kind;
        private final EventPredicate<? super S> predicate;
        private final boolean optional;
        private final OwnWrites ownWrites;

        private Builder(Kind<S> kind, EventPredicate<? super S> predicate, boolean optional, OwnWrites ownWrites) {
            this.kind = Objects.requireNonNull(kind, "'kind' must not be null");
            this.predicate = predicate;
            this.optional = optional;
            this.ownWrites = Objects.requireNonNull(ownWrites, "'ownWrites' must not be null");
        }

        /** Return a copy with a predicate that must accept an event too. All predicates of a watch must accept it. */
        public Builder<S> when(EventPredicate<? super S> accepts) {
            return new Builder<>(kind, Relation.<S>both(predicate, accepts), optional, ownWrites);
        }

        /**
         * Return a copy for a kind that the API server may not serve; see {@link Owned#optional}. A controller of requests of an
         * own type is notified by {@link EventHandler#onServedChange} only.
         */
        public Builder<S> optional() {
            return new Builder<>(kind, predicate, true, ownWrites);
        }

        /** Return a copy that delivers or drops the updates that a reconciliation wrote (default: {@link OwnWrites#DELIVER}). */
        public Builder<S> ownWrites(OwnWrites own) {
            return new Builder<>(kind, predicate, optional, own);
        }

        /**
         * Return the watch that enqueues what a function returns for a changed object; for an update, for the object before
         * and after it, each request once.
         *
         * @param mapper returns requests; null and empty mean none
         */
        public <R> Watch<R> map(Function<? super S, ? extends @Nullable Iterable<? extends R>> mapper) {
            Objects.requireNonNull(mapper, "'mapper' must not be null");
            return handler(EventHandlers.<S, R>mapping(mapper));
        }

        /**
         * Return the watch whose requests a handler enqueues. The handler receives the event itself: an update with the
         * object before and after it, a deletion.
         */
        public <R> Watch<R> handler(EventHandler<? super S, R> handler) {
            Objects.requireNonNull(handler, "'handler' must not be null");
            return new Watch<>(Relation.<S, R>of(kind, predicate, site -> handler)
                    .optional(optional)
                    .ownWrites(ownWrites));
        }

        @Override
        public String toString() {
            return "Watch.Builder[" + kind + "]";
        }
    }
}
