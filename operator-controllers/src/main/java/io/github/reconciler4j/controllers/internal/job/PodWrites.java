package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.InvalidObjectException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.controllers.internal.support.Claims;
import io.github.reconciler4j.recorder.EventRecorder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates, deletes and releases pods, and records events about that.
 *
 * <p>Safe for use by many threads.
 */
final class PodWrites {

    /**
     * How far some writes came.
     *
     * @param done the pods that were written
     * @param failure the first failure, {@code null} if there was none
     */
    record Outcome(List<Pod> done, @Nullable RuntimeException failure) {}

    private final Client client;
    private final EventRecorder events;

    PodWrites(Client client, EventRecorder events) {
        this.client = client;
        this.events = events;
    }

    /** Create pods until one fails, because the others would fail as well, for instance at a quota. */
    Outcome create(Job job, List<Integer> indexes, Map<Integer, Pod> toReplace) {
        List<Pod> created = new ArrayList<>();
        try {
            for (int index : indexes) {
                create(job, index, toReplace.get(index), created);
            }
            return new Outcome(created, null);
        } catch (RuntimeException e) {
            return new Outcome(created, e);
        }
    }

    private void create(Job job, int index, @Nullable Pod replaced, List<Pod> created) {
        try {
            Pod pod = client.create(JobPodFactory.podFor(job, index, replaced));
            created.add(pod);
            events.normal(
                    job,
                    "SuccessfulCreate",
                    "Create",
                    "Created pod: " + pod.getMetadata().getName());
        } catch (RuntimeException e) {
            if (!Claims.isNamespaceTerminating(e)) { // then all further attempts would fail, too
                events.warning(job, "FailedCreate", "Create", "Error creating: " + e.getMessage());
                throw e;
            }
        }
    }

    /** Delete pods that keep their finalizer, so that they are counted. */
    Outcome delete(Job job, List<Pod> pods) {
        return each(pods, pod -> delete(job, pod));
    }

    /** Delete pods that are not to be counted. */
    Outcome releaseAndDelete(Job job, List<Pod> pods) {
        return each(pods, pod -> {
            release(pod);
            delete(job, pod);
        });
    }

    /** Remove the finalizer of pods. */
    Outcome release(List<Pod> pods) {
        return each(pods, this::release);
    }

    private static Outcome each(List<Pod> pods, Consumer<Pod> write) {
        List<Pod> done = new ArrayList<>();
        RuntimeException failure = null;
        for (Pod pod : pods) {
            try {
                write.accept(pod);
                done.add(pod);
            } catch (RuntimeException e) {
                failure = failure == null ? e : failure;
            }
        }
        return new Outcome(done, failure);
    }

    private void delete(Job job, Pod pod) {
        try {
            if (client.delete(
                    pod, DeletionOptions.defaults().withUid(pod.getMetadata().getUid()))) {
                events.normal(
                        job,
                        "SuccessfulDelete",
                        "Delete",
                        "Deleted pod: " + pod.getMetadata().getName());
            }
        } catch (NotFoundException | ConflictException e) {
            // It is gone, as it should be; there may be another pod of this name.
        } catch (RuntimeException e) {
            events.warning(job, "FailedDelete", "Delete", "Error deleting: " + e.getMessage());
            throw e;
        }
    }

    private void release(Pod pod) {
        if (!TrackedPods.isTracked(pod)) {
            return;
        }
        try {
            client.patch(
                    pod,
                    ObjectPatch.strategic(Map.of(
                            "metadata",
                            Map.of(
                                    "uid",
                                    pod.getMetadata().getUid(),
                                    "$deleteFromPrimitiveList/finalizers",
                                    List.of(TrackedPods.FINALIZER)))));
        } catch (NotFoundException | InvalidObjectException e) {
            // The pod is gone, or another one has taken its name, as a uid cannot be changed.
        }
    }
}
