package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.Times;
import io.github.reconciler4j.test.server.internal.apimachinery.selector.LabelSelector;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.storage.ListQuery;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The disruption budgets that an eviction reads. Their status comes from a controller of the cluster: a budget without
 * one allows no eviction. Stateless; safe for use by multiple threads.
 */
final class Budgets {
    private static final int MAX_DISRUPTED = 2000;

    private final ObjectAccess access;

    Budgets(ObjectAccess access) {
        this.access = access;
    }

    /** Take the disruption of a pod from its budget, if it has one. */
    void takeFrom(ObjectNode pod, WriteContext context) {
        ResourceType type = Objects.requireNonNull(access.registry().find("policy", "v1", "poddisruptionbudgets"));
        String namespace = Json.text(pod, "metadata", "namespace");
        Map<String, String> labels = Json.stringMap(pod, "metadata", "labels");
        List<StoredObject> budgets = access.store().list(type.id(), ListQuery.all(namespace)).items().stream()
                .filter(budget -> LabelSelector.of(Json.path(budget.tree(), "spec", "selector"))
                        .test(labels))
                .toList();
        if (budgets.size() > 1) {
            throw StatusException.unclassified("This pod has more than one PodDisruptionBudget, which the eviction"
                    + " subresource does not support.");
        }
        if (!budgets.isEmpty() && !isFree(pod, budgets.get(0).tree())) {
            ObjectName name = budgets.get(0).name();
            String podName = Json.text(pod, "metadata", "name");
            access.update(
                    new Modification.Request(type, name, "status", budget -> decremented(budget, podName), null, true),
                    context);
        }
    }

    /** Return whether a pod is not ready and may go without a disruption. */
    private static boolean isFree(ObjectNode pod, ObjectNode budget) {
        boolean isReady = Json.items(pod, "status", "conditions").stream()
                .anyMatch(condition -> Json.text(condition, "type").equals("Ready")
                        && Json.text(condition, "status").equals("True"));
        long desired = Json.number(budget, 0, "status", "desiredHealthy");
        return !isReady
                && (Json.text(budget, "spec", "unhealthyPodEvictionPolicy").equals("AlwaysAllow")
                        || desired > 0 && Json.number(budget, 0, "status", "currentHealthy") >= desired);
    }

    private ObjectNode decremented(ObjectNode budget, String pod) {
        String name = Json.text(budget, "metadata", "name");
        long generation = Json.number(budget, 0, "metadata", "generation");
        if (Json.number(budget, 0, "status", "observedGeneration") < generation) {
            throw tooManyRequests(10, "The disruption budget " + name + " is still being processed by the server.");
        }
        ObjectNode status = Json.child(budget, "status");
        long allowed = Json.number(status, 0, "disruptionsAllowed");
        if (allowed < 0 || Json.path(status, "disruptedPods").size() > MAX_DISRUPTED) {
            throw refused(
                    StatusException.forbidden("policy", "poddisruptionbudget", name, "pdb does not allow disruptions"),
                    0,
                    "The disruption budget " + name + " does not allow evicting pods currently");
        }
        if (allowed == 0) {
            throw tooManyRequests(
                    0,
                    "The disruption budget " + name + " needs " + Json.number(status, 0, "desiredHealthy")
                            + " healthy pods and has " + Json.number(status, 0, "currentHealthy") + " currently");
        }
        String now = Times.text(access.now());
        status.put("disruptionsAllowed", allowed - 1);
        if (allowed == 1) {
            condition(status, "DisruptionAllowed", "False", now)
                    .put("reason", "InsufficientPods")
                    .put("message", "")
                    .put("observedGeneration", Json.number(status, 0, "observedGeneration"));
        }
        Json.child(status, "disruptedPods").put(pod, now);
        return budget;
    }

    /** Return a condition of a status, which is added if it is missing, and has this value from now on. */
    static ObjectNode condition(ObjectNode status, String type, String value, String now) {
        ArrayNode conditions = status.withArrayProperty("conditions");
        ObjectNode condition = null;
        for (JsonNode each : conditions) {
            condition = Json.text(each, "type").equals(type) ? (ObjectNode) each : condition;
        }
        if (condition == null) {
            condition = conditions.addObject().put("type", type);
        }
        if (!Json.text(condition, "status").equals(value)) {
            condition.put("status", value).put("lastTransitionTime", now);
        }
        return condition;
    }

    private static StatusException tooManyRequests(int seconds, String cause) {
        String message = "Cannot evict pod as it would violate the pod's disruption budget.";
        return refused(new StatusException(429, "TooManyRequests", message, null), seconds, cause);
    }

    private static StatusException refused(StatusException error, int seconds, @Nullable String cause) {
        ObjectNode details = Json.child(error.toStatus(), "details");
        details.putArray("causes").addObject().put("reason", "DisruptionBudget").put("message", cause);
        if (seconds > 0) {
            details.put("retryAfterSeconds", seconds);
        }
        return new StatusException(error.code(), error.reason(), error.getMessage(), details);
    }
}
