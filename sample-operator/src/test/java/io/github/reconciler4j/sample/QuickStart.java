package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.simulation.Simulator;
import java.io.IOException;
import java.nio.file.Path;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;

/**
 * Runs the sample operator beside an API server inside the same JVM, and says what to type next. Deployments and Services are
 * simulated, unless the system property {@code quickstart.controllers} names the jar of the sample controllers: then these do
 * the work.
 */
final class QuickStart {

    private static final String CONTROLLERS = System.getProperty("quickstart.controllers", "");

    private QuickStart() {}

    /** Takes the file to write the kubeconfig to. */
    public static void main(String... arguments) throws IOException {
        Path kubeconfig = Path.of(arguments[0]).toAbsolutePath().normalize();
        KubernetesServer server = CONTROLLERS.isEmpty() ? withSimulators() : withPodsOnly();
        server.writeKubeconfig(kubeconfig);
        install(server);
        if (!CONTROLLERS.isEmpty()) {
            startControllers(kubeconfig);
        }
        SpringApplication application = new SpringApplication(SampleOperatorApplication.class);
        application.addListeners(event -> {
            if (event instanceof ApplicationReadyEvent) {
                System.out.println(advice(kubeconfig));
            }
        });
        application.run("--reconciler4j.client.kubeconfig=" + kubeconfig, "--server.port=0");
    }

    private static KubernetesServer withSimulators() {
        return KubernetesServer.builder()
                .simulators(Simulator.DEPLOYMENTS, Simulator.ENDPOINTS)
                .start();
    }

    private static KubernetesServer withPodsOnly() {
        return KubernetesServer.builder().simulators(Simulator.PODS).start();
    }

    private static void startControllers(Path kubeconfig) throws IOException {
        Path log = kubeconfig.resolveSibling("controllers.log");
        Process controllers = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-jar",
                        CONTROLLERS,
                        "--reconciler4j.client.kubeconfig=" + kubeconfig,
                        "--server.port=0")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(controllers::destroyForcibly));
        System.out.println("The controllers of Deployments, ReplicaSets and Services start; their log is " + log);
    }

    private static void install(KubernetesServer server) {
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(server.clientConfig()).build()) {
            client.load(QuickStart.class.getResourceAsStream("/META-INF/crds/webapps.apps.reconciler4j.io.yaml"))
                    .create();
        }
    }

    private static String advice(Path kubeconfig) {
        return """

                The sample operator runs. In another terminal:

                  export KUBECONFIG=%s
                  kubectl apply -f sample-operator/examples/hello.yaml
                  kubectl get webapps -w
                  kubectl scale webapp/hello --replicas=3
                  kubectl get deployments,pods,services,configmaps,events.events.k8s.io

                Ctrl-C ends it, and everything with it.
                """.formatted(kubeconfig);
    }
}
