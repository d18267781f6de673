package io.github.reconciler4j.examples;

import io.github.reconciler4j.sample.SampleOperatorApplication;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.simulation.Simulator;
import java.nio.file.Path;
import org.springframework.boot.SpringApplication;

/** Runs the operator with an API server inside the same JVM; for the test sources. */
class DevelopmentServer {

    public static void main(String[] args) {
        KubernetesServer server = KubernetesServer.builder()
                .simulators(Simulator.DEPLOYMENTS, Simulator.ENDPOINTS)
                .start();
        Path kubeconfig = Path.of("target/kubeconfig").toAbsolutePath();
        server.writeKubeconfig(kubeconfig);
        SpringApplication.run(
                SampleOperatorApplication.class,
                "--reconciler4j.client.kubeconfig=" + kubeconfig,
                "--reconciler4j.webhook.enabled=false");
    }
}
