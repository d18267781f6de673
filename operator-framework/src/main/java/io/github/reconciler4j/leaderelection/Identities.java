package io.github.reconciler4j.leaderelection;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Who a replica is and where its Lease belongs, if nobody says so.
 *
 * @since 0.1.0
 */
public final class Identities {

    private static final Path POD_NAMESPACE = Path.of(Config.KUBERNETES_NAMESPACE_PATH);

    private Identities() {}

    /** The host name, {@code _}, and a random UUID: different at every call. */
    public static String random() {
        return hostName() + "_" + UUID.randomUUID();
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
     * The namespace of the Lease: the one of the options, or that of the pod.
     *
     * @throws IllegalStateException if there is neither
     */
    public static String namespace(LeaderElectionOptions options) {
        return namespace(options, POD_NAMESPACE);
    }

    static String namespace(LeaderElectionOptions options, Path podNamespace) {
        if (!options.leaseNamespace().isBlank()) {
            return options.leaseNamespace();
        }
        try {
            return Files.readString(podNamespace, StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new IllegalStateException(
                    "Leader election needs a namespace for its Lease '" + options.leaseName()
                            + "': this process runs in no pod (there is no " + podNamespace
                            + "), so set 'leaseNamespace'",
                    e);
        }
    }
}
