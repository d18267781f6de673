package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.event.ObjectEvent.Updated;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.finalizer.Finalizers;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.ErrorStatusHandler;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.LabelMatcher;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.support.LogLimiter;
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

    /** Return what limits the log of failures. */
    LogLimiter failures() {
        return failures;
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
    RequestReconciler<Request> build(
            BuildTarget site, String controller, ControllerOptions options, PausedObjects paused) {
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
        return new PrimaryReconciler<>(controller, site, primary, this, options, paused);
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
                "Cleaners cannot share a finalizer: set another 'finalizer' for this controller (R4J-111)");
    }

    /** Return the permissions that the finalizer and the handler of errors need. */
    private RequiredPermission[] requiredPermissions(BuildTarget site, ControllerOptions options) {
        KindInfo kind = primary.kind(site);
        List<RequiredPermission> permissions = new ArrayList<>();
        if (cleaner() != null) {
            permissions.add(RequiredPermission.on(kind, "get", "patch"));
        }
        if (errorStatusHandler() != null) {
            permissions.add(RequiredPermission.on(kind, "patch").subresource("status"));
        }
        if (options.maxAttempts() > 0
                && primary.kind().type().filter(StalledObjects::haveConditions).isPresent()) {
            permissions.add(RequiredPermission.on(kind, "get"));
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

    /** Return what records events about objects; null if the framework records none for the controller. */
    @Nullable
    EventRecorder recorder(BuildTarget site, ControllerOptions options) {
        return cleaner() != null || options.maxAttempts() > 0 ? site.cluster().recorder() : null;
    }

    /** Add what the cleaner and the handler of errors need besides the watch of the kind. */
    void declare(BuildTarget site, ControllerAssembly<Request> controller, ControllerOptions options) {
        controller.requiredPermissions(requiredPermissions(site, options));
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
        boolean all = namespaces.isEmpty() && !selectsByLabels();
        EventPredicate<T> relevant = all ? updates::test : selected.and(updates);
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
}
