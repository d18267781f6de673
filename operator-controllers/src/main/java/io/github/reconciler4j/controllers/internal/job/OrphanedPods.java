package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.controllers.internal.support.FinishedJobs;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Removes the finalizer from pods that no Job counts any more, so that they can be deleted: their Job is gone or has finished.
 *
 * <p>Safe for use by many threads.
 */
final class OrphanedPods {

    private static final String TRACKED_FOR = "tracked-for-job";

    private final Client client;
    private final PodWrites writes;

    /** Create one; this adds an index to the cache. */
    OrphanedPods(Client client, Cache cache, PodWrites writes) {
        this.client = client;
        this.writes = writes;
        cache.informer(Pod.class).addIndex(TRACKED_FOR, pod -> jobName(pod.header()));
    }

    private static List<String> jobName(ObjectHeader pod) {
        return pod.finalizers().contains(TrackedPods.FINALIZER)
                ? JobEvents.jobOf(pod).map(ObjectKey::name).stream().toList()
                : List.of();
    }

    static boolean isJob(String apiVersion, String kind) {
        return kind.equals("Job") && apiVersion.equals("batch/v1");
    }

    /**
     * Release the pods that name a Job as their controller but are not counted by it.
     *
     * @param job the Job that has this key now, {@code null} if it does not exist
     */
    void releaseThoseOf(ObjectKey key, @Nullable Job job) {
        List<Pod> pods = client.list(
                Kind.of(Pod.class),
                Selection.inNamespace(key.namespace()).withFieldSelector(TRACKED_FOR + "=" + key.name()));
        release(pods.stream().filter(pod -> isOrphaned(pod, job)).toList());
    }

    /** Release a pod without a controller. */
    void release(ObjectKey key) {
        client.get(Pod.class, key)
                .filter(pod -> OwnerReferences.controllerOf(pod).isEmpty())
                .ifPresent(pod -> release(List.of(pod)));
    }

    private void release(List<Pod> pods) {
        PodWrites.Outcome outcome = writes.release(pods);
        if (outcome.failure() != null) {
            throw outcome.failure();
        }
    }

    static boolean isOrphaned(Pod pod, @Nullable Job job) {
        Optional<OwnerReference> owner = OwnerReferences.controllerOf(pod);
        if (owner.isEmpty()) {
            return true;
        }
        if (!isJob(owner.get().getApiVersion(), owner.get().getKind())) {
            return false;
        }
        if (job == null || !owner.get().getUid().equals(job.getMetadata().getUid())) {
            return true;
        }
        return FinishedJobs.isFinished(job) && !JobSpecs.isManagedElsewhere(job);
    }
}
