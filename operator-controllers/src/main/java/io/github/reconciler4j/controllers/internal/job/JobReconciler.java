package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.controllers.internal.support.Candidates;
import io.github.reconciler4j.controllers.internal.support.Claims;
import io.github.reconciler4j.controllers.internal.support.FinishedJobs;
import io.github.reconciler4j.controllers.internal.support.PodCalls;
import io.github.reconciler4j.controllers.internal.support.Selectors;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs the pods of Jobs.
 *
 * <p>Kubernetes' own controller remembers which pods it has created and deleted, and which finalizers it has removed, until its
 * cache has seen that. Here this is not needed: what the client reads includes what it has written. The status is written only
 * if the Job has not changed since it was read, so that an outdated count is never stored.
 */
final class JobReconciler implements RequestReconciler<JobRequest> {

    private final Client client;
    private final EventRecorder events;
    private final Claims claims;
    private final Candidates<Pod> candidates;
    private final PodWrites writes;
    private final OrphanedPods orphans;
    private final Clock clock;
    private final Map<ObjectKey, PodBackoff> backoffs = new ConcurrentHashMap<>();

    JobReconciler(Client client, Cache cache, EventRecorder events, Clock clock) {
        this.client = client;
        this.events = events;
        this.clock = clock;
        this.claims = new Claims(client, List.of(TrackedPods.FINALIZER));
        this.candidates = new Candidates<>(client, cache, Pod.class);
        this.writes = new PodWrites(client, events, new PodCalls());
        this.orphans = new OrphanedPods(client, cache, writes);
    }

    @Override
    public Result reconcile(JobRequest request, ReconcileContext context) {
        if (request instanceof JobRequest.OfOrphan) {
            orphans.release(request.key());
            return Result.done();
        }
        Job job = client.get(Job.class, request.key()).orElse(null);
        orphans.releaseThoseOf(request.key(), job);
        if (job == null || FinishedJobs.isFinished(job)) {
            backoffs.remove(request.key());
            return Result.done();
        }
        if (JobSpecs.isManagedElsewhere(job)) {
            return Result.done();
        }
        if (JobSpecs.hasUnknownMode(job)) {
            events.warning(
                    job, "UnknownCompletionMode", "Reconcile", "Skipped Job sync because completion mode is unknown");
            return Result.done();
        }
        return reconcile(job);
    }

    private Result reconcile(Job job) {
        ObjectKey key = ObjectKey.of(job);
        List<Pod> pods =
                claims.claim(job, pod -> Selectors.matches(job.getSpec().getSelector(), pod), candidates.of(job));
        JobSync sync = new JobSync(
                client, events, writes, job, pods, backoffs.getOrDefault(key, PodBackoff.NONE), clock.instant());
        try {
            return sync.run();
        } finally {
            sync.backoff().ifPresent(backoff -> backoffs.put(key, backoff));
        }
    }
}
