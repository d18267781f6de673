package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.finalizer.FinalizationException;
import io.github.reconciler4j.reconcile.ErrorStatusHandler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequeueException;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.support.Causes;
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
 * What it means that the reconciliation of an object has failed: either the object was deleted meanwhile, or the failure belongs
 * into its status. Thread-safe.
 *
 * @param handler reports failures in the status; null without one
 * @param <T> the class of the primary kind
 */
record PrimaryFailures<T extends HasMetadata>(
        BuildTarget site,
        KindName kind,
        String controller,
        @Nullable ErrorStatusHandler<? super T> handler) {

    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

    /**
     * Return whether the API server refused a request because the object of the reconciliation is gone, so that there is no work
     * left. Asks the API server only after a 404, and after a 403, which is the response to an apply that would create the object
     * again. The list needs no permission besides those for watching.
     */
    boolean isGone(Throwable failure, Request request) {
        boolean missing =
                Causes.contains(failure, NotFoundException.class) || Causes.contains(failure, ForbiddenException.class);
        if (!missing && !Causes.contains(failure, ConflictException.class)
                || Thread.currentThread().isInterrupted()) {
            return false;
        }
        boolean gone = false;
        try {
            Kind<ObjectHeader> headers = Kind.of(kind).metadata();
            Optional<ObjectHeader> cached = site.cache().get(headers, request.key());
            gone = cached.isEmpty() || missing && !isLive(headers, cached.get());
        } catch (RuntimeException e) { // must not replace the failure of the reconciliation
            LOG.debug("It is not known whether {} still exists: {}", request, Texts.of(e));
        }
        if (gone) {
            LOG.debug("The object {} of controller '{}' was deleted during its reconciliation", request, controller);
        }
        return gone;
    }

    private boolean isLive(Kind<ObjectHeader> headers, ObjectHeader known) {
        Selection one = Selection.all()
                .withNamespace(known.key().namespace())
                .withFieldSelector("metadata.name=" + known.key().name());
        return site.client().live().list(headers, one).stream()
                .anyMatch(header -> header.uid().equals(known.uid()));
    }

    /**
     * Return whether a failure is reported in the status. A conflict is resolved by the retry; an interrupt before the deadline
     * comes from the stop of the controller.
     */
    boolean isReported(Throwable error, ReconcileContext context) {
        boolean retried =
                Causes.contains(error, ConflictException.class) || Causes.contains(error, RequeueException.class);
        if (handler == null || retried) {
            return false;
        }
        boolean interrupted =
                Thread.currentThread().isInterrupted() || Causes.contains(error, InterruptedException.class);
        Instant now = TimeSource.system().instant();
        return !interrupted || context.deadline().filter(now::isAfter).isPresent();
    }

    /** Return whether a failure was the last one that {@code maxAttempts} allows, which a change of the object can end. */
    boolean isExhausted(Throwable failure, ReconcileContext context) {
        return context.isLastAttempt()
                && !ApiException.isTransient(failure)
                && !Causes.contains(failure, TerminalException.class)
                && !Causes.contains(failure, RequeueException.class)
                && !Thread.currentThread().isInterrupted();
    }

    /** Call the handler of the user and write what it changed. */
    void report(T object, Throwable error, ReconcileContext context) {
        ErrorStatusHandler<? super T> reporter = handler;
        if (reporter != null) {
            boolean isOfOneCleaner = error instanceof FinalizationException && error.getSuppressed().length == 0;
            Throwable thrown = isOfOneCleaner ? Objects.requireNonNullElse(error.getCause(), error) : error;
            Exception reported = thrown instanceof Exception exception ? exception : new ExecutionException(thrown);
            site.client().status().edit(object, changed -> reporter.updateErrorStatus(changed, reported, context));
        }
    }
}
