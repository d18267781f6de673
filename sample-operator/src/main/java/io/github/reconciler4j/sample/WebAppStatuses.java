package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.github.reconciler4j.objectset.ObjectSetResult;
import io.github.reconciler4j.reconcile.Conditions;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Derives the status of a {@link WebApp} from its objects. */
final class WebAppStatuses {

    private WebAppStatuses() {}

    /** Update the status after the objects were applied. */
    static void update(WebApp app, ObjectSetResult result) {
        result.report(observed(app));
        result.find(Deployment.class, app.getMetadata().getName())
                .ifPresent(deployment ->
                        app.getStatus().setReplicas(pods(deployment, DeploymentStatus::getAvailableReplicas)));
    }

    static boolean isReady(WebApp app) {
        return app.getStatus() != null
                && Conditions.of(app.getStatus().getConditions(), app).isTrue(ObjectSetResult.READY);
    }

    /** Return whether a Deployment that was scaled down has no pod left. */
    static boolean isDrained(Deployment deployment) {
        return pods(deployment, DeploymentStatus::getReplicas) == 0;
    }

    /** Set what does not depend on the objects, and return the conditions. */
    static Conditions observed(WebApp app) {
        if (app.getStatus() == null) {
            app.setStatus(new WebAppStatus());
        }
        WebAppStatus status = app.getStatus();
        status.setObservedGeneration(app.getMetadata().getGeneration());
        status.setSelector(WebAppResources.NAME_LABEL + "=" + app.getMetadata().getName());
        status.setUrl(url(app));
        return Conditions.of(status.getConditions(), app);
    }

    private static String url(WebApp app) {
        String host = app.getSpec().getHost();
        return "http://"
                + (host != null
                        ? host
                        : app.getMetadata().getName() + "." + app.getMetadata().getNamespace() + ".svc");
    }

    private static int pods(Deployment deployment, Function<DeploymentStatus, @Nullable Integer> count) {
        DeploymentStatus status = deployment.getStatus();
        Integer pods = status == null ? null : count.apply(status);
        return pods == null ? 0 : pods;
    }
}
