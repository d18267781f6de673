package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerConfigurer;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.Patch;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.spring.Permission;
import io.github.reconciler4j.spring.Reconciler;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;

/**
 * Turns a {@link WebApp} into a Deployment, a Service and a ConfigMap, follows the Secret it refers to, and reports in
 * its status how far things are.
 */
@Reconciler(
        owns = {Deployment.class, Service.class, ConfigMap.class},
        permissions = {
            @Permission(
                    group = "apps.reconciler4j.io",
                    resources = {"webapps", "webapps/status"},
                    verbs = "patch"),
            @Permission(group = "apps.reconciler4j.io", resources = "webapps/finalizers", verbs = "update"),
            @Permission(
                    group = "apps",
                    resources = "deployments",
                    verbs = {"create", "patch"}),
            @Permission(
                    resources = {"services", "configmaps"},
                    verbs = {"create", "patch"})
        })
class WebAppReconciler implements ObjectReconciler<WebApp>, ControllerConfigurer<WebApp> {

    static final String BY_SECRET = "secretName";

    private final Client client;
    private final Cache cache;
    private final EventRecorder events;
    private final WebAppCleanup cleanup;
    private final boolean secretsEnabled;

    WebAppReconciler(
            Client client,
            Cache cache,
            EventRecorder events,
            WebAppCleanup cleanup,
            @Value("${sample.secrets.enabled:true}") boolean secretsEnabled) {
        this.client = client;
        this.cache = cache;
        this.events = events;
        this.cleanup = cleanup;
        this.secretsEnabled = secretsEnabled;
    }

    @Override
    public void configure(ControllerBuilder<WebApp> controller) {
        if (secretsEnabled) {
            cache.informer(WebApp.class).addIndex(BY_SECRET, app -> secretOf(app.object()));
            controller.watchesMetadata(Secret.class, this::appsUsing);
        }
    }

    @Override
    public Result reconcile(WebApp app, ReconcileContext context) {
        if (app.isMarkedForDeletion()) {
            return cleanup.release(app);
        }
        cleanup.hold(app);
        SecretChecksum secret = secretsEnabled ? SecretChecksum.read(app, client) : SecretChecksum.withoutRights(app);
        if (secret.problem() != null) {
            events.warning(app, "SecretUnavailable", "Reconcile", secret.problem());
            report(app, WebAppStatuses.degraded(app, "SecretUnavailable", secret.problem()));
            return Result.done(); // the Secret's next change comes here again
        }
        client.apply(WebAppResources.configMap(app));
        client.apply(WebAppResources.service(app));
        report(app, WebAppStatuses.of(app, client.apply(WebAppResources.deployment(app, secret.value()))));
        return Result.done();
    }

    /** Sends what has changed in the status; nothing if that is nothing. */
    private void report(WebApp app, WebAppStatus status) {
        boolean wasReady = app.getStatus() != null && WebAppStatuses.isReady(app.getStatus());
        WebApp after = new WebApp();
        after.setMetadata(app.getMetadata());
        after.setSpec(app.getSpec());
        after.setStatus(status);
        client.status().patch(app, Patch.between(app, after));
        if (!wasReady && WebAppStatuses.isReady(status)) {
            events.normal(app, WebAppStatuses.READY, "Reconcile", status.getReplicas() + " pods are available");
        }
    }

    private List<Request> appsUsing(ObjectHeader secret) {
        return cache.informer(WebApp.class).byIndex(BY_SECRET, secret.key().toString()).stream()
                .map(app -> Request.of(app.key()))
                .toList();
    }

    private static List<String> secretOf(WebApp app) {
        String name = app.getSpec().getSecretName();
        return name == null ? List.of() : List.of(app.getMetadata().getNamespace() + "/" + name);
    }
}
