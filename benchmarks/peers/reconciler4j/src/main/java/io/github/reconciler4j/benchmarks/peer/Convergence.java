package io.github.reconciler4j.benchmarks.peer;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.OwnerReferences;

/** Gives a WebApp an owned ConfigMap and a status with the observed generation, as the README shows it. Thread-safe. */
final class Convergence {

    private final Client client;

    Convergence(Client client) {
        this.client = client;
    }

    void converge(WebApp app) {
        client.apply(configMap(app));
        Long generation = app.getMetadata().getGeneration();
        if (app.getStatus() == null || !generation.equals(app.getStatus().observedGeneration)) {
            app.setStatus(new WebApp.Status());
            app.getStatus().observedGeneration = generation;
            client.status().update(app);
        }
    }

    /** Apply the owned ConfigMap with another text. */
    void apply(WebApp app, String version) {
        ConfigMap map = configMap(app);
        map.getData().put("version", version);
        client.apply(map);
    }

    private static ConfigMap configMap(WebApp app) {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(app.getMetadata().getNamespace())
                .withName(app.getMetadata().getName())
                .endMetadata()
                .withData(app.getSpec().files)
                .build();
        OwnerReferences.setController(map, app);
        return map;
    }
}
