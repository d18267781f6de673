package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.github.reconciler4j.reconcile.Conditions;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Derives the status of a {@link WebApp} from its Deployment. */
final class WebAppStatuses {

    static final String READY = "Ready";
    static final String PROGRESSING = "Progressing";
    static final String DEGRADED = "Degraded";

    private WebAppStatuses() {}

    /** Update the status after the Deployment was applied. */
    static void update(WebApp app, Deployment deployment) {
        WebAppStatus status = observed(app);
        DeploymentStatus found = deployment.getStatus() == null ? new DeploymentStatus() : deployment.getStatus();
        int desired = app.getSpec().getReplicas();
        int available = number(found.getAvailableReplicas());
        boolean current = number(found.getObservedGeneration())
                >= number(deployment.getMetadata().getGeneration());
        boolean ready = current && available == desired && number(found.getUpdatedReplicas()) == desired;
        status.setReplicas(available);
        String pods = available + " of " + desired + " pods are available";
        Conditions conditions = Conditions.of(status.getConditions(), app)
                .set(READY, ready, ready ? "PodsAvailable" : "PodsUnavailable", pods)
                .set(PROGRESSING, !ready, ready ? "Complete" : "Rollout", pods);
        failure(found)
                .ifPresentOrElse(
                        failure -> conditions.setTrue(DEGRADED, failure.getReason(), text(failure.getMessage())),
                        () -> conditions.setFalse(DEGRADED, "AsExpected", ""));
    }

    /** Update the status of a WebApp that cannot be deployed as it is. */
    static void degrade(WebApp app, String reason, String message) {
        Conditions.of(observed(app).getConditions(), app)
                .setFalse(READY, reason, message)
                .setFalse(PROGRESSING, reason, message)
                .setTrue(DEGRADED, reason, message);
    }

    static boolean isReady(WebApp app) {
        return app.getStatus() != null
                && Conditions.of(app.getStatus().getConditions(), app).isTrue(READY);
    }

    /** Return whether a Deployment that was scaled down has no pod left. */
    static boolean isDrained(Deployment deployment) {
        return deployment.getStatus() == null || number(deployment.getStatus().getReplicas()) == 0;
    }

    private static WebAppStatus observed(WebApp app) {
        if (app.getStatus() == null) {
            app.setStatus(new WebAppStatus());
        }
        WebAppStatus status = app.getStatus();
        status.setObservedGeneration(app.getMetadata().getGeneration());
        status.setSelector(WebAppResources.selector(app).entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(",")));
        status.setUrl(url(app));
        return status;
    }

    private static String url(WebApp app) {
        String host = app.getSpec().getHost();
        return "http://"
                + (host != null
                        ? host
                        : app.getMetadata().getName() + "." + app.getMetadata().getNamespace() + ".svc");
    }

    private static Optional<DeploymentCondition> failure(DeploymentStatus status) {
        return status.getConditions().stream()
                .filter(condition ->
                        ("ReplicaFailure".equals(condition.getType()) && "True".equals(condition.getStatus()))
                                || ("Progressing".equals(condition.getType()) && "False".equals(condition.getStatus())))
                .findFirst();
    }

    private static long number(@Nullable Long value) {
        return value == null ? 0 : value;
    }

    private static int number(@Nullable Integer value) {
        return value == null ? 0 : value;
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}
