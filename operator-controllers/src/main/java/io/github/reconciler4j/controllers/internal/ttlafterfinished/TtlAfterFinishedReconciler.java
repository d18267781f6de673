package io.github.reconciler4j.controllers.internal.ttlafterfinished;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.Propagation;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.controllers.internal.support.FinishedJobs;
import io.github.reconciler4j.controllers.internal.support.Times;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Deletes finished Jobs with their pods when {@code ttlSecondsAfterFinished} have passed. */
final class TtlAfterFinishedReconciler implements ObjectReconciler<Job> {

    private final Client client;
    private final Clock clock;

    TtlAfterFinishedReconciler(Client client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    @Override
    public Result reconcile(Job job, ReconcileContext context) {
        Optional<Duration> left = timeLeft(job, clock.instant());
        if (left.isPresent() && !isOver(left.get())) {
            return Result.requeueAfter(left.get());
        }
        return left.isPresent() ? deleteIfOver(ObjectKey.of(job)) : Result.done();
    }

    /** Someone may just have given the Job more time. */
    private Result deleteIfOver(ObjectKey key) {
        Optional<Job> job = client.live().get(Job.class, key);
        Optional<Duration> left = job.flatMap(fresh -> timeLeft(fresh, clock.instant()));
        if (left.isEmpty()) {
            return Result.done();
        }
        if (!isOver(left.get())) {
            return Result.requeueAfter(left.get());
        }
        try {
            client.delete(
                    job.get(),
                    DeletionOptions.defaults()
                            .withUid(job.get().getMetadata().getUid())
                            .withPropagation(Propagation.FOREGROUND));
        } catch (NotFoundException | ConflictException e) {
            // It is gone; another Job of this name has events of its own.
        }
        return Result.done();
    }

    private static boolean isOver(Duration left) {
        return left.isNegative() || left.isZero();
    }

    /**
     * Return the time until a Job is to be deleted, not positive if that time has come; empty if it runs, is being deleted or
     * is to stay.
     *
     * @throws IllegalStateException if the Job does not say when it finished
     */
    static Optional<Duration> timeLeft(Job job, Instant now) {
        Integer ttl = job.getSpec().getTtlSecondsAfterFinished();
        if (ttl == null || job.getMetadata().getDeletionTimestamp() != null) {
            return Optional.empty();
        }
        return FinishedJobs.condition(job).map(end -> {
            Instant time = Times.parse(end.getLastTransitionTime());
            if (time == null) {
                throw new IllegalStateException("The Job " + ObjectKey.of(job) + " does not say when it finished");
            }
            return Duration.between(now, time.plusSeconds(ttl));
        });
    }
}
