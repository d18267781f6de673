package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.handler.OwnerMatch;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.RequiredPermission;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.source.EventSource;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Puts a controller for one kind together.
 *
 * <pre>{@code
 * ControllerBuilder.forType(WebPage.class)
 *         .owns(Deployment.class)
 *         .watches(Theme.class, this::pagesUsing, EventPredicates.generationChanged())
 *         .options(ControllerOptions.defaults().withMaxConcurrentReconciles(4))
 *         .reconciler((page, context) -> Result.done())
 *         .addTo(manager);
 * }</pre>
 *
 * <p>Predicates given to one watch concern that watch alone; those of {@link #withGlobalPredicates} come before them in
 * every watch of a kind. For use by one thread, once.
 *
 * @param <T> the class the controller is for
 * @since 0.1.0
 */
public final class ControllerBuilder<T extends HasMetadata> {

    private final Primary<T> primary;
    private final RequestControllerBuilder<Request> controller = new RequestControllerBuilder<>();
    private EventPredicate<T> predicates = event -> true;
    private @Nullable String name;

    private ControllerBuilder(Primary<T> primary) {
        this.primary = primary;
    }

    /** A controller for the kind a class stands for. */
    public static <T extends HasMetadata> ControllerBuilder<T> forType(Class<T> type) {
        return new ControllerBuilder<>(Primary.ofType(type));
    }

    /**
     * A controller for a kind in its generic form; the kind must be known to the scheme of the manager, see
     * {@link io.github.reconciler4j.scheme.Scheme#register(KindInfo)}.
     */
    public static ControllerBuilder<GenericKubernetesResource> forKind(GroupVersionKind kind) {
        return new ControllerBuilder<>(Primary.ofKind(kind));
    }

    /**
     * A controller that is not for one kind; its requests can be of any type.
     *
     * @param name names the controller
     */
    public static <R> RequestControllerBuilder<R> forRequests(String name) {
        RequestControllerBuilder<R> builder = new RequestControllerBuilder<>();
        builder.name(Objects.requireNonNull(name, "'name' must not be null"));
        return builder;
    }

    /** Names the controller in logs, metrics and health; without it the name is the kind in lower case. */
    public ControllerBuilder<T> named(String newName) {
        name = Objects.requireNonNull(newName, "'name' must not be null");
        return this;
    }

    /** Adds predicates that must all let an event of the controller's own kind go on. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final ControllerBuilder<T> withPredicates(EventPredicate<? super T>... primaryPredicates) {
        predicates = predicates.and(EventPredicates.allOf(primaryPredicates));
        return this;
    }

    /** Adds predicates that come first in every watch of a kind, that of the controller's own kind included. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final ControllerBuilder<T> withGlobalPredicates(EventPredicate<Object>... globalPredicates) {
        controller.withGlobalPredicates(globalPredicates);
        return this;
    }

    /**
     * Watches a kind whose objects are made by this controller: a change queues the object's managing controller owner,
     * if that is of the controller's kind. Looks at headers only.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final <S extends HasMetadata> ControllerBuilder<T> owns(
            Class<S> type, EventPredicate<? super S>... ownPredicates) {
        return owned(type, OwnerMatch.CONTROLLER, EventPredicates.allOf(ownPredicates));
    }

    /** The same with a choice of which owners are queued. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final <S extends HasMetadata> ControllerBuilder<T> owns(
            Class<S> type, OwnerMatch match, EventPredicate<? super S>... ownPredicates) {
        return owned(type, match, EventPredicates.allOf(ownPredicates));
    }

    private <S extends HasMetadata> ControllerBuilder<T> owned(
            Class<S> type, OwnerMatch match, EventPredicate<S> ownPredicate) {
        controller.kind(
                cache -> cache.informer(type),
                manager -> EventHandlers.forOwner(primary.kind(manager), match),
                ownPredicate);
        return this;
    }

    /**
     * Watches a kind and queues what a function returns for a changed object; for an update, for the object before and
     * after.
     *
     * @param mapper names the requests an object concerns; null and empty are none
     * @param watchPredicates must all let an event go on
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
     * Watches a kind and has a handler decide what to queue. The handler sees what happened: an update with the object
     * before and after, a deletion.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final <S extends HasMetadata> ControllerBuilder<T> watchesWith(
            Class<S> type, EventHandler<? super S, Request> handler, EventPredicate<? super S>... watchPredicates) {
        controller.watchesWith(type, handler, watchPredicates);
        return this;
    }

    /**
     * Watches a kind and queues what a function returns for a changed object's header. No object is ever decoded for it.
     *
     * @param mapper names the requests an object concerns; null and empty are none
     * @param watchPredicates must all let an event go on
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final <S extends HasMetadata> ControllerBuilder<T> watchesMetadata(
            Class<S> type,
            Function<ObjectHeader, ? extends @Nullable Iterable<Request>> mapper,
            EventPredicate<? super S>... watchPredicates) {
        controller.watchesMetadata(type, mapper, watchPredicates);
        return this;
    }

    /** The same for a kind that need not have a class. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final ControllerBuilder<T> watchesMetadata(
            GroupVersionKind kind,
            Function<ObjectHeader, ? extends @Nullable Iterable<Request>> mapper,
            EventPredicate<? super GenericKubernetesResource>... watchPredicates) {
        controller.watchesMetadata(kind, mapper, watchPredicates);
        return this;
    }

    /** Adds a source of one's own; global predicates do not concern it. */
    public ControllerBuilder<T> source(EventSource<Request> source) {
        controller.source(source);
        return this;
    }

    /** Declares rights that the reconciler needs besides watching; see {@link RequestControllerBuilder#needs}. */
    public ControllerBuilder<T> requiredPermissions(RequiredPermission... rights) {
        controller.requiredPermissions(rights);
        return this;
    }

    /** Sets all options; without it they are the manager's {@link ControllerDefaults}. */
    public ControllerBuilder<T> options(ControllerOptions options) {
        controller.options(options);
        return this;
    }

    /** Changes the options set so far, or the defaults of the manager, and leaves the others as they are. */
    public ControllerBuilder<T> customizeOptions(UnaryOperator<ControllerOptions> change) {
        controller.customizeOptions(change);
        return this;
    }

    /**
     * Sets a reconciler that is handed the object, its own copy from the cache. A request whose object does not exist is
     * done without calling it.
     *
     * @throws IllegalStateException if there is a reconciler already
     */
    public ControllerBuilder<T> reconciler(ObjectReconciler<T> reconciler) {
        Objects.requireNonNull(reconciler, "'reconciler' must not be null");
        controller.reconciler(manager -> primary.adapt(manager, reconciler));
        return this;
    }

    /**
     * Sets a reconciler that is handed the request, also if its object does not exist.
     *
     * @throws IllegalStateException if there is a reconciler already
     */
    public ControllerBuilder<T> requestReconciler(RequestReconciler<Request> reconciler) {
        controller.reconciler(reconciler);
        return this;
    }

    /**
     * Makes the controller for a manager without adding it, for those who start it themselves.
     *
     * @throws IllegalStateException if it has no reconciler
     * @throws io.github.reconciler4j.scheme.UnknownKindException if a class does not say its kind
     */
    public Controller<Request> build(Manager manager) {
        return complete(manager).build(manager);
    }

    /**
     * Makes the controller and adds it, with its health check, to a manager, which starts and stops it.
     *
     * @throws IllegalStateException if it has no reconciler, or if the manager is stopping
     * @throws IllegalArgumentException if the manager has a component of that name already
     * @throws io.github.reconciler4j.scheme.UnknownKindException if a class does not say its kind
     */
    public Controller<Request> addTo(Manager manager) {
        return complete(manager).addTo(manager);
    }

    private RequestControllerBuilder<Request> complete(Manager manager) {
        KindInfo kind = primary.kind(manager);
        controller.name(name != null ? name : kind.kind().kind().toLowerCase(Locale.ROOT));
        controller.forKind(kind.kind());
        controller.kind(primary.informer(), ignored -> EventHandlers.forObject(), predicates);
        return controller;
    }
}
