package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.finalizer.Finalizers;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ErrorStatusHandler;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import java.time.Instant;
import java.util.Objects;
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
    private final Primary<T> primary;
    private final PrimarySettings<T> settings;
    private final GroupVersionKind kind;
    private final Cache cache;
    private final @Nullable ObjectReconciler<T> objectReconciler;
    private final @Nullable RequestReconciler<Request> requestReconciler;
    private final @Nullable Finalizers<T> finalizers;
    private final @Nullable ErrorStatus<T> errorStatus;
    private final LogLimiter failures = new LogLimiter();

    PrimaryReconciler(String controller, Manager manager, Primary<T> primary, PrimarySettings<T> settings) {
        this.controller = controller;
        this.primary = primary;
        this.settings = settings;
        this.kind = primary.kind(manager).kind();
        this.cache = manager.cache();
        this.objectReconciler = settings.reconciler();
        this.requestReconciler = settings.requestReconciler();
        this.finalizers = settings.finalizers(manager);
        ErrorStatusHandler<? super T> handler = settings.errorStatusHandler();
        this.errorStatus = handler == null ? null : new ErrorStatus<>(handler, manager.client());
    }

    @Override
    public Result reconcile(Request request, ReconcileContext context) throws Exception {
        if (!isSelected(request)) {
            return Result.done();
        }
        try {
            return reconcileSelected(request, context);
        } catch (Throwable e) {
            if (errorStatus != null && errorStatus.isFor(e, context)) {
                report(request, e, context, errorStatus);
            }
            throw e;
        }
    }

    private boolean isSelected(Request request) {
        if (!settings.selects(request.namespace())) {
            return false;
        }
        return !settings.selectsByLabels()
                || cache.header(kind, request.key())
                        .filter(header -> !settings.selects(header))
                        .isEmpty();
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
            failures.log(LogLimiter.cause(e), occurrence -> {
                String more = occurrence.suffix();
                LOG.warn("Controller '{}' could not write the error status of {}: {}{}", controller, request, e, more);
            });
        }
    }

    /** Calls the handler of the user and writes what it changed. */
    private record ErrorStatus<T extends HasMetadata>(ErrorStatusHandler<? super T> handler, Client client) {

        /** A conflict is resolved by the retry; an interrupt before the deadline comes from the stop of the controller. */
        boolean isFor(Throwable error, ReconcileContext context) {
            if (Causes.contains(error, ConflictException.class)) {
                return false;
            }
            boolean interrupted =
                    Thread.currentThread().isInterrupted() || Causes.contains(error, InterruptedException.class);
            return !interrupted
                    || context.deadline().filter(Instant.now()::isAfter).isPresent();
        }

        void write(T object, Throwable error, ReconcileContext context) {
            Exception reported = error instanceof Exception exception ? exception : new ExecutionException(error);
            client.status().edit(object, changed -> handler.updateErrorStatus(changed, reported, context));
        }
    }
}
