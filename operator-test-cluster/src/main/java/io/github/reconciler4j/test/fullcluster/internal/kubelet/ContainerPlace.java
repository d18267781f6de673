package io.github.reconciler4j.test.fullcluster.internal.kubelet;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Objects;

/**
 * A container and what it is in its pod.
 *
 * @param isInit whether it is an init container, also one that stays
 */
record ContainerPlace(Pod pod, Container container, boolean isInit) {

    String name() {
        return container.getName();
    }

    String image() {
        return Objects.requireNonNullElse(container.getImage(), "");
    }

    /** Return whether it is an init container that keeps running beside the others. */
    boolean isSidecar() {
        return isInit && "Always".equals(container.getRestartPolicy());
    }

    /** Return the container as a part of the pod, in events. */
    String field() {
        return "spec." + (isInit ? "initContainers" : "containers") + "{" + name() + "}";
    }

    /** Return whether the container is started again after it has ended with a code. */
    boolean restartsAfter(int exitCode) {
        if (isSidecar()) {
            return true;
        }
        String policy = Objects.requireNonNullElse(pod.getSpec().getRestartPolicy(), "Always");
        return switch (policy) {
            case "Never" -> false;
            case "OnFailure" -> exitCode != 0;
            default -> exitCode != 0 || !isInit;
        };
    }

    /** Return the pod as messages of the kubelet name it. */
    String podText() {
        return pod.getMetadata().getName() + "_" + pod.getMetadata().getNamespace() + "("
                + pod.getMetadata().getUid() + ")";
    }
}
