package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.RequiredPermission;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.source.EventSource;
import io.github.reconciler4j.source.KindSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Puts a controller together that is not for one kind: for aggregates, for external systems, and for request types other
 * than namespace and name. Its requests come from what it watches and from sources of one's own.
 *
 * <pre>{@code
 * record Tenant(String id) {}
 *
 * ControllerBuilder.<Tenant>forRequests("tenants")
 *         .watches(Namespace.class, namespace -> List.of(new Tenant(tenantOf(namespace))))
 *         .source(billingEvents)
 *         .reconciler((tenant, context) -> Result.done())
 *         .addTo(manager);
 * }</pre>
 *
 * <p>For use by one thread, once.
 *
 * @param <R> what a request is: immutable, with {@code equals} and {@code hashCode}
 * @since 0.1.0
 */
public final class RequestControllerBuilder<R> {

    private final List<Function<Manager, EventSource<R>>> sources = new ArrayList<>();
    private EventPredicate<Object> globalPredicates = event -> true;
    private final List<RequiredPermission> needs = new ArrayList<>();
    private @Nullable String name;
    private Optional<GroupVersionKind> kind = Optional.empty();
    private UnaryOperator<ControllerOptions> options = UnaryOperator.identity();
    private @Nullable Function<Manager, RequestReconciler<R>> reconciler;

    RequestControllerBuilder() {}

    void name(String newName) {
        name = newName;
    }

    void forKind(GroupVersionKind newKind) {
        kind = Optional.of(newKind);
    }

    /**
     * Watches a kind and queues what a function returns for a changed object; for an update, for the object before and
     * after.
     *
     * @param mapper names the requests an object concerns; null and empty are none
     * @param predicates must all let an event go on
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final <S extends HasMetadata> RequestControllerBuilder<R> watches(
            Class<S> type,
            Function<? super S, ? extends @Nullable Iterable<R>> mapper,
            EventPredicate<? super S>... predicates) {
        return kind(
                cache -> cache.informer(type),
                manager -> EventHandlers.mapping(mapper),
                EventPredicates.allOf(predicates));
    }

    /** The same for a kind in its generic form. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final RequestControllerBuilder<R> watches(
            GroupVersionKind kind,
            Function<? super GenericKubernetesResource, ? extends @Nullable Iterable<R>> mapper,
            EventPredicate<? super GenericKubernetesResource>... predicates) {
        return kind(
                cache -> cache.informer(kind),
                manager -> EventHandlers.mapping(mapper),
                EventPredicates.allOf(predicates));
    }

    /**
     * Watches a kind and has a handler decide what to queue. The handler sees what happened: an update with the object
     * before and after, a deletion.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final <S extends HasMetadata> RequestControllerBuilder<R> watchesWith(
            Class<S> type, EventHandler<? super S, R> handler, EventPredicate<? super S>... predicates) {
        return kind(cache -> cache.informer(type), manager -> handler, EventPredicates.allOf(predicates));
    }

    /**
     * Watches a kind and queues what a function returns for a changed object's header. No object is ever decoded for it.
     *
     * @param mapper names the requests an object concerns; null and empty are none
     * @param predicates must all let an event go on
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final <S extends HasMetadata> RequestControllerBuilder<R> watchesMetadata(
            Class<S> type,
            Function<ObjectHeader, ? extends @Nullable Iterable<R>> mapper,
            EventPredicate<? super S>... predicates) {
        return kind(
                cache -> cache.informer(type),
                manager -> EventHandlers.mappingHeader(mapper),
                EventPredicates.allOf(predicates));
    }

    /** The same for a kind that need not have a class. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final RequestControllerBuilder<R> watchesMetadata(
            GroupVersionKind kind,
            Function<ObjectHeader, ? extends @Nullable Iterable<R>> mapper,
            EventPredicate<? super GenericKubernetesResource>... predicates) {
        return kind(
                cache -> cache.informer(kind),
                manager -> EventHandlers.mappingHeader(mapper),
                EventPredicates.allOf(predicates));
    }

    /** Adds a source of one's own; global predicates do not concern it. */
    public RequestControllerBuilder<R> source(EventSource<R> source) {
        Objects.requireNonNull(source, "'source' must not be null");
        sources.add(manager -> source);
        return this;
    }

    /** Adds predicates that come first in every watch of a kind. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final RequestControllerBuilder<R> withGlobalPredicates(EventPredicate<Object>... predicates) {
        globalPredicates = globalPredicates.and(EventPredicates.allOf(predicates));
        return this;
    }

    /** Sets all options; without it they are the manager's {@link ControllerDefaults}. */
    public RequestControllerBuilder<R> options(ControllerOptions newOptions) {
        Objects.requireNonNull(newOptions, "'options' must not be null");
        options = before -> newOptions;
        return this;
    }

    /** Changes the options set so far, or the defaults of the manager, and leaves the others as they are. */
    public RequestControllerBuilder<R> customizeOptions(UnaryOperator<ControllerOptions> change) {
        UnaryOperator<ControllerOptions> before = options;
        options = defaults -> change.apply(before.apply(defaults));
        return this;
    }

    /**
     * Declares rights that the reconciler needs besides watching: the manager asks for them at start and reports those
     * that are missing. Without it only what is watched is asked for.
     */
    public RequestControllerBuilder<R> requiredPermissions(RequiredPermission... rights) {
        needs.addAll(List.of(rights));
        return this;
    }

    /**
     * Sets the reconciler.
     *
     * @throws IllegalStateException if there is one already
     */
    public RequestControllerBuilder<R> reconciler(RequestReconciler<R> newReconciler) {
        Objects.requireNonNull(newReconciler, "'reconciler' must not be null");
        reconciler(manager -> newReconciler);
        return this;
    }

    void reconciler(Function<Manager, RequestReconciler<R>> newReconciler) {
        if (reconciler != null) {
            throw new IllegalStateException("Controller '" + name + "' has a reconciler already");
        }
        reconciler = newReconciler;
    }

    /** Plans the watch of a kind. The informer is asked for at build, so that its cache syncs before anything starts. */
    <S> RequestControllerBuilder<R> kind(
            Function<Cache, Informer<S>> informer,
            Function<Manager, ? extends EventHandler<? super S, R>> handler,
            EventPredicate<S> predicate) {
        sources.add(manager -> new KindSource<S, R>(
                informer.apply(manager.cache()), handler.apply(manager), globalPredicates.and(predicate)));
        return this;
    }

    /**
     * Makes the controller for a manager without adding it, for those who start it themselves.
     *
     * @throws IllegalStateException if it has no reconciler or no source
     * @throws io.github.reconciler4j.scheme.UnknownKindException if a class does not say its kind
     */
    public Controller<R> build(Manager manager) {
        String controllerName = Objects.requireNonNull(name, "'name' must not be null");
        if (reconciler == null) {
            throw new IllegalStateException("Controller '" + controllerName
                    + "' has no reconciler: call reconciler(...), or requestReconciler(...) where there is one");
        }
        if (sources.isEmpty()) {
            throw new IllegalStateException(
                    "Controller '" + controllerName + "' watches nothing: call watches(...) or source(...)");
        }
        ControllerOptions chosen = options.apply(ControllerDefaults.of(manager).of(kind));
        Controller<R> controller = Controller.create(
                controllerName,
                kind,
                reconciler.apply(manager),
                chosen,
                manager.options().metrics());
        for (Function<Manager, EventSource<R>> source : sources) {
            controller.watch(source.apply(manager));
        }
        controller.declare(needs);
        return controller;
    }

    /**
     * Makes the controller and adds it, with its health check, to a manager, which starts and stops it.
     *
     * @throws IllegalStateException if it has no reconciler or no source, or if the manager is stopping
     * @throws IllegalArgumentException if the manager has a component of that name already
     * @throws io.github.reconciler4j.scheme.UnknownKindException if a class does not say its kind
     */
    public Controller<R> addTo(Manager manager) {
        Controller<R> controller = build(manager);
        manager.add(controller);
        return controller;
    }
}
