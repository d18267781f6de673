package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.simulation.Simulator;
import java.nio.file.Path;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;

/** Runs the sample operator beside an API server inside the same JVM, and says what to type next. */
final class QuickStart {

    private QuickStart() {}

    /** Takes the file to write the kubeconfig to. */
    public static void main(String... arguments) {
        Path kubeconfig = Path.of(arguments[0]).toAbsolutePath().normalize();
        KubernetesServer server = KubernetesServer.builder()
                .simulators(Simulator.DEPLOYMENTS, Simulator.ENDPOINTS)
                .start();
        server.writeKubeconfig(kubeconfig);
        install(server);
        SpringApplication application = new SpringApplication(SampleOperatorApplication.class);
        application.addListeners(event -> {
            if (event instanceof ApplicationReadyEvent) {
                System.out.println(advice(kubeconfig));
            }
        });
        application.run("--reconciler4j.client.kubeconfig=" + kubeconfig, "--server.port=0");
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
