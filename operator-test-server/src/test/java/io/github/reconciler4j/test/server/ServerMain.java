package io.github.reconciler4j.test.server;

import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.KubernetesServerBuilder;
import java.nio.file.Path;

/** Runs a server until it is killed: {@code ServerMain <kubeconfig> [minor version]}. */
public final class ServerMain {
    private ServerMain() {}

    /** Starts it, writes the kubeconfig and waits. */
    public static void main(String[] arguments) throws InterruptedException {
        KubernetesServerBuilder builder = KubernetesServer.builder();
        if (arguments.length > 1) {
            builder.minorVersion(Integer.parseInt(arguments[1]));
        }
        KubernetesServer server = builder.start();
        server.writeKubeconfig(Path.of(arguments[0]));
        System.out.println("API server on " + server.url() + "; KUBECONFIG=" + arguments[0]);
        Thread.currentThread().join();
    }
}
