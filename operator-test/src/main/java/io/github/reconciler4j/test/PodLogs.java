package io.github.reconciler4j.test;

/**
 * What the containers of a {@link KubernetesServer} have written, which a kubelet knows on a real cluster. Implementations are
 * thread-safe and return at once.
 *
 * <!-- snippet: ServerUse -->
 * <pre>{@code
 * server.podLogs((namespace, pod, container) -> "started " + pod + "\n");
 * }</pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface PodLogs {

    /** Return the log of a container that has started, empty if it has written nothing. */
    String text(String namespace, String pod, String container);
}
