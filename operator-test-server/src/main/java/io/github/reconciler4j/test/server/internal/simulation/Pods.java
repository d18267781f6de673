package io.github.reconciler4j.test.server.internal.simulation;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.github.reconciler4j.test.server.apimachinery.Times;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Pods that run, have succeeded, or wait for an image that is missing. */
final class Pods implements Simulation {
    /** Where images are that nobody can pull. */
    private static final String MISSING = "missing.example/";

    private static final List<String> CONDITIONS =
            List.of("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled");
    private static final int BYTE = 256;

    private final SimulatedObjects objects;
    private final AtomicInteger addresses = new AtomicInteger();

    Pods(SimulatedObjects objects) {
        this.objects = objects;
    }

    @Override
    public void sync(ObjectName name) {
        Pod pod = objects.find(Pod.class, name);
        if (pod != null
                && pod.getStatus() != null
                && "Pending".equals(pod.getStatus().getPhase())) {
            objects.updateStatus(
                    Pod.class,
                    name,
                    now -> new PodBuilder(now).withStatus(statusOf(now)).build());
        }
    }

    private PodStatus statusOf(Pod pod) {
        List<Container> containers = pod.getSpec().getContainers();
        if (containers.stream().anyMatch(container -> isMissing(container.getImage()))) {
            return status(pod, "Pending", Stream.of("PodScheduled")).build();
        }
        boolean ends = pod.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> owner.getKind().equals("Job"));
        Stream<String> conditions = CONDITIONS.stream().filter(condition -> !ends || !condition.endsWith("Ready"));
        return status(pod, ends ? "Succeeded" : "Running", conditions)
                .withPodIP(nextAddress())
                .build();
    }

    private static boolean isMissing(String image) {
        return image != null && image.startsWith(MISSING);
    }

    private PodStatusBuilder status(Pod pod, String phase, Stream<String> conditions) {
        String now = Times.text(objects.access().now());
        return new PodStatusBuilder()
                .withPhase(phase)
                .withStartTime(now)
                .withConditions(
                        conditions.map(condition -> condition(condition, now)).toList())
                .withContainerStatuses(pod.getSpec().getContainers().stream()
                        .map(container -> containerStatus(container, phase, now))
                        .toList());
    }

    private static PodCondition condition(String type, String now) {
        return new PodConditionBuilder()
                .withType(type)
                .withStatus("True")
                .withLastTransitionTime(now)
                .build();
    }

    private static ContainerStatus containerStatus(Container container, String phase, String now) {
        ContainerStatusBuilder status = new ContainerStatusBuilder()
                .withName(container.getName())
                .withImage(container.getImage())
                .withImageID("")
                .withRestartCount(0)
                .withReady(phase.equals("Running"))
                .withStarted(phase.equals("Running"));
        return switch (phase) {
            case "Running" ->
                status.withNewState()
                        .withNewRunning()
                        .withStartedAt(now)
                        .endRunning()
                        .endState()
                        .build();
            case "Succeeded" ->
                status.withNewState()
                        .withNewTerminated()
                        .withExitCode(0)
                        .withReason("Completed")
                        .withStartedAt(now)
                        .withFinishedAt(now)
                        .endTerminated()
                        .endState()
                        .build();
            default ->
                status.withNewState()
                        .withNewWaiting()
                        .withReason("ImagePullBackOff")
                        .endWaiting()
                        .endState()
                        .build();
        };
    }

    private String nextAddress() {
        int number = addresses.incrementAndGet();
        return "10.244." + number / BYTE % BYTE + "." + number % BYTE;
    }

    /** A pod of the owner's template. */
    static Pod of(HasMetadata owner, PodTemplateSpec template, String name) {
        ObjectMetaBuilder metadata = new ObjectMetaBuilder();
        if (template.getMetadata() != null) {
            metadata.withLabels(template.getMetadata().getLabels())
                    .withAnnotations(template.getMetadata().getAnnotations());
        }
        if (name.endsWith("-")) {
            metadata.withGenerateName(name);
        } else {
            metadata.withName(name);
        }
        return new PodBuilder()
                .withMetadata(metadata.withNamespace(owner.getMetadata().getNamespace())
                        .withOwnerReferences(SimulatedObjects.controller(owner))
                        .build())
                .withSpec(template.getSpec())
                .build();
    }

    static boolean isReady(Pod pod) {
        return pod.getStatus() != null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }

    static boolean isOver(Pod pod) {
        return pod.getStatus() != null
                && List.of("Succeeded", "Failed").contains(pod.getStatus().getPhase());
    }
}
