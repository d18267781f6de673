package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.KubernetesServer;
import java.nio.file.Path;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;

/** Runs the sample operator beside an API server inside the same JVM, and says what to type next. */
final class QuickStart {

    private QuickStart() {}

    /** Takes the file to write the kubeconfig to. */
    public static void main(String... arguments) {
        Path kubeconfig = Path.of(arguments[0]).toAbsolutePath().normalize();
        KubernetesServer server = KubernetesServer.start();
        server.writeKubeconfig(kubeconfig);
        Manager standIns =
                Manager.create(server.clientConfig(), ManagerOptions.defaults().withName("stand-ins"));
        install(standIns.client());
        ControllerBuilder.forType(Deployment.class)
                .named("deployment-stand-in")
                .reconciler(new DeploymentStandIn(standIns.client()))
                .addTo(standIns);
        standIns.start();
        SpringApplication application = new SpringApplication(SampleOperatorApplication.class);
        application.addListeners(event -> {
            if (event instanceof ApplicationReadyEvent) {
                System.out.println(advice(kubeconfig));
            }
        });
        application.run("--operator.client.kubeconfig=" + kubeconfig, "--server.port=0");
    }

    private static void install(Client client) {
        client.apply(new KubernetesSerialization().unmarshal(CrdWriter.yaml(), CustomResourceDefinition.class));
        if (client.live().get(Namespace.class, ObjectKey.ofName("default")).isEmpty()) {
            client.create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName("default")
                    .endMetadata()
                    .build());
        }
    }

    private static String advice(Path kubeconfig) {
        return """

                The sample operator runs. In another terminal:

                  export KUBECONFIG=%s
                  kubectl apply -f sample-operator/examples/hello.yaml
                  kubectl get webapps -w
                  kubectl scale webapp/hello --replicas=3
                  kubectl get deployments,services,configmaps,events.events.k8s.io

                Ctrl-C ends it, and everything with it.
                """.formatted(kubeconfig);
    }
}
