package io.github.reconciler4j.examples;

import io.github.reconciler4j.sample.SampleOperatorApplication;
import io.github.reconciler4j.test.fullcluster.FullCluster;
import java.nio.file.Path;
import org.springframework.boot.SpringApplication;

/** Runs the operator with a whole cluster inside the same JVM; for the test sources. */
class DevelopmentServer {

    public static void main(String[] args) {
        FullCluster cluster = FullCluster.start();
        Path kubeconfig = Path.of("target/kubeconfig").toAbsolutePath();
        cluster.server().writeKubeconfig(kubeconfig);
        SpringApplication.run(
                SampleOperatorApplication.class,
                "--reconciler4j.client.kubeconfig=" + kubeconfig,
                "--reconciler4j.webhook.enabled=false");
    }
}
