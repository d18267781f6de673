package io.github.reconciler4j.objectset;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.scheme.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The children that an object wants to have, as its reconciler declares them each time. A set is a value: it reads nothing and
 * writes nothing until {@link ObjectSets#reconcile} receives it.
 *
 * <!-- snippet: ShopReconciler -->
 * <pre>{@code
 * return ObjectSet.ownedBy(shop)
 *         .when(shop.getSpec().isIngressEnabled(), s -> s.apply(ingressFor(shop)))
 *         .apply(deploymentFor(shop))
 *         .untilReady()
 *         .within(Duration.ofMinutes(10))
 *         .then(s -> s.applyAll(Service.class, servicesFor(shop)))
 *         .ifServed(ROUTE, s -> s.apply(routeFor(shop)));
 * }</pre>
 *
 * <p>A set has steps, and {@link #then} starts the next one. The objects of one step do not depend on each other: a failure of
 * one does not keep the others from being applied. A step starts when all objects of the steps before it are applied, and
 * ready where the set asks for it. Until then its objects stay as they are.
 *
 * <p>What the owner has of the kinds that the set uses or has used, and the set does not contain, is deleted. Immutable;
 * thread-safe if its objects are not changed.
 *
 * @since 0.1.0
 */
public final class ObjectSet {

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?");

    private final HasMetadata owner;
    private final String name;
    private final List<List<Part>> steps;
    private final List<Kind<?>> pruned;

    private ObjectSet(HasMetadata owner, String name, List<List<Part>> steps, List<Kind<?>> pruned) {
        this.owner = owner;
        this.name = name;
        this.steps = steps;
        this.pruned = pruned;
    }

    /**
     * Start an empty set.
     *
     * @param owner the object that is reconciled, as it was read
     * @throws IllegalArgumentException if it has no uid
     */
    public static ObjectSet ownedBy(HasMetadata owner) {
        OwnerReferences.uid(owner);
        return new ObjectSet(owner, "", List.of(List.of()), List.of());
    }

    /**
     * Return a copy with a name. An owner needs names if it has several sets, for instance of two controllers: the objects of a
     * set with a name carry it in an annotation, and other sets of the owner leave them alone. The default is no name.
     *
     * @param setName at most 40 lower-case letters, digits and {@code -}. With another name, the set does not prune what it
     *     created before.
     * @throws IllegalArgumentException if the name is not valid
     */
    public ObjectSet named(String setName) {
        if (!NAME.matcher(setName).matches()) {
            throw new IllegalArgumentException(
                    "'setName' must have at most 40 lower-case letters, digits and '-', was '" + setName + "'");
        }
        return new ObjectSet(owner, setName, steps, pruned);
    }

    /**
     * Return a copy that applies an object too, with server-side apply and the owner as its managing controller. An object in
     * another namespace than the owner, or without one, gets a label with the uid of the owner instead; see
     * {@link ObjectSets#watch}. If the object has no namespace and its kind has, it gets that of the owner.
     *
     * @param object the desired state; not changed
     */
    public ObjectSet apply(HasMetadata object) {
        Objects.requireNonNull(object, "'object' must not be null");
        return with(new Part(List.of(object), null, null, null, Settings.DEFAULTS));
    }

    /** Return a copy that applies objects of the kind of a class too; see {@link #applyAll(Kind, Collection)}. */
    public <T extends HasMetadata> ObjectSet applyAll(Class<T> type, Collection<? extends T> objects) {
        return applyAll(Kind.of(type), objects);
    }

    /**
     * Return a copy that applies several objects of a kind too, as {@link #apply} does. Earlier objects of this kind that are
     * left out are deleted.
     *
     * @param objects the desired states; may be empty
     */
    public <T extends HasMetadata> ObjectSet applyAll(Kind<T> kind, Collection<? extends T> objects) {
        return with(new Part(List.copyOf(objects), kind, null, null, Settings.DEFAULTS));
    }

    /**
     * Return a copy with parts that exist only under a condition. If it is not met, their objects are deleted.
     *
     * @param parts adds the parts to an empty set; called only if the condition is met
     */
    public ObjectSet when(boolean condition, UnaryOperator<ObjectSet> parts) {
        return condition ? with(new Part(List.of(), null, nested(parts), null, Settings.DEFAULTS)) : with(Part.UNMET);
    }

    /**
     * Return a copy with a further step, which starts when all objects so far are applied and, where asked for, ready. Until
     * then, its objects stay as they are: they are neither applied nor deleted. What is added to the set afterwards belongs to
     * the same step.
     *
     * @param parts adds the parts of the step to an empty set
     */
    public ObjectSet then(UnaryOperator<ObjectSet> parts) {
        List<List<Part>> all = new ArrayList<>(steps);
        all.add(List.of());
        return new ObjectSet(owner, name, all, pruned)
                .with(new Part(List.of(), null, nested(parts), null, Settings.DEFAULTS));
    }

    /**
     * Return a copy with parts that are skipped while the API server does not serve a kind. The controller need not own the
     * kind: it is watched while it is served.
     *
     * @param parts adds the parts to an empty set; called even if the kind is not served
     */
    public ObjectSet ifServed(Kind<?> kind, UnaryOperator<ObjectSet> parts) {
        Objects.requireNonNull(kind, "'kind' must not be null");
        return with(new Part(List.of(), null, nested(parts), kind, Settings.DEFAULTS));
    }

    /** Return a copy whose last object or objects count as done when they are ready as {@link Readiness#standard} says. */
    public ObjectSet untilReady() {
        return untilReady(Readiness.standard());
    }

    /**
     * Return a copy whose last object or objects count as done when they are ready.
     *
     * @throws IllegalStateException if neither {@link #apply} nor {@link #applyAll} comes directly before
     */
    public ObjectSet untilReady(Readiness readiness) {
        Objects.requireNonNull(readiness, "'readiness' must not be null");
        return changeLast("untilReady", settings -> settings.until(readiness));
    }

    /**
     * Return a copy that gives its last object or objects a time to become ready. When it is over, the result says so, and the
     * next steps still wait. The time starts when this process first sees a version of the specification that is not ready.
     *
     * @param limit a positive time
     * @throws IllegalStateException if {@link #untilReady} does not come directly before
     */
    public ObjectSet within(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("'limit' must be positive, was " + limit);
        }
        return changeLast("within", settings -> {
            if (settings.readiness() == null) {
                throw new IllegalStateException("Call untilReady() before within(...): the time is for becoming ready");
            }
            return settings.limit(limit);
        });
    }

    /**
     * Return a copy that takes over its last object or objects if they exist and have no controller. By default that is a
     * failure, and the object is not touched. An object with another controller is never touched.
     *
     * @throws IllegalStateException if neither {@link #apply} nor {@link #applyAll} comes directly before
     */
    public ObjectSet adopt() {
        return changeLast("adopt", Settings::adopting);
    }

    /**
     * Return a copy that deletes what the owner has of a kind that this version of the operator does not create any more. The
     * controller must watch the kind, and needs the permission {@code delete}.
     */
    public ObjectSet prunes(Kind<?> kind) {
        List<Kind<?>> all = new ArrayList<>(pruned);
        all.add(Objects.requireNonNull(kind, "'kind' must not be null"));
        return new ObjectSet(owner, name, steps, List.copyOf(all));
    }

    /** Return the owner. */
    public HasMetadata owner() {
        return owner;
    }

    /** Return the name, {@code ""} if the set has none. */
    public String name() {
        return name;
    }

    List<List<Part>> steps() {
        return steps;
    }

    List<Kind<?>> pruned() {
        return pruned;
    }

    private ObjectSet nested(UnaryOperator<ObjectSet> parts) {
        ObjectSet empty = new ObjectSet(owner, name, List.of(List.of()), List.of());
        return Objects.requireNonNull(parts.apply(empty), "The function of the parts must return the set");
    }

    private ObjectSet with(Part part) {
        return replaceLastStep(step -> {
            List<Part> parts = new ArrayList<>(step);
            parts.add(part);
            return parts;
        });
    }

    private ObjectSet replaceLastStep(UnaryOperator<List<Part>> change) {
        List<List<Part>> all = new ArrayList<>(steps);
        int last = all.size() - 1;
        all.set(last, List.copyOf(change.apply(all.get(last))));
        return new ObjectSet(owner, name, List.copyOf(all), pruned);
    }

    private ObjectSet changeLast(String method, UnaryOperator<Settings> change) {
        List<Part> step = steps.get(steps.size() - 1);
        Part part = step.isEmpty() ? Part.UNMET : step.get(step.size() - 1);
        if (part.nested() != null || part.isUnmet()) {
            throw new IllegalStateException("Call apply(...) or applyAll(...) directly before " + method + "()");
        }
        Part changed = new Part(part.objects(), part.kind(), null, null, change.apply(part.settings()));
        return replaceLastStep(parts -> {
            List<Part> all = new ArrayList<>(parts);
            all.set(all.size() - 1, changed);
            return all;
        });
    }

    @Override
    public String toString() {
        return "ObjectSet[" + Ownership.describe(owner) + (name.isEmpty() ? "" : ", " + name) + "]";
    }

    /**
     * A part of a step: objects, or a nested set, or a condition that is not met.
     *
     * @param objects the objects
     * @param kind the kind of several objects, null for a single one
     * @param nested the nested set, null for objects
     * @param served the kind that the nested set needs, null for none
     * @param settings what is asked of the objects
     */
    record Part(
            List<HasMetadata> objects,
            @Nullable Kind<?> kind,
            @Nullable ObjectSet nested,
            @Nullable Kind<?> served,
            Settings settings) {

        /** A condition that is not met. */
        static final Part UNMET = new Part(List.of(), null, null, null, Settings.DEFAULTS);

        boolean isUnmet() {
            return objects.isEmpty() && kind == null && nested == null;
        }
    }

    /**
     * What is asked of the objects of a part.
     *
     * @param readiness when they are done, null as soon as they are applied
     * @param limit the time to become ready, null for any
     * @param adopts whether objects without a controller are taken over
     */
    record Settings(@Nullable Readiness readiness, @Nullable Duration limit, boolean adopts) {

        static final Settings DEFAULTS = new Settings(null, null, false);

        Settings until(Readiness newReadiness) {
            return new Settings(newReadiness, limit, adopts);
        }

        Settings limit(Duration newLimit) {
            return new Settings(readiness, newLimit, adopts);
        }

        Settings adopting() {
            return new Settings(readiness, limit, true);
        }
    }
}
