package io.github.reconciler4j.controllers.internal.support;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.recorder.EventRecorder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates and deletes the pods of an owner, and records the events of Kubernetes' own controllers about it.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class PodChanges {

    private static final int MAX_NAME_LENGTH = 253;

    private final Client client;
    private final EventRecorder events;
    private final PodCalls calls = new PodCalls();

    /** Create one that writes with this client and records with this recorder. */
    public PodChanges(Client client, EventRecorder events) {
        this.client = client;
        this.events = events;
    }

    /**
     * Create pods, in batches that double, and delete others, as far as requests succeed.
     *
     * @param created makes the pods to create
     * @return the first failure, {@code null} without one
     */
    public @Nullable RuntimeException carryOut(
            HasMetadata owner, List<? extends Supplier<Pod>> created, List<Pod> deleted) {
        int[] next = {0};
        RuntimeException creation = SlowStart.run(created.size(), size -> {
                    List<? extends Supplier<Pod>> batch = created.subList(next[0], next[0] + size);
                    next[0] += size;
                    return calls.runAll(batch.stream()
                            .map(pod -> (Runnable) () -> create(owner, pod))
                            .toList());
                })
                .failure();
        RuntimeException deletion = calls.runAll(deleted.stream()
                        .map(pod -> (Runnable) () -> delete(owner, pod))
                        .toList())
                .failure();
        return creation == null ? deletion : creation;
    }

    private void create(HasMetadata owner, Supplier<Pod> made) {
        try {
            Pod pod = client.create(made.get());
            events.normal(
                    owner,
                    "SuccessfulCreate",
                    "Create",
                    "Created pod: " + pod.getMetadata().getName());
        } catch (RuntimeException e) {
            if (Claims.isNamespaceTerminating(e)) {
                return; // all further attempts would fail, too
            }
            events.warning(owner, "FailedCreate", "Create", "Error creating: " + e.getMessage());
            throw e;
        }
    }

    private void delete(HasMetadata owner, Pod pod) {
        try {
            if (client.delete(pod)) {
                events.normal(
                        owner,
                        "SuccessfulDelete",
                        "Delete",
                        "Deleted pod: " + pod.getMetadata().getName());
            }
        } catch (NotFoundException e) {
            // It is gone, as it should be.
        } catch (RuntimeException e) {
            events.warning(owner, "FailedDelete", "Delete", "Error deleting: " + e.getMessage());
            throw e;
        }
    }

    /** Return a pod of a template, with a name that the API server completes and its owner as controller. */
    public static Pod podOf(HasMetadata owner, PodTemplateSpec template) {
        ObjectMeta metadata = template.getMetadata() == null ? new ObjectMeta() : template.getMetadata();
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(owner.getMetadata().getNamespace())
                .withGenerateName(namePrefix(owner.getMetadata().getName()))
                .withLabels(Objects.requireNonNullElse(metadata.getLabels(), Map.of()))
                .withAnnotations(Objects.requireNonNullElse(metadata.getAnnotations(), Map.of()))
                .withFinalizers(metadata.getFinalizers())
                .endMetadata()
                .withSpec(template.getSpec())
                .build();
        OwnerReferences.setController(pod, owner);
        return pod;
    }

    /** A name and a dash; without the dash if there is no room for it. */
    private static String namePrefix(String name) {
        return name.length() < MAX_NAME_LENGTH ? name + "-" : name;
    }
}
