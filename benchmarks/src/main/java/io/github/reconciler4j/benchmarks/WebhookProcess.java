package io.github.reconciler4j.benchmarks;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.webhook.Defaulter;
import io.github.reconciler4j.webhook.FileCertificates;
import io.github.reconciler4j.webhook.WebhookServer;
import io.github.reconciler4j.webhook.WebhookServerOptions;
import io.github.reconciler4j.webhook.Webhooks;
import java.net.URI;
import java.nio.file.Path;

/** Serves a defaulter of ConfigMaps until its input ends, as the peer in Go does. */
final class WebhookProcess {
    private WebhookProcess() {}

    /** Arguments: PORT and the folder of tls.crt and tls.key. */
    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        Defaulter<ConfigMap> defaulter =
                (map, request) -> map.getMetadata().getLabels().putIfAbsent("creator", "benchmark");
        try (KubernetesServer cluster = KubernetesServer.start();
                Manager manager = Manager.create(
                        cluster.clientConfig(), ManagerOptions.defaults().withName("benchmark"))) {
            WebhookServer.addTo(
                    manager,
                    Webhooks.builder().defaulter(ConfigMap.class, defaulter).build(),
                    FileCertificates.in(Path.of(arguments[1])),
                    WebhookServerOptions.defaults()
                            .withHost("127.0.0.1")
                            .withPort(port)
                            .withUrl(URI.create("https://127.0.0.1:" + port)));
            manager.start();
            System.out.println("ready");
            System.in.transferTo(java.io.OutputStream.nullOutputStream());
        }
    }
}
