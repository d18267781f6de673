package io.github.reconciler4j.benchmarks;

import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.nio.file.Path;

/** The API server inside the JVM as a process of its own, until its input ends. Argument: the kubeconfig to write. */
final class BigServer {

    private static final int REQUEST_LOG = 100;

    private BigServer() {}

    /** Runs it. */
    public static void main(String[] arguments) throws IOException {
        try (KubernetesServer server =
                KubernetesServer.builder().requestLogSize(REQUEST_LOG).start()) {
            server.writeKubeconfig(Path.of(arguments[0]));
            while (System.in.read() >= 0) {
                continue;
            }
        }
    }
}
