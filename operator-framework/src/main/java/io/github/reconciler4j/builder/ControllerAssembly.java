package io.github.reconciler4j.builder;

import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.manager.WorkDivision;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.source.KindSource;
import io.github.reconciler4j.source.RequestSource;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The parts of which a controller is made, with or without a primary kind. Not thread-safe.
 *
 * @param <R> the type of requests
 */
final class ControllerAssembly<R> {

    private static final Duration UNLIMITED = Duration.ofNanos(Nanos.MAX);

    private final List<BiFunction<BuildTarget, OwnWriteLog<R>, RequestSource<R>>> sources = new ArrayList<>();
    private EventPredicate<Object> globalPredicate = Relation.EVERYTHING;
    private final List<RequiredPermission> permissions = new ArrayList<>();
    private final List<Kind<?>> pruned = new ArrayList<>();
    private final Map<String, String> claims = new LinkedHashMap<>();
    private final List<Consumer<Controller<R>>> completions = new ArrayList<>();
    private BiFunction<BuildTarget, EventPredicate<Object>, Consumer<RequestSink<R>>> everything =
            (site, predicate) -> sink -> {};
    private @Nullable Function<R, OptionalInt> parts;
    private @Nullable String name;
    private @Nullable KindName kind;
    private UnaryOperator<ControllerOptions> options = UnaryOperator.identity();
    private @Nullable RequestReconciler<R> reconciler;
    private @Nullable Function<BuildTarget, RequestReconciler<R>> abroad;
    private @Nullable ControllerOptions resolved;
    private boolean ignoresOwnWrites;

    void name(String newName) {
        name = newName;
    }

    void forKind(KindName newKind) {
        kind = newKind;
    }

    void source(RequestSource<R> source) {
        Objects.requireNonNull(source, "'source' must not be null");
        sources.add((site, log) -> source);
    }

    /** Add a watch of a kind. The informer is created by {@link #build}, so that the cache syncs before a start. */
    <S> void relation(Relation<S, R> relation) {
        ignoresOwnWrites |= relation.ownWrites() == OwnWrites.IGNORE;
        sources.add((site, log) -> {
            Informer<S> informer = relation.optional()
                    ? site.cache().optionalInformer(relation.kind())
                    : site.cache().informer(relation.kind());
            EventHandler<? super S, R> every = relation.handler().apply(site);
            EventHandler<? super S, R> handler =
                    relation.ownWrites() == OwnWrites.IGNORE ? log.<S>dropping(every) : every;
            return new KindSource<S, R>(
                    informer,
                    relation.optional()
                            ? new ServedHandler<S, R>(handler, everything.apply(site, globalPredicate))
                            : handler,
                    relation.always().or(globalPredicate.and(relation.predicate())));
        });
    }

    /** Set what enqueues all primary objects that a predicate accepts, when an optional kind is served, or no longer. */
    void everything(BiFunction<BuildTarget, EventPredicate<Object>, Consumer<RequestSink<R>>> all) {
        everything = all;
    }

    void globalPredicate(EventPredicate<Object> predicate) {
        globalPredicate = Relation.both(globalPredicate, predicate);
    }

    void customizeOptions(UnaryOperator<ControllerOptions> change) {
        UnaryOperator<ControllerOptions> before = options;
        options = defaults -> change.apply(before.apply(defaults));
    }

    void requiredPermissions(RequiredPermission... needed) {
        permissions.addAll(List.of(needed));
    }

    /** Declare a kind that object sets do not create any more. */
    void prunes(Kind<?> kind) {
        pruned.add(Objects.requireNonNull(kind, "'kind' must not be null"));
    }

    void reconciler(RequestReconciler<R> newReconciler) {
        Objects.requireNonNull(newReconciler, "'reconciler' must not be null");
        if (reconciler != null) {
            throw new IllegalStateException("Controller '" + name + "' has a reconciler already");
        }
        reconciler = newReconciler;
    }

    /** Set what reconciles requests of other clusters than that of the controller; without it, the reconciler does. */
    void abroad(Function<BuildTarget, RequestReconciler<R>> reconcilers) {
        abroad = reconcilers;
    }

    /** Declare what no other component of the manager may have. */
    void claims(Map<String, String> added) {
        claims.putAll(added);
    }

    /** Add what completes the controller when it is built. */
    void completion(Consumer<Controller<R>> added) {
        completions.add(added);
    }

    /** Divide the requests like the objects of a kind, if replicas share these and the controller runs on one of them. */
    void divideBy(Informer<?> informer, Function<R, ObjectKey> key) {
        parts = informer.isDivided() ? request -> informer.partOf(key.apply(request)) : null;
    }

    /** Return the options that the controller will have. From then on, they stay. */
    ControllerOptions resolveOptions(BuildTarget site) {
        ControllerOptions known = resolved;
        if (known == null) {
            known = optionsFor(site, Objects.requireNonNull(name, "'name' must not be null"));
            resolved = known;
        }
        return known;
    }

    Controller<R> build(BuildTarget site) {
        String controllerName = Objects.requireNonNull(name, "'name' must not be null");
        if (reconciler == null) {
            throw new IllegalStateException(
                    "Controller '" + controllerName + "' has no reconciler: call reconciler(...)");
        }
        if (sources.isEmpty()) {
            throw new IllegalStateException(
                    "Controller '" + controllerName + "' watches nothing: call watches(...) or source(...)");
        }
        RequestReconciler<R> own = reconciler;
        OwnWriteLog<R> log = new OwnWriteLog<>(site.name());
        RequestReconciler<R> everywhere =
                site.located(controllerName, own, Objects.requireNonNullElse(abroad, cluster -> own));
        RequestReconciler<R> there = ignoresOwnWrites ? log.recording(everywhere) : everywhere;
        ControllerOptions chosen = resolveOptions(site);
        OperatorMetrics metrics = site.manager().options().metrics();
        Controller<R> controller = kind == null
                ? Controller.create(controllerName, there, chosen, metrics)
                : Controller.create(controllerName, kind, there, chosen, metrics);
        for (BiFunction<BuildTarget, OwnWriteLog<R>, RequestSource<R>> source : sources) {
            controller.watch(source.apply(site, log));
        }
        controller.addRequiredPermissions(permissions);
        controller.addRequiredPermissions(pruned.stream()
                .map(each -> RequiredPermission.on(site.scheme().kindOf(each), "delete"))
                .toList());
        controller.addClaims(claims);
        completions.forEach(completion -> completion.accept(controller));
        site.manager().options().division().ifPresent(division -> divide(controller, site, division));
        return controller;
    }

    private void divide(Controller<R> controller, BuildTarget site, WorkDivision division) {
        OptionalInt part = site.cluster().part();
        Function<R, OptionalInt> own = parts;
        if (part.isPresent()) {
            controller.divide(division.gate(controller.name(), request -> part, () -> true));
        } else if (controller.group() == StartGroup.LEADER_ELECTED && site.isDivided()) {
            if (own == null) {
                checkWatchesWholeKinds(controller);
            } else {
                controller.divide(division.gate(controller.name(), own, () -> hasParts(controller, site.name())));
            }
        }
    }

    /** Returns whether the cache has what the sources watch. In another cluster, it has all when the controller has started. */
    private static boolean hasParts(Controller<?> controller, String cluster) {
        return !cluster.isEmpty()
                || controller.sources().stream()
                        .noneMatch(source -> source instanceof KindSource<?, ?> kind
                                && kind.cluster().equals(cluster)
                                && !kind.hasParts());
    }

    private void checkWatchesWholeKinds(Controller<R> controller) {
        for (RequestSource<R> source : controller.sources()) {
            if (source instanceof KindSource<?, ?> kind && kind.isDivided()) {
                throw new IllegalStateException("Controller '" + controller.name()
                        + "' runs on one replica, but watches " + kind.name()
                        + ", of which a replica has only the objects of its parts: give this kind PartitionKey.whole(),"
                        + " or the own kind of the controller a partition key, with CacheOptions.withKind");
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
    private ControllerOptions optionsFor(BuildTarget site, String controllerName) {
        Manager manager = site.manager();
        ControllerOptions chosen =
                clocked(ControllerCustomizers.of(manager).options(controllerName, kind, options), manager);
        if (chosen.fieldManager().isPresent()
                && manager.options().client().fieldManager().isPresent()) {
            throw new IllegalArgumentException("'fieldManager' of controller '" + controllerName
                    + "' has no effect, because the options of the client of the manager have one for all writes: remove"
                    + " one of the two");
        }
        if (!chosen.serviceAccount().isEmpty() && !chosen.serviceAccount().contains("/")) {
            chosen = chosen.withServiceAccount(manager.home().connection().namespace() + "/" + chosen.serviceAccount());
        }
        if (!pruned.isEmpty()) {
            chosen = chosen.withPrunedKinds(pruned.stream().map(Kind::name).collect(Collectors.toSet()));
        }
        return site.name().isEmpty() ? chosen : chosen.withCluster(site.name()).withCacheSyncTimeout(UNLIMITED);
    }

    /** Return a copy to which more can be added. */
    ControllerAssembly<R> copy() {
        ControllerAssembly<R> copy = new ControllerAssembly<>();
        copy.sources.addAll(sources);
        copy.globalPredicate = globalPredicate;
        copy.permissions.addAll(permissions);
        copy.pruned.addAll(pruned);
        copy.claims.putAll(claims);
        copy.completions.addAll(completions);
        copy.name = name;
        copy.kind = kind;
        copy.options = options;
        copy.reconciler = reconciler;
        copy.parts = parts;
        copy.ignoresOwnWrites = ignoresOwnWrites;
        return copy;
    }

    /**
     * What the watch of a kind does. Immutable.
     *
     * @param kind the watched kind; its form decides what the cache keeps
     * @param predicate must accept an event after the global predicates
     * @param always accepts events that reach the handler whatever the predicates say
     * @param handler returns the handler for a cluster
     * @param optional whether the API server may not serve the kind
     * @param ownWrites whether updates are delivered that a reconciliation of their request wrote
     * @param <S> the type of the objects
     * @param <R> the type of requests
     */
    record Relation<S, R>(
            Kind<S> kind,
            EventPredicate<? super S> predicate,
            EventPredicate<Object> always,
            Function<BuildTarget, ? extends EventHandler<? super S, R>> handler,
            boolean optional,
            OwnWrites ownWrites) {

        /** What a relation accepts without a predicate of its user. */
        static final EventPredicate<Object> EVERYTHING = event -> true;

        static final EventPredicate<Object> NOTHING = event -> false;

        static <S, R> Relation<S, R> of(
                Kind<S> kind,
                EventPredicate<? super S> predicate,
                Function<BuildTarget, ? extends EventHandler<? super S, R>> handler) {
            return new Relation<>(kind, predicate, NOTHING, handler, false, OwnWrites.DELIVER);
        }

        Relation<S, R> optional(boolean newOptional) {
            return new Relation<>(kind, predicate, always, handler, newOptional, ownWrites);
        }

        Relation<S, R> ownWrites(OwnWrites newOwnWrites) {
            return new Relation<>(kind, predicate, always, handler, optional, newOwnWrites);
        }

        /** Return a predicate that accepts what both accept. */
        static <S> EventPredicate<S> both(EventPredicate<? super S> first, EventPredicate<? super S> second) {
            Objects.requireNonNull(second, "'predicate' must not be null");
            return event -> first.test(event) && second.test(event);
        }
    }

    /**
     * The handler of an optional kind: when that is served, or no longer, it enqueues all primary objects, because what they need
     * can have changed. Thread-safe.
     *
     * @param <S> the type of the objects
     * @param <R> the type of requests
     */
    record ServedHandler<S, R>(EventHandler<? super S, R> handler, Consumer<RequestSink<R>> everything)
            implements EventHandler<S, R> {

        /**
         * Return what enqueues the objects of a kind that a predicate accepts as part of an initial list, unless that list enqueues
         * them anyway.
         */
        static <T> Consumer<RequestSink<Request>> everything(Informer<T> primary, EventPredicate<? super T> accepts) {
            return sink -> {
                if (primary.hasSynced()) {
                    for (ObjectSnapshot<T> object : primary.list("")) {
                        if (accepts.test(new ObjectEvent.Created<>(object, true))) {
                            sink.add(Request.of(object.key()).in(primary.cluster()));
                        }
                    }
                }
            };
        }

        @Override
        public void onEvent(ObjectEvent<? extends S> event, RequestSink<R> sink) {
            handler.onEvent(event, sink);
        }

        @Override
        public void onServedChange(boolean served, RequestSink<R> sink) {
            everything.accept(sink);
            handler.onServedChange(served, sink);
        }
    }
}
