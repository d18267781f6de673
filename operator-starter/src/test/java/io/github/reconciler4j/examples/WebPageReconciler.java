package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.spring.Reconciler;

@Reconciler(owns = ConfigMap.class)
class WebPageReconciler implements ObjectReconciler<WebPage> {

    private final Client client;

    WebPageReconciler(Client client) {
        this.client = client;
    }

    @Override
    public Result reconcile(WebPage page, ReconcileContext context) {
        if (page.getSpec().getHtml().isBlank()) {
            throw new TerminalException("spec.html is empty"); // not retried until the page changes
        }
        client.apply(configMapFor(page)); // other exceptions are retried with a growing delay
        return Result.done(); // called again when the page or its ConfigMap changes
    }

    private static ConfigMap configMapFor(WebPage page) {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(page.getMetadata().getNamespace())
                .withName(page.getMetadata().getName())
                .endMetadata()
                .addToData("index.html", page.getSpec().getHtml())
                .build();
        OwnerReferences.setController(map, page); // Kubernetes deletes the ConfigMap with the page
        return map;
    }
}
