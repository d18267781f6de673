package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.github.reconciler4j.reconcile.Conditions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The status of a {@link WebApp}, from what there is. */
final class WebAppStatuses {

    static final String READY = "Ready";
    static final String PROGRESSING = "Progressing";
    static final String DEGRADED = "Degraded";

    private WebAppStatuses() {}

    /** When the Deployment is in place. */
    static WebAppStatus of(WebApp app, Deployment deployment) {
        WebAppStatus status = next(app);
        DeploymentStatus found = deployment.getStatus() == null ? new DeploymentStatus() : deployment.getStatus();
        int wanted = app.getSpec().getReplicas();
        int available = number(found.getAvailableReplicas());
        boolean current = number(found.getObservedGeneration())
                >= number(deployment.getMetadata().getGeneration());
        boolean ready = current && available == wanted && number(found.getUpdatedReplicas()) == wanted;
        status.setReplicas(available);
        String pods = available + " of " + wanted + " pods are available";
        Conditions conditions = Conditions.of(status.getConditions(), app)
                .set(READY, ready, ready ? "PodsAvailable" : "PodsUnavailable", pods)
                .set(PROGRESSING, !ready, ready ? "Complete" : "Rollout", pods);
        failure(found)
                .ifPresentOrElse(
                        failure -> conditions.setTrue(DEGRADED, failure.getReason(), text(failure.getMessage())),
                        () -> conditions.setFalse(DEGRADED, "AsExpected", ""));
        return status;
    }

    /** When the WebApp cannot be carried out as it is. */
    static WebAppStatus degraded(WebApp app, String reason, String message) {
        WebAppStatus status = next(app);
        Conditions.of(status.getConditions(), app)
                .setFalse(READY, reason, message)
                .setFalse(PROGRESSING, reason, message)
                .setTrue(DEGRADED, reason, message);
        return status;
    }

    static boolean isReady(WebAppStatus status) {
        return status.getConditions().stream()
                .anyMatch(condition -> READY.equals(condition.getType()) && "True".equals(condition.getStatus()));
    }

    private static WebAppStatus next(WebApp app) {
        WebAppStatus before = app.getStatus() == null ? new WebAppStatus() : app.getStatus();
        WebAppStatus status = new WebAppStatus();
        status.setObservedGeneration(app.getMetadata().getGeneration());
        status.setReplicas(before.getReplicas());
        status.setSelector(WebAppResources.selector(app).entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(",")));
        status.setUrl(url(app));
        status.setConditions(copy(before.getConditions()));
        return status;
    }

    private static List<Condition> copy(List<Condition> conditions) {
        return conditions.stream()
                .map(condition -> new ConditionBuilder(condition).build())
                .collect(Collectors.toList());
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
