package io.github.reconciler4j.sample;

import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.cluster.TestClusterOptions;
import io.github.reconciler4j.test.spring.DevelopmentCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;

/**
 * Runs the sample operator beside a whole cluster inside the same JVM, and says what to type next. If the system property
 * {@code quickstart.controllers} names the jar of the sample controllers, these do the work of Deployments and Services. Not annotated, so that a scan for components does not find it.
 */
final class QuickStart {

    private static final String CONTROLLERS = System.getProperty("quickstart.controllers", "");

    /** The controllers of the process. */
    private static final List<String> PROCESS = List.of("deployment", "replicaset", "endpoints", "endpointslice");

    QuickStart() {}

    public static void main(String... arguments) {
        SpringApplication.from(SampleOperatorApplication::main)
                .with(DevelopmentCluster.class, QuickStart.class)
                .run("--server.port=0", "--reconciler4j.webhook.enabled=false", "--logging.level.root=INFO");
    }

    @Bean
    static TestClusterOptions clusterOptions() {
        List<String> controllers = new ArrayList<>(List.of(TestCluster.FULL));
        if (!CONTROLLERS.isEmpty()) {
            PROCESS.forEach(name -> controllers.add("-" + name));
        }
        return TestClusterOptions.defaults().withCluster(controllers.toArray(String[]::new));
    }

    @Bean
    static ApplicationListener<ApplicationReadyEvent> nextCommands() {
        return event -> {
            String controllers = CONTROLLERS.isEmpty()
                    ? ""
                    : "The controllers of Deployments, ReplicaSets and Services start. Their log is "
                            + startControllers() + "\n\n";
            System.out.println("""
                      kubectl apply -f sample-operator/examples/hello.yaml
                      kubectl get webapps -w
                      kubectl scale webapp/hello --replicas=3
                      kubectl get deployments,pods,services,configmaps,events.events.k8s.io

                    %sCtrl-C ends it, and everything with it.
                    """.formatted(controllers));
        };
    }

    /** Starts the sample controllers and returns their log. */
    private static Path startControllers() {
        Path kubeconfig = Path.of("target", "kubeconfig").toAbsolutePath();
        Path log = kubeconfig.resolveSibling("controllers.log");
        try {
            Process controllers = new ProcessBuilder(
                            ProcessHandle.current().info().command().orElse("java"),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-jar",
                            CONTROLLERS,
                            "--reconciler4j.client.kubeconfig=" + kubeconfig,
                            "--reconciler4j.enabled-controllers=" + String.join(",", PROCESS),
                            "--server.port=0")
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(controllers::destroyForcibly));
            return log;
        } catch (IOException e) {
            throw new UncheckedIOException("The sample controllers cannot be started", e);
        }
    }
}
