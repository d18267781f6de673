package io.github.reconciler4j.test.fullcluster;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.Objects;

/** Pods for tests, and what tests read in them. */
final class TestPods {

    static final String IMAGE = "example.com/web:1";

    private TestPods() {}

    /** A pod with one container {@code web}. */
    static PodBuilder pod(String namespace, String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage(IMAGE)
                .endContainer()
                .endSpec();
    }

    static boolean isReady(Pod pod) {
        return has(pod, "Ready", "True");
    }

    static boolean has(Pod pod, String condition, String status) {
        return status.equals(condition(pod, condition).getStatus());
    }

    static PodCondition condition(Pod pod, String type) {
        return pod.getStatus().getConditions().stream()
                .filter(one -> type.equals(one.getType()))
                .findFirst()
                .orElseGet(PodCondition::new);
    }

    static ContainerStatus web(Pod pod) {
        return pod.getStatus().getContainerStatuses().get(0);
    }

    /** The reason why the first container waits, empty if it does not. */
    static String waiting(Pod pod) {
        return pod.getStatus().getContainerStatuses().isEmpty()
                        || web(pod).getState().getWaiting() == null
                ? ""
                : Objects.requireNonNullElse(web(pod).getState().getWaiting().getReason(), "");
    }
}
