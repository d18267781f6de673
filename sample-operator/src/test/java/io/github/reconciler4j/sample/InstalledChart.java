package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The chart on a cluster, all but its Deployment: the operator runs as a process beside the cluster instead of in it, with
 * the chart's ServiceAccount, rights and settings.
 */
final class InstalledChart {

    static final String NAMESPACE = "operators";

    /** The API server cannot reach the process through a Service. The operator may write its own objects only. */
    private static final Map<String, Object> WITHOUT_WEBHOOKS =
            Map.of("webhook", Map.of("enabled", false), "ownOnly", Map.of("enabled", true));

    private final RealKubernetes kubernetes;
    private final Path folder;
    private final Map<String, String> variables = new HashMap<>();

    private InstalledChart(RealKubernetes kubernetes, Path folder) {
        this.kubernetes = kubernetes;
        this.folder = folder;
    }

    static InstalledChart install(RealKubernetes kubernetes, Path folder, Map<String, Object> values)
            throws IOException {
        Map<String, Object> all = new HashMap<>(WITHOUT_WEBHOOKS);
        all.putAll(values);
        InstalledChart chart = new InstalledChart(kubernetes, folder);
        installDefinition(kubernetes);
        kubernetes.kubectlWithInput(
                "{apiVersion: v1, kind: Namespace, metadata: {name: " + NAMESPACE + "}}", "apply", "-f", "-");
        KubernetesSerialization serialization = new KubernetesSerialization();
        List<HasMetadata> objects = Chart.render(all);
        String documents = objects.stream()
                .filter(object -> !(object instanceof Deployment || object instanceof CustomResourceDefinition))
                .map(serialization::asYaml)
                .collect(Collectors.joining("\n---\n"));
        kubernetes.kubectlWithInput(documents, "apply", "-f", "-");
        Files.writeString(
                folder.resolve("application.properties"),
                Chart.one(objects, ConfigMap.class).getData().get("application.properties"));
        Chart.one(objects, Deployment.class).getSpec().getTemplate().getSpec().getContainers().get(0).getEnv().stream()
                .filter(variable -> variable.getValue() != null)
                .forEach(variable -> chart.variables.put(variable.getName(), variable.getValue()));
        chart.variables.put("SPRING_CONFIG_ADDITIONAL_LOCATION", folder + "/");
        chart.writeKubeconfig(
                Chart.one(objects, ServiceAccount.class).getMetadata().getName());
        return chart;
    }

    static void installDefinition(RealKubernetes kubernetes) {
        String yaml = new KubernetesSerialization()
                .asYaml(Chart.one(Chart.render(WITHOUT_WEBHOOKS), CustomResourceDefinition.class));
        kubernetes.kubectlWithInput(yaml, "apply", "--server-side", "-f", "-");
        kubernetes.awaitServed(yaml);
    }

    private void writeKubeconfig(String account) throws IOException {
        Config config = kubernetes.serviceAccountConfig(NAMESPACE, account);
        Files.writeString(kubeconfig(), """
                apiVersion: v1
                kind: Config
                current-context: sample
                clusters: [{name: sample, cluster: {server: "%s", certificate-authority-data: "%s"}}]
                users: [{name: sample, user: {token: "%s"}}]
                contexts: [{name: sample, context: {cluster: sample, user: sample, namespace: %s}}]
                """.formatted(
                        kubernetes.server(), config.getCaCertData(), config.getOauthToken(), NAMESPACE));
    }

    /** The environment of the container. */
    Map<String, String> variables() {
        return Map.copyOf(variables);
    }

    Path kubeconfig() {
        return folder.resolve("kubeconfig");
    }

    /** The operator with the chart's settings, and these on top. */
    OperatorProcess start(String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "--spring.config.additional-location=" + folder + "/";
        all[1] = "--reconciler4j.client.kubeconfig=" + kubeconfig();
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return OperatorProcess.start(folder, all);
    }
}
