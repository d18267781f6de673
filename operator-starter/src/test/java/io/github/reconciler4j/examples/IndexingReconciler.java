package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.spring.Index;
import io.github.reconciler4j.spring.Owns;
import io.github.reconciler4j.spring.Reconciler;
import java.util.List;

@Reconciler(name = "indexing")
@Owns(value = ConfigMap.class, reconcileOn = ReconcileOn.GENERATION)
class IndexingReconciler implements ObjectReconciler<WebPage> {

    private final Client client;

    IndexingReconciler(Client client) {
        this.client = client;
    }

    @Index("host")
    String hostOf(WebPage page) {
        return page.getMetadata().getAnnotations().get("example.com/host");
    }

    List<WebPage> pagesOn(String host) {
        return client.list(Kind.of(WebPage.class), Selection.all().withFieldSelector("host=" + host));
    }

    @Override
    public Result reconcile(WebPage page, ReconcileContext context) {
        return Result.done();
    }
}
