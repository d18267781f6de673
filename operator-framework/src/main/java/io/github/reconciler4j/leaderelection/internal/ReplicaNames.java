package io.github.reconciler4j.leaderelection.internal;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** The identity of a replica in Leases, and their namespace. */
public final class ReplicaNames {

    /** The file with the namespace of the pod. */
    public static final Path POD_NAMESPACE = Path.of(Config.KUBERNETES_NAMESPACE_PATH);

    private ReplicaNames() {}

    /** Return the chosen identity; otherwise the host name, an underscore and a random UUID. */
    public static String identity(String chosen) {
        return chosen.isEmpty() ? hostName() + "_" + UUID.randomUUID() : chosen;
    }

    private static String hostName() {
        String named = System.getenv("HOSTNAME");
        if (named != null && !named.isBlank()) {
            return named;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown-host";
        }
    }

    /**
     * Return the chosen namespace, otherwise that of the pod.
     *
     * @param purpose says what needs it, for the error
     * @throws IllegalStateException if it is not chosen and the process does not run in a pod
     */
    public static String namespace(String chosen, String purpose, Path podNamespace) {
        if (!chosen.isBlank()) {
            return chosen;
        }
        try {
            return Files.readString(podNamespace, StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new IllegalStateException(
                    purpose
                            + ". The process does not run in a pod (there is no file " + podNamespace
                            + "), so set 'leaseNamespace' (R4J-204)",
                    e);
        }
    }
}
