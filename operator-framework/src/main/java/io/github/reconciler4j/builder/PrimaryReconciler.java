package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.finalizer.Finalizers;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Texts;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles requests for objects of the primary kind: drops those that the controller does not select, reads the object,
 * adds the finalizer or cleans up, calls the reconciler of the user, and reports a failure in the status. Thread-safe if
 * the code of the user is.
 *
 * @param <T> the class of the primary kind
 */
final class PrimaryReconciler<T extends HasMetadata> implements RequestReconciler<Request> {

    private static final Logger LOG = LoggerFactory.getLogger(PrimaryReconciler.class);

    private final String controller;
    private final BuildTarget site;
    private final Primary<T> primary;
    private final PrimarySettings<T> settings;
    private final KindName kind;
    private final Cache cache;
    /** The namespaces of the objects, empty for all. */
    private final Set<String> namespaces;

    private final boolean byLabels;
    private final @Nullable ObjectReconciler<T> objectReconciler;
    private final @Nullable RequestReconciler<Request> requestReconciler;
    private final @Nullable Finalizers<T> finalizers;
    private final @Nullable Departures departures;
    private final PrimaryFailures<T> failed;
    private final PausedObjects paused;
    private final @Nullable EventRecorder recorder;

    /** Null without a limit of attempts. */
    private final @Nullable StalledObjects<T> stalled;

    PrimaryReconciler(
            String controller,
            BuildTarget site,
            Primary<T> primary,
            PrimarySettings<T> settings,
            ControllerOptions options,
            PausedObjects paused) {
        this.controller = controller;
        this.site = site;
        this.primary = primary;
        this.settings = settings;
        this.kind = primary.kind(site).kind();
        this.cache = site.cache();
        this.namespaces = settings.namespaces();
        this.byLabels = settings.selectsByLabels();
        this.objectReconciler = settings.reconciler();
        this.requestReconciler = settings.requestReconciler();
        this.finalizers = settings.finalizers(site);
        this.departures = settings.departures(site);
        this.failed = new PrimaryFailures<>(site, kind, controller, settings.errorStatusHandler());
        this.paused = paused;
        this.recorder = settings.recorder(site, options);
        this.stalled = recorder == null || options.maxAttempts() == 0
                ? null
                : new StalledObjects<>(site, recorder, options.maxAttempts(), settings.failures());
    }

    @Override
    public Result reconcile(Request request, ReconcileContext context) throws Exception {
        if (!namespaces.isEmpty() && !namespaces.contains(request.namespace())) {
            return Result.done();
        }
        if (!hasLabels(request)) {
            return leave(request, context);
        }
        Optional<Result> pause = pause(request);
        if (pause.isPresent()) {
            return pause.get();
        }
        try {
            Result result = Objects.requireNonNull(reconcileSelected(request, context), this::withoutResult);
            if (stalled != null) {
                primary.read(cache, request.key()).ifPresent(stalled::succeeded);
            }
            return result;
        } catch (Throwable e) {
            if (objectReconciler != null && !mayBeHidden(request) && failed.isGone(e, request)) {
                return Result.done();
            }
            if (failed.isReported(e, context)) {
                report(request, e, context);
            }
            if (stalled != null && failed.isExhausted(e, context)) {
                reportStalled(stalled, request, e);
            }
            throw e;
        }
    }

    /** An object with a finalizer of this controller that the cache does not have may have left it, and is not gone. */
    private boolean mayBeHidden(Request request) {
        return departures != null && departures.isHidden(request.namespace());
    }

    private Optional<Result> pause(Request request) {
        ObjectHeader header = cache.get(Kind.of(kind).metadata(), request.key()).orElse(null);
        return paused.check(request, header, () -> primary.read(cache, request.key()), recorder);
    }

    private void reportStalled(StalledObjects<T> reporter, Request request, Throwable failure) {
        try {
            primary.read(cache, request.key()).ifPresent(object -> reporter.report(object, failure));
        } catch (RuntimeException e) { // must not replace the failure of the reconciliation
            LOG.debug("Nothing says on {} that its attempts are exhausted: {}", request, Texts.of(e));
        }
    }

    private String withoutResult() {
        Object reconciler = Objects.requireNonNull(objectReconciler != null ? objectReconciler : requestReconciler);
        return "The reconciler " + reconciler.getClass().getName() + " returned null; return Result.done()";
    }

    private boolean hasLabels(Request request) {
        return !byLabels
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
        settings.failures()
                .log(
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
            settings.failures()
                    .log(
                            LogLimiter.cause(e),
                            occurrence -> LOG.warn(
                                    "Controller '{}' could not write the error status of {} (R4J-115): {}{}",
                                    controller,
                                    request,
                                    Texts.of(e),
                                    occurrence.suffix()));
        }
    }
}
