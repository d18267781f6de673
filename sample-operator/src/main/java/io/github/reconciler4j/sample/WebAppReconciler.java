package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.spring.Permission;
import io.github.reconciler4j.spring.Reconciler;
import java.util.Map;

/**
 * Maintains a Deployment, a Service and a ConfigMap for each {@link WebApp} and reports their state in its status. When a
 * WebApp is deleted, its pods stop before it is removed.
 */
@Reconciler(
        owns = {Deployment.class, Service.class, ConfigMap.class},
        permissions = {
            @Permission(group = WebApp.GROUP, resources = "webapps/status", verbs = "patch"),
            @Permission(group = WebApp.GROUP, resources = "webapps/finalizers", verbs = "update"),
            @Permission(
                    group = "apps",
                    resources = "deployments",
                    verbs = {"get", "create", "patch"}),
            @Permission(
                    resources = {"services", "configmaps"},
                    verbs = {"get", "create", "patch"})
        })
class WebAppReconciler implements ObjectReconciler<WebApp>, Cleaner<WebApp> {

    private final Client client;
    private final EventRecorder events;
    private final SecretChecksums secrets;

    WebAppReconciler(Client client, EventRecorder events, SecretChecksums secrets) {
        this.client = client;
        this.events = events;
        this.secrets = secrets;
    }

    @Override
    public Result reconcile(WebApp app, ReconcileContext context) {
        SecretChecksums.Result secret = secrets.of(app);
        if (!secret.problem().isEmpty()) {
            events.warning(app, "SecretUnavailable", "Reconcile", secret.problem());
            client.status()
                    .edit(app, changed -> WebAppStatuses.degrade(changed, "SecretUnavailable", secret.problem()));
            return Result.done(); // a change of the Secret leads here again
        }
        client.apply(WebAppResources.configMap(app));
        client.apply(WebAppResources.service(app));
        Deployment deployment = client.apply(WebAppResources.deployment(app, secret.value()));
        WebApp updated = client.status().edit(app, changed -> WebAppStatuses.update(changed, deployment));
        if (WebAppStatuses.isReady(updated) && !WebAppStatuses.isReady(app)) {
            events.normal(
                    app, WebAppStatuses.READY, "Reconcile", deployment.getSpec().getReplicas() + " pods are available");
        }
        return Result.done();
    }

    @Override
    public CleanupResult cleanup(WebApp app, ReconcileContext context) {
        for (Deployment deployment : client.listOwned(app, Deployment.class)) {
            if (deployment.getSpec().getReplicas() != 0) {
                client.patch(deployment, ObjectPatch.merge(Map.of("spec", Map.of("replicas", 0))));
            }
            if (!WebAppStatuses.isDrained(deployment)) {
                return CleanupResult.notYet(); // the next change of the Deployment leads here again
            }
        }
        events.normal(app, "Drained", "Delete", "No pod is left");
        return CleanupResult.done();
    }
}
