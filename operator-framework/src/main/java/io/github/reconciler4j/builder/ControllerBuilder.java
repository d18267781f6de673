package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.builder.ControllerAssembly.Relation;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.ErrorStatusHandler;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.source.ResyncSource;
import io.github.reconciler4j.source.ScheduleSource;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Builds a controller for one kind, its primary kind.
 *
 * <!-- snippet: GreetingOperator -->
 * <pre>{@code
 * ControllerBuilder.of(Greeting.class)
 *         .owns(ConfigMap.class)
 *         .reconciler((greeting, context) -> {
 *             manager.client().apply(configMapFor(greeting));
 *             return Result.done();
 *         })
 *         .addTo(manager);
 * }</pre>
 *
 * <p>{@link #owns}, {@link #watches} and {@link #references} take a class. For details, they take a value: {@link Owned},
 * {@link Watch} and {@link Reference}. Its predicates apply to that relation alone; those of {@link #withGlobalPredicate}
 * come before them in every watch of a kind. Use a builder once. Not thread-safe.
 *
 * @param <T> the class of the primary kind
 * @since 0.1.0
 */
public final class ControllerBuilder<T extends HasMetadata>
        extends AbstractControllerBuilder<Request, ControllerBuilder<T>> {

    private final Primary<T> primary;
    private final List<Consumer<BuildTarget>> indexes = new ArrayList<>();
    private final PrimarySettings<T> settings;
    private EventPredicate<? super T> predicate = Relation.EVERYTHING;
    private @Nullable Duration resync;
    private @Nullable Function<Informer<T>, ScheduleSource> schedule;
    private @Nullable String name;

    private ControllerBuilder(Primary<T> primary) {
        this.primary = primary;
        this.settings = new PrimarySettings<>(primary);
        assembly.everything((site, global) -> ControllerAssembly.ServedHandler.everything(
                primary.informer(site), Relation.<T>both(global, Relation.<T>both(settings.events(site), predicate))));
    }

    /**
     * Create a builder of a controller for the kind of a class.
     *
     * @throws io.github.reconciler4j.scheme.UnknownKindException if the class does not name its kind
     */
    public static <T extends HasMetadata> ControllerBuilder<T> of(Class<T> type) {
        return of(Kind.of(type));
    }

    /**
     * Create a builder of a controller for a kind, typed or generic. The scheme of the manager must know a generic kind, see
     * {@link io.github.reconciler4j.scheme.Scheme#register(KindInfo)}.
     */
    public static <T extends HasMetadata> ControllerBuilder<T> of(Kind<T> kind) {
        return new ControllerBuilder<>(new Primary<>(Objects.requireNonNull(kind, "'kind' must not be null")));
    }

    /**
     * Create a builder of a controller without a primary kind, whose requests can have any type.
     *
     * @param requestType the type of requests: immutable, with {@code equals} and {@code hashCode}
     */
    public static <R> RequestControllerBuilder<R> forRequests(String name, Class<R> requestType) {
        Objects.requireNonNull(requestType, "'requestType' must not be null");
        return new RequestControllerBuilder<>(Objects.requireNonNull(name, "'name' must not be null"));
    }

    /** Set the name of the controller in logs, metrics and health (default: the kind in lower case). */
    public ControllerBuilder<T> named(String newName) {
        name = Objects.requireNonNull(newName, "'name' must not be null");
        return this;
    }

    /**
     * Select the objects of the primary kind that this controller reconciles by their labels. Requests for other objects,
     * also those that a watched object leads to, are dropped before the reconciler is called. An object that leaves the
     * selection loses the finalizer of the controller, without a call of the {@link #cleaner}. Replaces an earlier call.
     *
     * @param selector a selector as for {@code kubectl -l}; {@code ""} selects every object
     */
    public ControllerBuilder<T> withLabelSelector(String selector) {
        settings.labelSelector(selector);
        return this;
    }

    /**
     * Select the objects of the primary kind that this controller reconciles by their namespaces. Requests for objects in
     * other namespaces are dropped before the reconciler is called. Replaces an earlier call.
     *
     * @param namespaces the names of the namespaces; none for all namespaces
     * @throws IllegalArgumentException if a name is not the name of a namespace
     */
    public ControllerBuilder<T> inNamespaces(String... namespaces) {
        settings.namespaces(namespaces);
        return this;
    }

    /**
     * Set which updates of the primary kind lead to a reconciliation. The default is {@link ReconcileOn#SPEC_OR_METADATA}
     * for custom resources, so that a controller does not react to its own status updates, and
     * {@link ReconcileOn#ANY_CHANGE} for built-in kinds. Custom resources are the subclasses of
     * {@link io.fabric8.kubernetes.client.CustomResource}, and generic kinds whose group has a dot and does not end with
     * {@code .k8s.io}.
     */
    public ControllerBuilder<T> reconcileOn(ReconcileOn updates) {
        settings.reconcileOn(updates);
        return this;
    }

    /** Add a predicate for events of the primary kind. All of them must accept an event. */
    public ControllerBuilder<T> when(EventPredicate<? super T> accepts) {
        predicate = Relation.<T>both(predicate, accepts);
        return this;
    }

    /**
     * Enqueue all objects of the primary kind periodically, for this controller alone. Reads only the cache. The requests
     * have low priority, and predicates do not apply to them.
     *
     * @param period the time between two resyncs, to which up to 10 % is added at random; positive
     * @throws IllegalArgumentException if it is not positive
     */
    public ControllerBuilder<T> resync(Duration period) {
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("'resync' must be positive, was " + period);
        }
        resync = period;
        return this;
    }

    /**
     * Enqueue all objects of the primary kind at the times of a schedule, for this controller alone. Reads only the cache. The
     * requests have low priority, and predicates do not apply to them. Several times that pass while the process is suspended, or
     * before the cache has synced, are made up for once. The initial list of a start makes up for those before it. Replaces an
     * earlier call.
     *
     * @param next returns the first time of the schedule after a time, null if it has ended
     * @param zone the time zone of the times that the function receives
     */
    public ControllerBuilder<T> schedule(
            Function<? super ZonedDateTime, ? extends @Nullable ZonedDateTime> next, ZoneId zone) {
        Objects.requireNonNull(next, "'next' must not be null");
        Objects.requireNonNull(zone, "'zone' must not be null");
        schedule = informer -> ScheduleSource.at(next, zone, informer);
        return this;
    }

    /**
     * Watch a kind whose objects this controller creates. A change enqueues the managing controller owner of the object if
     * it is of the primary kind. Looks at headers only.
     */
    public ControllerBuilder<T> owns(Class<? extends HasMetadata> type) {
        return owns(Owned.of(type));
    }

    /** Watch a kind whose objects this controller creates, as an {@link Owned} says: with predicates, with other owners. */
    public ControllerBuilder<T> owns(Owned<?> owned) {
        assembly.relation(owned.by(primary::kind));
        return this;
    }

    /** Delete what object sets have created of the kind of a class in earlier versions; see {@link #prunes(Kind)}. */
    public ControllerBuilder<T> prunes(Class<? extends HasMetadata> type) {
        return prunes(Kind.of(type));
    }

    /**
     * Watch a kind that earlier versions of the reconciler created in object sets, and let object sets delete what is left of it.
     * Requires the permission {@code delete}. Watches metadata only.
     */
    public ControllerBuilder<T> prunes(Kind<?> kind) {
        assembly.prunes(kind);
        return owns(Owned.of(kind.metadata()));
    }

    /**
     * Watch a kind that the objects of the primary kind name, and enqueue those that name a changed object. Adds an index of
     * the names to the cache; lists select by it with the field selector {@code index=name}. Only the metadata of the named
     * kind is watched.
     *
     * <pre>{@code
     * .references(Secret.class, "secretName", app -> List.of(app.getSpec().getSecretName()))
     * }</pre>
     *
     * @param index the name of the index, unique among the indexes of the primary kind
     * @param names returns the names that an object refers to: {@code namespace/name}, or the name alone of an object in the
     *     same namespace or without one; must not change the object. If it throws, the object has none
     */
    public ControllerBuilder<T> references(
            Class<? extends HasMetadata> type, String index, Function<? super T, ? extends Iterable<String>> names) {
        return references(Reference.to(type).<T>by(index, names));
    }

    /** Watch a kind that the objects of the primary kind name, as a {@link Reference} says: with predicates, without a class. */
    public ControllerBuilder<T> references(Reference<T> reference) {
        index(reference.index(), reference.names());
        assembly.relation(reference.from(primary::informer));
        return this;
    }

    /**
     * Add an index of the primary kind to the cache. Lists select by it with the field selector {@code name=term}. The name
     * must be unique among the indexes of the kind. To follow references, use {@link #references}.
     *
     * @param terms returns the terms of an object; must not change the object. If it throws, the object has none
     */
    public ControllerBuilder<T> index(String name, Function<? super T, ? extends Iterable<String>> terms) {
        return index(primary.kind(), name, terms);
    }

    /** Add an index of another kind to the cache; see {@link #index(String, Function)}. */
    public <S> ControllerBuilder<T> index(
            Kind<S> kind, String name, Function<? super S, ? extends Iterable<String>> terms) {
        Objects.requireNonNull(name, "'name' must not be null");
        Objects.requireNonNull(terms, "'terms' must not be null");
        indexes.add(site -> site.cache()
                .informer(kind)
                .addIndex(name, (ObjectSnapshot<S> snapshot) -> terms.apply(snapshot.object())));
        return this;
    }

    /**
     * Set a reconciler of objects, which receives a copy of the object from the cache. A request whose object does not
     * exist is finished without a call. A reconciler that implements {@link Cleaner} or {@link ErrorStatusHandler} is used
     * as such unless {@link #cleaner} or {@link #errorStatusHandler} sets another.
     *
     * @throws IllegalStateException if the builder already has a reconciler
     */
    public ControllerBuilder<T> reconciler(ObjectReconciler<T> reconciler) {
        settings.reconciler(Objects.requireNonNull(reconciler, "'reconciler' must not be null"));
        return this;
    }

    /**
     * Set a reconciler of requests, which is also called if the object does not exist. A reconciler that implements
     * {@link Cleaner} or {@link ErrorStatusHandler} is used as such unless {@link #cleaner} or {@link #errorStatusHandler}
     * sets another.
     *
     * @throws IllegalStateException if the builder already has a reconciler
     */
    public ControllerBuilder<T> requestReconciler(RequestReconciler<Request> reconciler) {
        settings.requestReconciler(Objects.requireNonNull(reconciler, "'reconciler' must not be null"));
        return this;
    }

    /**
     * Set the cleaner, which is called instead of the reconciler for an object that is marked for deletion. The controller
     * adds its finalizer before the first reconciliation and removes it when the cleaner is done.
     */
    public ControllerBuilder<T> cleaner(Cleaner<? super T> cleaner) {
        settings.cleaner(cleaner);
        return this;
    }

    /**
     * Set the qualified name of the finalizer (default: {@code <plural>.<group>/finalizer}). A manager refuses two with the same.
     */
    public ControllerBuilder<T> finalizer(String finalizer) {
        settings.finalizer(finalizer);
        return this;
    }

    /** Set the handler that reports a failed reconciliation in the status of the object. */
    public ControllerBuilder<T> errorStatusHandler(ErrorStatusHandler<? super T> handler) {
        settings.errorStatusHandler(handler);
        return this;
    }

    @Override
    String nameFor(BuildTarget site) {
        return name != null ? name : primary.kind(site).kind().kind().toLowerCase(Locale.ROOT);
    }

    @Override
    ControllerBuilder<T> self() {
        return this;
    }

    @Override
    Controller<Request> build(BuildTarget site) {
        ControllerAssembly<Request> complete = assembly.copy();
        complete.name(nameFor(site));
        complete.forKind(primary.kind(site).kind());
        ControllerOptions chosen = complete.resolveOptions(site);
        PausedObjects paused = new PausedObjects(chosen.pauseAnnotation(), chosen.timeSource());
        complete.completion(controller -> controller.operations().pausedObjects(paused.requests()));
        complete.reconciler(settings.build(site, nameFor(site), chosen, paused));
        complete.abroad(there -> settings.build(there, nameFor(site), chosen, paused));
        settings.declare(site, complete, chosen);
        complete.relation(new Relation<T, Request>(
                primary.kind(),
                Relation.<T>both(settings.events(site), predicate),
                settings.leaving(site).or(paused::isChangedBy),
                there -> EventHandlers.forObject(),
                false,
                OwnWrites.DELIVER));
        Informer<T> informer = primary.informer(site);
        indexes.forEach(index -> index.accept(site));
        complete.divideBy(informer, Request::key);
        if (resync != null) {
            complete.source(ResyncSource.every(resync, informer).filtered(settings::selects));
        }
        if (schedule != null) {
            complete.source(schedule.apply(informer).filtered(settings::selects).withTimeSource(chosen.timeSource()));
        }
        return complete.build(site);
    }
}
