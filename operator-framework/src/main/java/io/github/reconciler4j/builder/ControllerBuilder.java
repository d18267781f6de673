package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.handler.OwnerMatch;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.RequiredPermission;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.ErrorStatusHandler;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.source.EventSource;
import io.github.reconciler4j.source.ResyncSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Builds a controller for one kind, its primary kind.
 *
 * <pre>{@code
 * ControllerBuilder.forType(WebPage.class)
 *         .owns(Deployment.class)
 *         .index("theme", page -> List.of(page.getSpec().getTheme()))
 *         .watchesIndexed(Theme.class, "theme")
 *         .reconciler((page, context) -> Result.done())
 *         .addTo(manager);
 * }</pre>
 *
 * <p>Predicates of one watch apply to that watch alone; those of {@link #withGlobalPredicates} come before them in every
 * watch of a kind. Use a builder once. Not thread-safe.
 *
 * @param <T> the class of the primary kind
 * @since 0.1.0
 */
public final class ControllerBuilder<T extends HasMetadata> {

    private final Primary<T> primary;
    private final RequestControllerBuilder<Request> controller = new RequestControllerBuilder<>();
    private final List<BiConsumer<Site, Informer<T>>> indexes = new ArrayList<>();
    private final Set<String> indexNames = new LinkedHashSet<>();
    private final PrimarySettings<T> settings;
    private EventPredicate<T> predicates = event -> true;
    private @Nullable Duration resync;
    private @Nullable String name;

    private ControllerBuilder(Primary<T> primary) {
        this.primary = primary;
        this.settings = new PrimarySettings<>(primary);
    }

    /** Create a builder of a controller for the kind of a class. */
    public static <T extends HasMetadata> ControllerBuilder<T> forType(Class<T> type) {
        return new ControllerBuilder<>(Primary.ofType(type));
    }

    /**
     * Create a builder of a controller for a kind in its generic form. The scheme of the manager must know the kind, see
     * {@link io.github.reconciler4j.scheme.Scheme#register(KindInfo)}.
     */
    public static ControllerBuilder<GenericKubernetesResource> forKind(GroupVersionKind kind) {
        return new ControllerBuilder<>(Primary.ofKind(kind));
    }

    /**
     * Create a builder of a controller without a primary kind, whose requests can have any type.
     *
     * @param requestType the type of requests: immutable, with {@code equals} and {@code hashCode}
     */
    public static <R> RequestControllerBuilder<R> forRequests(String name, Class<R> requestType) {
        Objects.requireNonNull(requestType, "'requestType' must not be null");
        RequestControllerBuilder<R> builder = new RequestControllerBuilder<>();
        builder.name(Objects.requireNonNull(name, "'name' must not be null"));
        return builder;
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

    /** Add predicates that must all accept an event of the primary kind. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final ControllerBuilder<T> withPredicates(EventPredicate<? super T>... primaryPredicates) {
        predicates = predicates.and(EventPredicates.allOf(primaryPredicates));
        return this;
    }

    /** Add predicates that come first in every watch of a kind, including that of the primary kind. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final ControllerBuilder<T> withGlobalPredicates(EventPredicate<Object>... globalPredicates) {
        controller.withGlobalPredicates(globalPredicates);
        return this;
    }

    /**
     * Enqueue all objects of the primary kind periodically, for this controller alone. Reads only the cache. The requests
     * have low priority, and predicates do not apply to them.
     *
     * @param period the time between two resyncs, to which up to 10 % is added at random; positive
     */
    public ControllerBuilder<T> resync(Duration period) {
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("'resync' must be positive, was " + period);
        }
        resync = period;
        return this;
    }

    /**
     * Watch a kind whose objects this controller creates. A change enqueues the managing controller owner of the object if
     * it is of the primary kind. Looks at headers only.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final <S extends HasMetadata> ControllerBuilder<T> owns(
            Class<S> type, EventPredicate<? super S>... ownPredicates) {
        return owns(type, OwnerMatch.CONTROLLER, ownPredicates);
    }

    /** Watch a kind whose objects this controller creates, and choose which owners a change enqueues. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final <S extends HasMetadata> ControllerBuilder<T> owns(
            Class<S> type, OwnerMatch match, EventPredicate<? super S>... ownPredicates) {
        controller.kind(cache -> cache.informer(type), owners(match), EventPredicates.allOf(ownPredicates));
        return this;
    }

    /** Watch a kind, in its generic form, whose objects this controller creates. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final ControllerBuilder<T> owns(
            GroupVersionKind kind, EventPredicate<? super GenericKubernetesResource>... ownPredicates) {
        return owns(kind, OwnerMatch.CONTROLLER, ownPredicates);
    }

    /** Watch a kind, in its generic form, whose objects this controller creates, and choose which owners are enqueued. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final ControllerBuilder<T> owns(
            GroupVersionKind kind,
            OwnerMatch match,
            EventPredicate<? super GenericKubernetesResource>... ownPredicates) {
        controller.kind(cache -> cache.informer(kind), owners(match), EventPredicates.allOf(ownPredicates));
        return this;
    }

    private Function<Site, EventHandler<Object, Request>> owners(OwnerMatch match) {
        return site -> EventHandlers.forOwner(primary.kind(site), match);
    }

    /**
     * Watch a kind and enqueue the requests that a function returns for a changed object; for an update, those for the
     * object before and after it.
     *
     * @param mapper returns requests; null and empty mean none
     * @param watchPredicates must all accept an event
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final <S extends HasMetadata> ControllerBuilder<T> watches(
            Class<S> type,
            Function<? super S, ? extends @Nullable Iterable<Request>> mapper,
            EventPredicate<? super S>... watchPredicates) {
        controller.watches(type, mapper, watchPredicates);
        return this;
    }

    /**
     * Watch a kind in its generic form and enqueue the requests that a function returns for a changed object; see
     * {@link #watches(Class, Function, EventPredicate...)}.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final ControllerBuilder<T> watches(
            GroupVersionKind kind,
            Function<? super GenericKubernetesResource, ? extends @Nullable Iterable<Request>> mapper,
            EventPredicate<? super GenericKubernetesResource>... watchPredicates) {
        controller.watches(kind, mapper, watchPredicates);
        return this;
    }

    /**
     * Watch a kind and let a handler enqueue requests. The handler receives the event itself: an update with the object
     * before and after it, a deletion.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final <S extends HasMetadata> ControllerBuilder<T> watchesWith(
            Class<S> type, EventHandler<? super S, Request> handler, EventPredicate<? super S>... watchPredicates) {
        controller.watchesWith(type, handler, watchPredicates);
        return this;
    }

    /** Watch a kind in its generic form and let a handler enqueue requests. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final ControllerBuilder<T> watchesWith(
            GroupVersionKind kind,
            EventHandler<? super GenericKubernetesResource, Request> handler,
            EventPredicate<? super GenericKubernetesResource>... watchPredicates) {
        controller.watchesWith(kind, handler, watchPredicates);
        return this;
    }

    /**
     * Watch the metadata of a kind and enqueue the requests that a function returns for the header of a changed object. The
     * API server is asked for metadata only, unless something else needs whole objects of the kind.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final ControllerBuilder<T> watchesMetadata(
            Class<? extends HasMetadata> type,
            Function<ObjectHeader, ? extends @Nullable Iterable<Request>> mapper,
            EventPredicate<? super ObjectHeader>... watchPredicates) {
        controller.watchesMetadata(type, mapper, watchPredicates);
        return this;
    }

    /** Watch a kind that need not have a class, and enqueue the requests that a function returns for a header. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final ControllerBuilder<T> watchesMetadata(
            GroupVersionKind kind,
            Function<ObjectHeader, ? extends @Nullable Iterable<Request>> mapper,
            EventPredicate<? super ObjectHeader>... watchPredicates) {
        controller.watchesMetadata(kind, mapper, watchPredicates);
        return this;
    }

    /**
     * Watch a kind and enqueue the objects of the primary kind that refer to a changed object, as an {@link #index} of the
     * primary kind says. Only the metadata of the watched kind is watched.
     *
     * <pre>{@code
     * .index("secret", app -> List.of(app.getSpec().getSecretName()))
     * .watchesIndexed(Secret.class, "secret")
     * }</pre>
     *
     * <p>A term of the index refers to an object by its key, {@code namespace/name}, or by its name alone if it is
     * cluster-scoped or in the namespace of the primary object.
     *
     * @param index the name of an index that this builder declares for the primary kind
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final ControllerBuilder<T> watchesIndexed(
            Class<? extends HasMetadata> type, String index, EventPredicate<? super ObjectHeader>... watchPredicates) {
        controller.kind(
                cache -> cache.metadataInformer(type),
                site -> referring(site, index),
                EventPredicates.allOf(watchPredicates));
        return this;
    }

    /**
     * Watch a kind that need not have a class, and enqueue the objects of the primary kind that refer to a changed object;
     * see {@link #watchesIndexed(Class, String, EventPredicate...)}.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final ControllerBuilder<T> watchesIndexed(
            GroupVersionKind kind, String index, EventPredicate<? super ObjectHeader>... watchPredicates) {
        controller.kind(
                cache -> cache.metadataInformer(kind),
                site -> referring(site, index),
                EventPredicates.allOf(watchPredicates));
        return this;
    }

    private EventHandler<Object, Request> referring(Site site, String index) {
        if (!indexNames.contains(index)) {
            throw new IllegalStateException("Controller '" + nameFor(site) + "' watches a kind by the index '" + index
                    + "', which it does not declare: call index(\"" + index + "\", ...)");
        }
        return new ReferenceHandler(primary.informer().apply(site.cache()), index);
    }

    /**
     * Add an index of the primary kind to the cache. Lists select by it with the field selector {@code name=term}, and
     * {@link #watchesIndexed} follows references with it. The name must be unique among the indexes of the kind.
     *
     * @param terms returns the terms of an object; must not change the object. If it throws, the object has none
     */
    public ControllerBuilder<T> index(String indexName, Function<? super T, ? extends Iterable<String>> terms) {
        indexNames.add(Objects.requireNonNull(indexName, "'name' must not be null"));
        indexes.add((site, informer) -> addIndex(informer, indexName, terms));
        return this;
    }

    /** Add an index of another kind to the cache; see {@link #index(String, Function)}. */
    public <S extends HasMetadata> ControllerBuilder<T> index(
            Class<S> type, String indexName, Function<? super S, ? extends Iterable<String>> terms) {
        indexes.add((site, informer) -> addIndex(site.cache().informer(type), indexName, terms));
        return this;
    }

    /** Add an index of another kind, in its generic form, to the cache; see {@link #index(String, Function)}. */
    public ControllerBuilder<T> index(
            GroupVersionKind kind,
            String indexName,
            Function<? super GenericKubernetesResource, ? extends Iterable<String>> terms) {
        indexes.add((site, informer) -> addIndex(site.cache().informer(kind), indexName, terms));
        return this;
    }

    private static <S> void addIndex(
            Informer<S> informer, String indexName, Function<? super S, ? extends Iterable<String>> terms) {
        informer.addIndex(indexName, (ObjectSnapshot<S> snapshot) -> terms.apply(snapshot.object()));
    }

    /** Add a source of requests. Predicates do not apply to it. */
    public ControllerBuilder<T> source(EventSource<Request> source) {
        controller.source(source);
        return this;
    }

    /** Declare permissions that the reconciler needs besides those for watching. */
    public ControllerBuilder<T> requiredPermissions(RequiredPermission... permissions) {
        controller.requiredPermissions(permissions);
        return this;
    }

    /** Set all options, instead of the defaults of the manager; see {@link ControllerCustomizers}. */
    public ControllerBuilder<T> options(ControllerOptions options) {
        controller.options(options);
        return this;
    }

    /** Change the options set so far, or the defaults of the manager. */
    public ControllerBuilder<T> customizeOptions(UnaryOperator<ControllerOptions> change) {
        controller.customizeOptions(change);
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

    /**
     * Build the controller without adding it to the manager, for callers that start it themselves.
     *
     * @throws IllegalStateException if it has no reconciler
     * @throws IllegalArgumentException if a setting does not fit the kind
     * @throws io.github.reconciler4j.scheme.UnknownKindException if the kind of a class is not known
     */
    public Controller<Request> build(Manager manager) {
        return build(Site.home(manager));
    }

    /**
     * Build the controller and add it, with its health check, to the manager, which starts and stops it. Throws what
     * {@link #build} and {@link Manager#add} throw.
     */
    public Controller<Request> addTo(Manager manager) {
        Controller<Request> controller = build(manager);
        manager.add(controller);
        return controller;
    }

    /**
     * Build and add one controller for each selected cluster, now and whenever one joins. Each has its own queue, workers and
     * metrics, so a slow cluster affects no other. All call the same reconciler, whose context has the cluster and its client.
     *
     * @param clusters returns whether to run in a cluster, such as the {@link Manager#home home} cluster
     */
    public void addTo(Manager manager, Predicate<? super Cluster> clusters) {
        Site.addEach(manager, clusters, this::build);
    }

    private String nameFor(Site site) {
        return name != null ? name : primary.kind(site).kind().kind().toLowerCase(Locale.ROOT);
    }

    private Controller<Request> build(Site site) {
        RequestControllerBuilder<Request> complete = controller.copy();
        complete.name(nameFor(site));
        complete.forKind(primary.kind(site).kind());
        complete.reconciler(settings.build(site, nameFor(site)));
        settings.declare(site, complete);
        complete.kind(
                primary.informer(),
                ignored -> EventHandlers.forObject(),
                settings.events(site).and(predicates),
                settings.leaving(site));
        Informer<T> informer = primary.informer().apply(site.cache());
        indexes.forEach(index -> index.accept(site, informer));
        complete.shardBy(informer, Request::key);
        if (resync != null) {
            complete.source(ResyncSource.every(resync, informer).filtered(settings::selects));
        }
        return complete.build(site);
    }
}
