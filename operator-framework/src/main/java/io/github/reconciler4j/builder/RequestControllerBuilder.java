package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.RequiredPermission;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.source.EventSource;
import io.github.reconciler4j.source.KindSource;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Builds a controller without a primary kind: for aggregates, for external systems, and for other request types than
 * namespace and name. Its requests come from the kinds that it watches and from its sources.
 *
 * <pre>{@code
 * record Tenant(String id) {}
 *
 * ControllerBuilder.forRequests("tenants", Tenant.class)
 *         .watches(Namespace.class, namespace -> List.of(new Tenant(tenantOf(namespace))))
 *         .source(billingEvents)
 *         .reconciler((tenant, context) -> Result.done())
 *         .addTo(manager);
 * }</pre>
 *
 * <p>Use a builder once. Not thread-safe.
 *
 * @param <R> the type of requests: immutable, with {@code equals} and {@code hashCode}
 * @since 0.1.0
 */
public final class RequestControllerBuilder<R> {

    private static final Duration UNLIMITED = Duration.ofNanos(Nanos.MAX);

    private final List<Function<Site, EventSource<R>>> sources = new ArrayList<>();
    private EventPredicate<Object> globalPredicates = event -> true;
    private final List<RequiredPermission> permissions = new ArrayList<>();
    private final Map<String, String> claims = new LinkedHashMap<>();
    private @Nullable Function<R, OptionalInt> shards;
    private @Nullable String name;
    private @Nullable GroupVersionKind kind;
    private UnaryOperator<ControllerOptions> options = UnaryOperator.identity();
    private @Nullable RequestReconciler<R> reconciler;

    RequestControllerBuilder() {}

    void name(String newName) {
        name = newName;
    }

    void forKind(GroupVersionKind newKind) {
        kind = newKind;
    }

    /**
     * Watch a kind and enqueue the requests that a function returns for a changed object; for an update, those for the
     * object before and after it.
     *
     * @param mapper returns requests; null and empty mean none
     * @param predicates must all accept an event
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final <S extends HasMetadata> RequestControllerBuilder<R> watches(
            Class<S> type,
            Function<? super S, ? extends @Nullable Iterable<R>> mapper,
            EventPredicate<? super S>... predicates) {
        return kind(
                cache -> cache.informer(type),
                site -> EventHandlers.mapping(mapper),
                EventPredicates.allOf(predicates));
    }

    /**
     * Watch a kind in its generic form and enqueue the requests that a function returns for a changed object; see
     * {@link #watches(Class, Function, EventPredicate...)}.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final RequestControllerBuilder<R> watches(
            GroupVersionKind kind,
            Function<? super GenericKubernetesResource, ? extends @Nullable Iterable<R>> mapper,
            EventPredicate<? super GenericKubernetesResource>... predicates) {
        return kind(
                cache -> cache.informer(kind),
                site -> EventHandlers.mapping(mapper),
                EventPredicates.allOf(predicates));
    }

    /**
     * Watch a kind and let a handler enqueue requests. The handler receives the event itself: an update with the object
     * before and after it, a deletion.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final <S extends HasMetadata> RequestControllerBuilder<R> watchesWith(
            Class<S> type, EventHandler<? super S, R> handler, EventPredicate<? super S>... predicates) {
        return kind(cache -> cache.informer(type), site -> handler, EventPredicates.allOf(predicates));
    }

    /** Watch a kind in its generic form and let a handler enqueue requests. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final RequestControllerBuilder<R> watchesWith(
            GroupVersionKind kind,
            EventHandler<? super GenericKubernetesResource, R> handler,
            EventPredicate<? super GenericKubernetesResource>... predicates) {
        return kind(cache -> cache.informer(kind), site -> handler, EventPredicates.allOf(predicates));
    }

    /**
     * Watch the metadata of a kind and enqueue the requests that a function returns for the header of a changed object. The
     * API server is asked for metadata only, unless something else needs whole objects of the kind.
     *
     * @param mapper returns requests; null and empty mean none
     * @param predicates must all accept an event
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final RequestControllerBuilder<R> watchesMetadata(
            Class<? extends HasMetadata> type,
            Function<ObjectHeader, ? extends @Nullable Iterable<R>> mapper,
            EventPredicate<? super ObjectHeader>... predicates) {
        return kind(
                cache -> cache.metadataInformer(type),
                site -> EventHandlers.mappingHeader(mapper),
                EventPredicates.allOf(predicates));
    }

    /**
     * Watch the metadata of a kind that need not have a class; see
     * {@link #watchesMetadata(Class, Function, EventPredicate...)}.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final RequestControllerBuilder<R> watchesMetadata(
            GroupVersionKind kind,
            Function<ObjectHeader, ? extends @Nullable Iterable<R>> mapper,
            EventPredicate<? super ObjectHeader>... predicates) {
        return kind(
                cache -> cache.metadataInformer(kind),
                site -> EventHandlers.mappingHeader(mapper),
                EventPredicates.allOf(predicates));
    }

    /** Add a source of requests. Predicates do not apply to it. */
    public RequestControllerBuilder<R> source(EventSource<R> source) {
        Objects.requireNonNull(source, "'source' must not be null");
        sources.add(site -> source);
        return this;
    }

    /** Add predicates that come first in every watch of a kind. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final RequestControllerBuilder<R> withGlobalPredicates(EventPredicate<Object>... predicates) {
        globalPredicates = globalPredicates.and(EventPredicates.allOf(predicates));
        return this;
    }

    /** Set all options, instead of the defaults of the manager; see {@link ControllerCustomizers}. */
    public RequestControllerBuilder<R> options(ControllerOptions newOptions) {
        Objects.requireNonNull(newOptions, "'options' must not be null");
        options = before -> newOptions;
        return this;
    }

    /** Change the options set so far, or the defaults of the manager. */
    public RequestControllerBuilder<R> customizeOptions(UnaryOperator<ControllerOptions> change) {
        UnaryOperator<ControllerOptions> before = options;
        options = defaults -> change.apply(before.apply(defaults));
        return this;
    }

    /**
     * Declare permissions that the reconciler needs besides those for watching. The manager checks them at start and
     * reports those that are missing.
     */
    public RequestControllerBuilder<R> requiredPermissions(RequiredPermission... needed) {
        permissions.addAll(List.of(needed));
        return this;
    }

    /**
     * Set the reconciler.
     *
     * @throws IllegalStateException if the builder already has a reconciler
     */
    public RequestControllerBuilder<R> reconciler(RequestReconciler<R> newReconciler) {
        Objects.requireNonNull(newReconciler, "'reconciler' must not be null");
        if (reconciler != null) {
            throw new IllegalStateException("Controller '" + name + "' has a reconciler already");
        }
        reconciler = newReconciler;
        return this;
    }

    /** Add a watch of a kind. The informer is created by {@link #build}, so that the cache syncs before a start. */
    <S> RequestControllerBuilder<R> kind(
            Function<Cache, Informer<S>> informer,
            Function<Site, ? extends EventHandler<? super S, R>> handler,
            EventPredicate<S> predicate) {
        return kind(informer, handler, predicate, event -> false);
    }

    /** Add a watch of a kind, with events that reach the handler whatever the predicates say. */
    <S> RequestControllerBuilder<R> kind(
            Function<Cache, Informer<S>> informer,
            Function<Site, ? extends EventHandler<? super S, R>> handler,
            EventPredicate<S> predicate,
            EventPredicate<S> always) {
        sources.add(site -> new KindSource<S, R>(
                informer.apply(site.cache()), handler.apply(site), always.or(globalPredicates.and(predicate))));
        return this;
    }

    /** Declare what no other component of the manager may have. */
    void claims(Map<String, String> added) {
        claims.putAll(added);
    }

    /** Divide the requests like the objects of a kind, if replicas share these and the controller runs on one of them. */
    void shardBy(Informer<?> informer, Function<R, ObjectKey> key) {
        shards = informer.isDivided() ? request -> informer.shardOf(key.apply(request)) : null;
    }

    /**
     * Build the controller without adding it to the manager, for callers that start it themselves.
     *
     * @throws IllegalStateException if it has no reconciler or no source
     * @throws io.github.reconciler4j.scheme.UnknownKindException if the kind of a class is not known
     */
    public Controller<R> build(Manager manager) {
        return build(Site.home(manager));
    }

    Controller<R> build(Site site) {
        String controllerName = Objects.requireNonNull(name, "'name' must not be null");
        if (reconciler == null) {
            throw new IllegalStateException(
                    "Controller '" + controllerName + "' has no reconciler: call reconciler(...)");
        }
        if (sources.isEmpty()) {
            throw new IllegalStateException(
                    "Controller '" + controllerName + "' watches nothing: call watches(...) or source(...)");
        }
        RequestReconciler<R> there = site.located(controllerName, reconciler);
        ControllerOptions chosen = optionsFor(site, controllerName);
        OperatorMetrics metrics = site.manager().options().metrics();
        Controller<R> controller = kind == null
                ? Controller.create(controllerName, there, chosen, metrics)
                : Controller.create(controllerName, kind, there, chosen, metrics);
        for (Function<Site, EventSource<R>> source : sources) {
            controller.watch(source.apply(site));
        }
        controller.addRequiredPermissions(permissions);
        controller.addClaims(claims);
        OptionalInt shard = site.cluster().shard();
        if (shard.isPresent()) {
            controller.shardBy(request -> shard);
        }
        if (controller.group() == StartGroup.LEADER_ELECTED && site.isDivided()) {
            divide(controller);
        }
        return controller;
    }

    private void divide(Controller<R> controller) {
        Function<R, OptionalInt> divided = shards;
        if (divided != null) {
            controller.shardBy(divided);
            return;
        }
        for (EventSource<R> source : controller.sources()) {
            if (source instanceof KindSource<?, ?> kind && kind.isDivided()) {
                throw new IllegalStateException("Controller '" + controller.name()
                        + "' runs on one replica, but watches " + kind.name()
                        + ", of which a replica has only the objects of its shards: give this kind ShardKey.whole(),"
                        + " or the own kind of the controller a shard key, with CacheOptions.withKind");
            }
        }
    }

    /** The clock of the manager, unless the controller has one of its own. */
    private static ControllerOptions clocked(ControllerOptions options, Manager manager) {
        return options.timeSource() == TimeSource.system()
                ? options.withTimeSource(manager.options().timeSource())
                : options;
    }

    /** In another cluster, the start waits for the cluster as long as it takes. */
    private ControllerOptions optionsFor(Site site, String controllerName) {
        Manager manager = site.manager();
        ControllerOptions chosen =
                clocked(ControllerCustomizers.of(manager).options(controllerName, kind, options), manager);
        if (chosen.fieldManager().isPresent()
                && manager.options().client().fieldManager().isPresent()) {
            throw new IllegalArgumentException("'fieldManager' of controller '" + controllerName
                    + "' has no effect, because the options of the client of the manager have one for all writes: remove"
                    + " one of the two");
        }
        return site.name().isEmpty() ? chosen : chosen.withCluster(site.name()).withCacheSyncTimeout(UNLIMITED);
    }

    /** Return a copy to which more can be added. */
    RequestControllerBuilder<R> copy() {
        RequestControllerBuilder<R> copy = new RequestControllerBuilder<>();
        copy.sources.addAll(sources);
        copy.globalPredicates = globalPredicates;
        copy.permissions.addAll(permissions);
        copy.claims.putAll(claims);
        copy.name = name;
        copy.kind = kind;
        copy.options = options;
        copy.reconciler = reconciler;
        copy.shards = shards;
        return copy;
    }

    /**
     * Build the controller and add it, with its health check, to the manager, which starts and stops it.
     *
     * @throws IllegalStateException if it has no reconciler or no source, or if the manager is stopping
     * @throws IllegalArgumentException if the manager has a component of that name
     * @throws io.github.reconciler4j.scheme.UnknownKindException if the kind of a class is not known
     */
    public Controller<R> addTo(Manager manager) {
        Controller<R> controller = build(manager);
        manager.add(controller);
        return controller;
    }

    /**
     * Build and add one controller for each selected cluster of the manager, now and whenever one joins; see {@link
     * ControllerBuilder#addTo(Manager, Predicate)}.
     */
    public void addTo(Manager manager, Predicate<? super Cluster> clusters) {
        Site.addEach(manager, clusters, this::build);
    }
}
