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
import io.github.reconciler4j.controllers.internal.support.PodCalls;
import io.github.reconciler4j.controllers.internal.support.SlowStart;
import io.github.reconciler4j.recorder.EventRecorder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
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
    private final PodCalls calls;

    PodWrites(Client client, EventRecorder events, PodCalls calls) {
        this.client = client;
        this.calls = calls;
        this.events = events;
    }

    /** Create pods, more at a time as long as none fails. */
    Outcome create(Job job, List<Integer> indexes, Map<Integer, Pod> toReplace) {
        List<Pod> created = Collections.synchronizedList(new ArrayList<>());
        Iterator<Integer> left = indexes.iterator();
        SlowStart.Outcome outcome = SlowStart.run(
                indexes.size(),
                size -> calls.runAll(Stream.generate(left::next)
                        .limit(size)
                        .map(index -> (Runnable) () -> create(job, index, toReplace.get(index), created))
                        .toList()));
        return new Outcome(List.copyOf(created), outcome.failure());
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

    private Outcome each(List<Pod> pods, Consumer<Pod> write) {
        List<Pod> done = Collections.synchronizedList(new ArrayList<>());
        SlowStart.Outcome outcome = calls.runAll(pods.stream()
                .map(pod -> (Runnable) () -> {
                    write.accept(pod);
                    done.add(pod);
                })
                .toList());
        return new Outcome(List.copyOf(done), outcome.failure());
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
