package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.finalizer.Finalizers;
import io.github.reconciler4j.reconcile.ErrorStatusHandler;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.RequeueException;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.TimeSource;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
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
    private final @Nullable ObjectReconciler<T> objectReconciler;
    private final @Nullable RequestReconciler<Request> requestReconciler;
    private final @Nullable Finalizers<T> finalizers;
    private final @Nullable Departures departures;
    private final @Nullable ErrorStatus<T> errorStatus;

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
        ErrorStatusHandler<? super T> handler = settings.errorStatusHandler();
        this.errorStatus = handler == null ? null : new ErrorStatus<>(handler, site.client());
    }

    @Override
    public Result reconcile(Request request, ReconcileContext context) throws Exception {
        if (!settings.selects(request.namespace())) {
            return Result.done();
        }
        if (!hasLabels(request)) {
            return leave(request, context);
        }
        try {
            return Objects.requireNonNull(reconcileSelected(request, context), this::withoutResult);
        } catch (Throwable e) {
            if (errorStatus != null && errorStatus.isFor(e, context)) {
                report(request, e, context, errorStatus);
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

    private void report(Request request, Throwable error, ReconcileContext context, ErrorStatus<T> reporter) {
        try {
            primary.read(cache, request.key()).ifPresent(object -> reporter.write(object, error, context));
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
                                    "Controller '{}' could not write the error status of {}: {}{}",
                                    controller,
                                    request,
                                    Texts.of(e),
                                    occurrence.suffix()));
        }
    }

    /** Calls the handler of the user and writes what it changed. */
    private record ErrorStatus<T extends HasMetadata>(ErrorStatusHandler<? super T> handler, Client client) {
        /** A conflict is resolved by the retry; an interrupt before the deadline comes from the stop of the controller. */
        boolean isFor(Throwable error, ReconcileContext context) {
            if (Causes.contains(error, ConflictException.class) || Causes.contains(error, RequeueException.class)) {
                return false;
            }
            boolean interrupted =
                    Thread.currentThread().isInterrupted() || Causes.contains(error, InterruptedException.class);
            Instant now = TimeSource.system().instant();
            return !interrupted || context.deadline().filter(now::isAfter).isPresent();
        }

        void write(T object, Throwable error, ReconcileContext context) {
            Exception reported = error instanceof Exception exception ? exception : new ExecutionException(error);
            client.status().edit(object, changed -> handler.updateErrorStatus(changed, reported, context));
        }
    }
}
