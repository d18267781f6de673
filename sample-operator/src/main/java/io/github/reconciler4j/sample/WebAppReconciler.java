package io.github.reconciler4j.sample;

import static io.github.reconciler4j.objectset.ObjectSetResult.READY;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.objectset.ObjectSet;
import io.github.reconciler4j.objectset.ObjectSetResult;
import io.github.reconciler4j.objectset.ObjectSets;
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
            @Permission(group = WebApp.GROUP, resources = "webapps", verbs = "patch"),
            @Permission(group = WebApp.GROUP, resources = "webapps/status", verbs = "patch"),
            @Permission(group = WebApp.GROUP, resources = "webapps/finalizers", verbs = "update"),
            @Permission(
                    group = "apps",
                    resources = "deployments",
                    verbs = {"get", "create", "patch"}),
            @Permission(
                    resources = {"services", "configmaps"},
                    verbs = {"get", "create", "patch"}),
            @Permission(resources = "configmaps", verbs = "delete")
        })
class WebAppReconciler implements ObjectReconciler<WebApp>, Cleaner<WebApp> {

    private final Client client;
    private final ObjectSets sets;
    private final EventRecorder events;
    private final SecretChecksums secrets;

    WebAppReconciler(Client client, ObjectSets sets, EventRecorder events, SecretChecksums secrets) {
        this.client = client;
        this.sets = sets;
        this.events = events;
        this.secrets = secrets;
    }

    @Override
    public Result reconcile(WebApp app, ReconcileContext context) {
        SecretChecksums.Result secret = secrets.of(app);
        if (!secret.problem().isEmpty()) {
            events.warning(app, "SecretUnavailable", "Reconcile", secret.problem());
            client.status()
                    .edit(app, a -> WebAppStatuses.observed(a).setFalse(READY, "SecretUnavailable", secret.problem()));
            return Result.done(); // a change of the Secret leads here again
        }
        ObjectSetResult result = sets.reconcile(ObjectSet.ownedBy(app)
                .when(!app.getSpec().getFiles().isEmpty(), s -> s.apply(WebAppResources.configMap(app)))
                .apply(WebAppResources.service(app))
                .apply(WebAppResources.deployment(app, secret.value()))
                .untilReady());
        client.status().edit(app, a -> WebAppStatuses.update(a, result));
        if (result.isReady() && !WebAppStatuses.isReady(app)) {
            events.normal(app, READY, "Reconcile", app.getSpec().getReplicas() + " pods are available");
        }
        return result.toResult();
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
