package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;

/** Writes the text of a page to a ConfigMap. */
class PageConfigReconciler implements ObjectReconciler<Page> {

    private final Client client;

    PageConfigReconciler(Client client) {
        this.client = client;
    }

    @Override
    public Result reconcile(Page page, ReconcileContext context) {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(page.getMetadata().getNamespace())
                .withName(page.getMetadata().getName())
                .endMetadata()
                .addToData("index.html", page.getSpec())
                .build();
        OwnerReferences.setController(map, page);
        client.apply(map);
        return Result.done();
    }
}
