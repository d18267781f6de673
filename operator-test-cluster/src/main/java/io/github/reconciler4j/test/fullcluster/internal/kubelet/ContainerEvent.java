package io.github.reconciler4j.test.fullcluster.internal.kubelet;

/**
 * An event about a container.
 *
 * @param field the container as a part of the pod
 */
record ContainerEvent(String field, String type, String reason, String message) {

    static ContainerEvent normal(ContainerPlace place, String reason, String message) {
        return new ContainerEvent(place.field(), "Normal", reason, message);
    }

    static ContainerEvent warning(ContainerPlace place, String reason, String message) {
        return new ContainerEvent(place.field(), "Warning", reason, message);
    }
}
