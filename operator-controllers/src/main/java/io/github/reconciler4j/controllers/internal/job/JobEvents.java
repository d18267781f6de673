package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.controllers.internal.support.Candidates;
import io.github.reconciler4j.controllers.internal.support.Selectors;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides which Jobs a change concerns. What happens to pods, and the status of the Jobs, is collected for a second, since pods
 * often start and end at the same time.
 */
final class JobEvents {

    static final Duration BATCH_PERIOD = Duration.ofSeconds(1);

    private final Client client;

    JobEvents(Client client) {
        this.client = client;
    }

    void onJob(ObjectEvent<? extends Job> event, RequestSink<JobRequest> sink) {
        ObjectHeader job = event.snapshot().header();
        boolean sameSpec = event instanceof ObjectEvent.Updated<? extends Job> update
                && update.previous().header().generation() == job.generation();
        sink.addAfter(new JobRequest.OfJob(job.key()), sameSpec ? BATCH_PERIOD : Duration.ZERO);
    }

    void onPod(ObjectEvent<?> event, RequestSink<JobRequest> sink) {
        ObjectHeader pod = event.snapshot().header();
        Optional<ObjectKey> owner = jobOf(pod);
        owner.ifPresent(job -> addBatched(job, sink));
        if (event instanceof ObjectEvent.Updated<?> update) {
            jobOf(update.previous().header()).ifPresent(job -> addBatched(job, sink));
        }
        if (owner.isPresent() || !Candidates.isOrphan(pod) || event instanceof ObjectEvent.Deleted<?>) {
            return;
        }
        if (pod.finalizers().contains(TrackedPods.FINALIZER)) {
            sink.add(new JobRequest.OfOrphan(pod.key()));
        }
        if (!pod.isBeingDeleted() && canBeAdopted(event)) {
            Selectors.matching(
                            client.list(Job.class, pod.key().namespace()),
                            job -> job.getSpec().getSelector(),
                            pod.labels())
                    .forEach(job -> addBatched(ObjectKey.of(job), sink));
        }
    }

    private static boolean canBeAdopted(ObjectEvent<?> event) {
        return !(event instanceof ObjectEvent.Updated<?> update)
                || !update.previous()
                        .header()
                        .labels()
                        .equals(update.snapshot().header().labels())
                || !update.previous()
                        .header()
                        .ownerReferences()
                        .equals(update.snapshot().header().ownerReferences());
    }

    private static void addBatched(ObjectKey job, RequestSink<JobRequest> sink) {
        sink.addAfter(new JobRequest.OfJob(job), BATCH_PERIOD);
    }

    /** The Job that controls a pod. */
    static Optional<ObjectKey> jobOf(ObjectHeader pod) {
        return pod.ownerReferences().stream()
                .filter(owner -> owner.controller() && OrphanedPods.isJob(owner.apiVersion(), owner.kind()))
                .map(owner -> ObjectKey.of(pod.key().namespace(), owner.name()))
                .findFirst();
    }
}
