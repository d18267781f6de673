package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.builder.ControllerAssembly.Relation;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.handler.OwnerMatch;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import java.util.Objects;
import java.util.function.Function;

/**
 * A kind whose objects the reconciled objects own, for {@link ControllerBuilder#owns(Owned)}. A change of such an object
 * reconciles its owners.
 *
 * <!-- snippet: ControllerUse -->
 * <pre>{@code
 * ControllerBuilder.of(Greeting.class)
 *         .owns(Owned.of(ConfigMap.class).when(EventPredicates.labelSelector("app=greeter")))
 *         .requiredPermissions(RequiredPermission.on(ConfigMap.class, "create", "patch"))
 *         .reconciler((greeting, context) -> Result.done())
 *         .addTo(manager);
 * }</pre>
 *
 * <p>Owners are found in the headers of objects, so {@code Owned.of(kind.metadata())} is enough unless the reconciler or a
 * predicate reads the content of the objects from the cache. Immutable and thread-safe.
 *
 * @param <S> the type of the objects
 * @since 0.1.0
 */
public final class Owned<S> {

    private final Kind<S> kind;
    private final OwnerMatch match;
    private final EventPredicate<? super S> predicate;
    private final boolean optional;
    private final OwnWrites ownWrites;

    private Owned(
            Kind<S> kind,
            OwnerMatch match,
            EventPredicate<? super S> predicate,
            boolean optional,
            OwnWrites ownWrites) {
        this.kind = Objects.requireNonNull(kind, "'kind' must not be null");
        this.match = Objects.requireNonNull(match, "'match' must not be null");
        this.predicate = predicate;
        this.optional = optional;
        this.ownWrites = Objects.requireNonNull(ownWrites, "'ownWrites' must not be null");
    }

    /** Return the relation to the kind of a class; see {@link Kind#of(Class)}. */
    public static <S extends HasMetadata> Owned<S> of(Class<S> type) {
        return of(Kind.of(type));
    }

    /** Return the relation to a kind: typed, generic or metadata only. */
    public static <S> Owned<S> of(Kind<S> kind) {
        return new Owned<>(kind, OwnerMatch.CONTROLLER, Relation.EVERYTHING, false, OwnWrites.DELIVER);
    }

    /** Return a copy that reconciles these owners of a changed object (default: {@link OwnerMatch#CONTROLLER}). */
    public Owned<S> match(OwnerMatch owners) {
        return new Owned<>(kind, owners, predicate, optional, ownWrites);
    }

    /** Return a copy with a predicate that must accept an event too. All predicates of a relation must accept it. */
    public Owned<S> when(EventPredicate<? super S> accepts) {
        return new Owned<>(kind, match, Relation.<S>both(predicate, accepts), optional, ownWrites);
    }

    /**
     * Return a copy for a kind that the API server may not serve. The controller does not wait for it: it follows the kind while it
     * is served, and then and when that ends it reconciles all objects that its predicates accept, with low priority. Reads of the
     * kind return nothing while it is not served, see {@link io.github.reconciler4j.cache.Cache#optionalInformer}. The permissions
     * to watch the kind are required nevertheless. Each cluster and each replica decides this for itself.
     */
    public Owned<S> optional() {
        return new Owned<>(kind, match, predicate, true, ownWrites);
    }

    /** Return a copy that delivers or drops the updates that a reconciliation wrote (default: {@link OwnWrites#DELIVER}). */
    public Owned<S> ownWrites(OwnWrites own) {
        return new Owned<>(kind, match, predicate, optional, own);
    }

    Relation<S, Request> by(Function<BuildTarget, KindInfo> owner) {
        return Relation.<S, Request>of(kind, predicate, site -> EventHandlers.forOwner(owner.apply(site), match))
                .optional(optional)
                .ownWrites(ownWrites);
    }

    @Override
    public String toString() {
        return "Owned[" + kind + "]";
    }
}
