package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.builder.ControllerAssembly.Relation;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Objects;
import java.util.function.Function;

/**
 * A kind that the reconciled objects name, such as the {@code Secret} of a {@code secretName}, for
 * {@link ControllerBuilder#references(Reference)}. It adds the index of the references, the watch of the named kind, and the
 * look-up of the objects to reconcile when a named object changes.
 *
 * <!-- snippet: ControllerUse -->
 * <pre>{@code
 * .references(Reference.to(Secret.class)
 *         .when(EventPredicates.labelsChanged())
 *         .by("signature", ControllerUse::signatures))
 * }</pre>
 *
 * <p>Only the metadata of the named kind is watched and kept, so predicates receive the header of an object. Immutable, and
 * thread-safe if its functions are.
 *
 * @param <T> the class of the reconciled kind
 * @since 0.1.0
 */
public final class Reference<T> {

    private final Builder to;
    private final String index;
    private final Function<? super T, ? extends Iterable<String>> names;

    private Reference(Builder to, String index, Function<? super T, ? extends Iterable<String>> names) {
        this.to = to;
        this.index = Objects.requireNonNull(index, "'index' must not be null");
        this.names = Objects.requireNonNull(names, "'names' must not be null");
    }

    /** Start a reference to the kind of a class; see {@link Kind#of(Class)}. */
    public static Builder to(Class<? extends HasMetadata> type) {
        return to(Kind.of(type));
    }

    /** Start a reference to a kind in any form, of which only the metadata is used. */
    public static Builder to(Kind<?> kind) {
        return new Builder(kind.metadata(), Relation.EVERYTHING, false);
    }

    String index() {
        return index;
    }

    Function<? super T, ? extends Iterable<String>> names() {
        return names;
    }

    Relation<ObjectHeader, Request> from(Function<BuildTarget, Informer<T>> primary) {
        return Relation.<ObjectHeader, Request>of(
                        to.kind, to.predicate, site -> new Referring(primary.apply(site), index))
                .optional(to.optional);
    }

    @Override
    public String toString() {
        return "Reference[" + to.kind + " by " + index + "]";
    }

    /**
     * A named kind without the names, which {@link #by} adds. Immutable.
     *
     * @since 0.1.0
     */
    public static final class Builder {

        private final Kind<ObjectHeader> kind;
        private final EventPredicate<? super ObjectHeader> predicate;
        private final boolean optional;

        private Builder(Kind<ObjectHeader> kind, EventPredicate<? super ObjectHeader> predicate, boolean optional) {
            this.kind = kind;
            this.predicate = predicate;
            this.optional = optional;
        }

        /** Return a copy with a predicate that must accept an event too. All predicates of a reference must accept it. */
        public Builder when(EventPredicate<? super ObjectHeader> accepts) {
            return new Builder(kind, Relation.<ObjectHeader>both(predicate, accepts), optional);
        }

        /** Return a copy for a kind that the API server may not serve; see {@link Owned#optional}. */
        public Builder optional() {
            return new Builder(kind, predicate, true);
        }

        /**
         * Return the reference by the names that a function returns.
         *
         * @param index the name of the index of the reconciled kind that keeps the names, unique among its indexes; lists
         *     select by it with the field selector {@code index=name}
         * @param names returns the names that a reconciled object refers to: {@code namespace/name}, or the name alone of an
         *     object in the same namespace or without one; must not change the object. If it throws, the object has none
         */
        public <T> Reference<T> by(String index, Function<? super T, ? extends Iterable<String>> names) {
            return new Reference<>(this, index, names);
        }

        @Override
        public String toString() {
            return "Reference.Builder[" + kind + "]";
        }
    }

    /**
     * Enqueues the primary objects that refer to a changed object by a term of an index: its key, or its name alone if both
     * are in the same namespace. A name cannot contain a slash, so the two are never confused.
     */
    private record Referring(Informer<?> primary, String index) implements EventHandler<Object, Request> {

        @Override
        public void onEvent(ObjectEvent<? extends Object> event, RequestSink<Request> sink) {
            ObjectKey changed = event.snapshot().key();
            for (ObjectSnapshot<?> object : primary.byIndex(index, changed.toString())) {
                sink.add(Request.of(object.key()));
            }
            if (!changed.namespace().isEmpty()) {
                for (ObjectSnapshot<?> object : primary.byIndex(index, changed.name())) {
                    if (object.key().namespace().equals(changed.namespace())) {
                        sink.add(Request.of(object.key()));
                    }
                }
            }
        }
    }
}
