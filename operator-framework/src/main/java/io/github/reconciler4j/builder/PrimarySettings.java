package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.event.ObjectEvent.Updated;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.finalizer.Finalizers;
import io.github.reconciler4j.manager.RequiredPermission;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.ErrorStatusHandler;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.LabelMatcher;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a controller treats the objects of its primary kind: which of them it selects, which events lead to a
 * reconciliation, and what is called. Not thread-safe while the controller is built; not changed afterwards.
 *
 * @param <T> the class of the primary kind
 */
final class PrimarySettings<T extends HasMetadata> {

    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    /** Accepts updates that change anything but finalizers and the status. */
    private static final EventPredicate<Object> OTHER_PARTS = EventPredicates.<Object>anyOf(
            ReconcileOn.GENERATION,
            EventPredicates.labelsChanged(),
            EventPredicates.annotationsChanged(),
            EventPredicates.changed(ObjectHeader::ownerReferences));

    private final Primary<T> primary;
    private LabelMatcher labels = LabelMatcher.everything();
    private Set<String> namespaces = Set.of();
    private @Nullable ReconcileOn reconcileOn;
    private @Nullable ObjectReconciler<T> reconciler;
    private @Nullable RequestReconciler<Request> requestReconciler;
    private @Nullable Cleaner<? super T> cleaner;
    private @Nullable String finalizer;
    private @Nullable ErrorStatusHandler<? super T> errorStatusHandler;
    private final LogLimiter failures = new LogLimiter();

    PrimarySettings(Primary<T> primary) {
        this.primary = primary;
    }

    void labelSelector(String selector) {
        try {
            labels = LabelMatcher.parse(selector);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'labelSelector' is not valid: " + e.getMessage(), e);
        }
    }

    void namespaces(String... names) {
        for (String name : names) {
            if (!NAMESPACE.matcher(name).matches()) {
                throw new IllegalArgumentException("'namespaces' must be names of namespaces: at most 63 lower-case"
                        + " letters, digits and '-', was '" + name + "'");
            }
        }
        namespaces = new TreeSet<>(List.of(names));
    }

    void reconcileOn(ReconcileOn updates) {
        reconcileOn = Objects.requireNonNull(updates, "'reconcileOn' must not be null");
    }

    void reconciler(ObjectReconciler<T> newReconciler) {
        requireNone();
        reconciler = newReconciler;
    }

    void requestReconciler(RequestReconciler<Request> newReconciler) {
        requireNone();
        requestReconciler = newReconciler;
    }

    private void requireNone() {
        if (reconciler != null || requestReconciler != null) {
            throw new IllegalStateException("The controller has a reconciler already");
        }
    }

    void cleaner(Cleaner<? super T> newCleaner) {
        cleaner = Objects.requireNonNull(newCleaner, "'cleaner' must not be null");
    }

    void finalizer(String name) {
        if (name.indexOf('/') < 1 || name.endsWith("/")) {
            throw new IllegalArgumentException(
                    "'finalizer' must be a domain, a slash and a name (apps.example.io/cleanup), was '" + name + "'");
        }
        finalizer = name;
    }

    void errorStatusHandler(ErrorStatusHandler<? super T> handler) {
        errorStatusHandler = Objects.requireNonNull(handler, "'errorStatusHandler' must not be null");
    }

    /** Return whether the controller reconciles an object with this header. */
    boolean selects(ObjectHeader header) {
        return selects(header.key().namespace()) && labels.matches(header.labels());
    }

    /** Return whether the controller reconciles objects with these labels. */
    boolean selects(Map<String, String> objectLabels) {
        return labels.matches(objectLabels);
    }

    /** Return the namespaces of the objects that the controller reconciles; empty for all. */
    Set<String> namespaces() {
        return namespaces;
    }

    /** Return whether the controller reconciles objects in this namespace. */
    boolean selects(String namespace) {
        return namespaces.isEmpty() || namespaces.contains(namespace);
    }

    /** Return whether the labels of an object must be known to say whether it is selected. */
    boolean selectsByLabels() {
        return !labels.isEverything();
    }

    /** Build the reconciler of requests for the primary kind. */
    RequestReconciler<Request> build(BuildTarget site, String controller) {
        if (reconciler == null && requestReconciler == null) {
            throw new IllegalStateException("Controller '" + controller
                    + "' has no reconciler: call reconciler(...) or requestReconciler(...)");
        }
        KindInfo kind = primary.kind(site);
        if (!namespaces.isEmpty() && !kind.namespaced()) {
            throw new IllegalArgumentException("'namespaces' of controller '" + controller + "' must be empty, because "
                    + kind.resource() + " are cluster-scoped; was " + namespaces);
        }
        if (finalizer != null && cleaner() == null) {
            throw new IllegalStateException("Controller '" + controller + "' has the finalizer '" + finalizer
                    + "' but no cleaner: call cleaner(...), or let the reconciler implement Cleaner");
        }
        return new PrimaryReconciler<>(controller, site, primary, this);
    }

    @Nullable
    ObjectReconciler<T> reconciler() {
        return reconciler;
    }

    @Nullable
    RequestReconciler<Request> requestReconciler() {
        return requestReconciler;
    }

    /** Return the finalizers of this controller; null without a cleaner. */
    @Nullable
    Finalizers<T> finalizers(BuildTarget site) {
        Cleaner<? super T> used = cleaner();
        return used == null ? null : Finalizers.<T>create(site.client()).register(finalizerName(site), used);
    }

    @SuppressWarnings("unchecked") // a reconciler of T that is also a cleaner cleans up objects of T
    private @Nullable Cleaner<? super T> cleaner() {
        if (cleaner == null && either() instanceof Cleaner<?> both) {
            return (Cleaner<? super T>) both;
        }
        return cleaner;
    }

    /** Return the handler of errors; null without one. */
    @SuppressWarnings("unchecked") // as for the cleaner
    @Nullable
    ErrorStatusHandler<? super T> errorStatusHandler() {
        if (errorStatusHandler == null && either() instanceof ErrorStatusHandler<?> both) {
            return (ErrorStatusHandler<? super T>) both;
        }
        return errorStatusHandler;
    }

    private @Nullable Object either() {
        return reconciler != null ? reconciler : requestReconciler;
    }

    private String finalizerName(BuildTarget site) {
        return finalizer != null ? finalizer : primary.kind(site).resource() + "/finalizer";
    }

    /** Return the finalizer as a claim: the cleaner that is done first removes it, so it must not be that of two. */
    private Map<String, String> claims(BuildTarget site) {
        if (cleaner() == null) {
            return Map.of();
        }
        KindInfo kind = primary.kind(site);
        String where = site.name().isEmpty() ? "" : " in cluster " + site.name();
        return Map.of(
                "finalizer '" + finalizerName(site) + "' of " + kind.resource() + where,
                "Of two cleaners with one finalizer, one would not be called: set another 'finalizer' for this controller");
    }

    /** Return the permissions that the finalizer and the handler of errors need. */
    private RequiredPermission[] requiredPermissions(BuildTarget site) {
        KindInfo kind = primary.kind(site);
        List<RequiredPermission> permissions = new ArrayList<>();
        if (cleaner() != null) {
            permissions.add(RequiredPermission.on(kind, "get", "patch"));
        }
        if (errorStatusHandler() != null) {
            permissions.add(RequiredPermission.on(kind, "patch").subresource("status"));
        }
        return permissions.stream().flatMap(this::inNamespaces).toArray(RequiredPermission[]::new);
    }

    private Stream<RequiredPermission> inNamespaces(RequiredPermission everywhere) {
        return namespaces.isEmpty()
                ? Stream.of(everywhere)
                : namespaces.stream().map(everywhere::inNamespace);
    }

    /** Return the predicate for objects that may have left the selection and keep the finalizer. */
    EventPredicate<Object> leaving(BuildTarget site) {
        Departures departures = departures(site);
        return departures == null ? event -> false : departures::mayConcern;
    }

    /** Add what the cleaner and the handler of errors need besides the watch of the kind. */
    void declare(BuildTarget site, ControllerAssembly<Request> controller) {
        controller.requiredPermissions(requiredPermissions(site));
        controller.claims(claims(site));
        Optional.ofNullable(departures(site)).ifPresent(departures -> controller.completion(departures::sweep));
    }

    /** Return what releases objects that have left the selection; null without a cleaner. */
    @Nullable
    Departures departures(BuildTarget site) {
        return cleaner() == null ? null : new Departures(this, site, primary.kind(site), finalizerName(site));
    }

    /** Return the predicate for events of the primary kind. */
    EventPredicate<T> events(BuildTarget site) {
        EventPredicate<T> selected = event -> selects(event.snapshot().header());
        ReconcileOn updates = reconcileOn != null ? reconcileOn : primary.defaultReconcileOn();
        EventPredicate<T> relevant = selected.and(updates);
        return updates == ReconcileOn.SPEC_OR_METADATA && cleaner() != null
                ? relevant.and(EventPredicates.not(onlyAddsFinalizer(finalizerName(site))))
                : relevant;
    }

    /** The controller that adds its finalizer reconciles the object at once; the event of this write is not needed. */
    private static EventPredicate<Object> onlyAddsFinalizer(String finalizer) {
        return event -> event instanceof Updated<?> update
                && !update.resync()
                && !finalizers(update.previous()).contains(finalizer)
                && finalizers(update.snapshot()).contains(finalizer)
                && !OTHER_PARTS.test(update)
                && without(finalizer, update).equals(finalizers(update.previous()));
    }

    private static List<String> finalizers(ObjectSnapshot<?> snapshot) {
        return snapshot.header().finalizers();
    }

    private static List<String> without(String finalizer, Updated<?> update) {
        return finalizers(update.snapshot()).stream()
                .filter(name -> !name.equals(finalizer))
                .toList();
    }

    /**
     * Reconciles requests for objects of the primary kind: drops those that the controller does not select, reads the object,
     * adds the finalizer or cleans up, calls the reconciler of the user, and reports a failure in the status. Thread-safe if
     * the code of the user is.
     *
     * @param <T> the class of the primary kind
     */
    static final class PrimaryReconciler<T extends HasMetadata> implements RequestReconciler<Request> {

        private static final Logger LOG = LoggerFactory.getLogger(PrimaryReconciler.class);

        private final String controller;
        private final BuildTarget site;
        private final Primary<T> primary;
        private final PrimarySettings<T> settings;
        private final KindName kind;
        private final Cache cache;
        private final @Nullable ObjectReconciler<T> objectReconciler;
        private final @Nullable RequestReconciler<Request> requestReconciler;
        private final @Nullable Finalizers<T> finalizers;
        private final @Nullable Departures departures;
        private final PrimaryFailures<T> failed;

        PrimaryReconciler(String controller, BuildTarget site, Primary<T> primary, PrimarySettings<T> settings) {
            this.controller = controller;
            this.site = site;
            this.primary = primary;
            this.settings = settings;
            this.kind = primary.kind(site).kind();
            this.cache = site.cache();
            this.objectReconciler = settings.reconciler();
            this.requestReconciler = settings.requestReconciler();
            this.finalizers = settings.finalizers(site);
            this.departures = settings.departures(site);
            this.failed = new PrimaryFailures<>(site, kind, controller, settings.errorStatusHandler());
        }

        @Override
        public Result reconcile(Request request, ReconcileContext context) throws Exception {
            if (!request.cluster().equals(site.name())) {
                Optional<BuildTarget> there = site.in(request.cluster());
                return there.isEmpty()
                        ? Result.done()
                        : settings.build(there.get(), controller).reconcile(request, context);
            }
            if (!settings.selects(request.namespace())) {
                return Result.done();
            }
            if (!hasLabels(request)) {
                return leave(request, context);
            }
            try {
                return Objects.requireNonNull(reconcileSelected(request, context), this::withoutResult);
            } catch (Throwable e) {
                if (objectReconciler != null && failed.isGone(e, request)) {
                    return Result.done();
                }
                if (failed.isReported(e, context)) {
                    report(request, e, context);
                }
                throw e;
            }
        }

        private String withoutResult() {
            Object reconciler = Objects.requireNonNull(objectReconciler != null ? objectReconciler : requestReconciler);
            return "The reconciler " + reconciler.getClass().getName() + " returned null; return Result.done()";
        }

        private boolean hasLabels(Request request) {
            return !settings.selectsByLabels()
                    || cache.get(Kind.of(kind).metadata(), request.key())
                            .filter(header -> !settings.selects(header))
                            .isEmpty();
        }

        /** Remove the finalizer from an object that is not selected; one that is being deleted is cleaned up before. */
        private Result leave(Request request, ReconcileContext context) throws Exception {
            if (departures == null || finalizers == null) {
                return Result.done();
            }
            return leave(departures.find(request), request, context);
        }

        private Result leave(Optional<ObjectHeader> found, Request request, ReconcileContext context) throws Exception {
            if (found.isEmpty() || departures == null || finalizers == null) {
                return Result.done();
            }
            ObjectHeader header = found.get();
            if (header.isBeingDeleted()) {
                Reader reader =
                        departures.isHidden(request.namespace()) ? site.client().live() : cache;
                Optional<T> object = primary.read(reader, request.key());
                return object.isPresent() && object.get().getMetadata().getDeletionTimestamp() != null
                        ? finalizers.reconcile(object.get(), context).result()
                        : Result.done();
            }
            if (departures.mayRelease(header)) {
                release(header, departures, finalizers);
            }
            return Result.done();
        }

        private void release(ObjectHeader header, Departures from, Finalizers<T> its) {
            boolean written = false;
            try {
                written = its.release(Kind.of(kind), header);
            } finally {
                if (!written) {
                    from.forget(header.uid());
                }
            }
            settings.failures.log(
                    "released",
                    occurrence -> LOG.info(
                            "Controller {} does not select {} any more and has removed its finalizer{}",
                            controller,
                            header.key(),
                            occurrence.suffix()));
        }

        private Result reconcileSelected(Request request, ReconcileContext context) throws Exception {
            if (objectReconciler == null && finalizers == null) {
                return Objects.requireNonNull(requestReconciler).reconcile(request, context);
            }
            T object = read(request.key());
            if (object != null && finalizers != null) {
                Finalizers.Outcome<T> outcome = finalizers.reconcile(object, context);
                if (outcome.isBeingDeleted()) {
                    return outcome.result();
                }
                object = outcome.object();
                if (outcome.changed() && departures != null) {
                    departures.forget(
                            Objects.requireNonNullElse(object.getMetadata().getUid(), ""));
                    if (departures.hasLeft(object)) {
                        return leave(departures.findLive(request), request, context);
                    }
                }
            } else if (departures != null && departures.isHidden(request.namespace())) {
                Result left = leave(request, context);
                if (left.next() != Result.done().next()) {
                    return left;
                }
            }
            if (objectReconciler == null) {
                return Objects.requireNonNull(requestReconciler).reconcile(request, context);
            }
            return object == null ? Result.done() : objectReconciler.reconcile(object, context);
        }

        /** Only a change fixes an object that does not fit its class, and a change is an event, so a retry is useless. */
        private @Nullable T read(ObjectKey key) {
            try {
                return primary.read(cache, key).orElse(null);
            } catch (UndecodableObjectException e) {
                throw new TerminalException("The object cannot be read", e);
            }
        }

        private void report(Request request, Throwable error, ReconcileContext context) {
            try {
                primary.read(cache, request.key()).ifPresent(object -> failed.report(object, error, context));
            } catch (NotFoundException e) {
                LOG.debug(
                        "The object {} of controller '{}' was deleted before its error status was written",
                        request,
                        controller);
            } catch (Throwable e) {
                settings.failures.log(
                        LogLimiter.cause(e),
                        occurrence -> LOG.warn(
                                "Controller '{}' could not write the error status of {}: {}{}",
                                controller,
                                request,
                                Texts.of(e),
                                occurrence.suffix()));
            }
        }
    }
}
