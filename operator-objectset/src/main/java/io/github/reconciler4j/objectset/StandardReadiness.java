package io.github.reconciler4j.objectset;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.objectset.Readiness.Status;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.Map;
import java.util.function.Function;

/**
 * The rules of kstatus: when an object of a kind has become what its specification asks for. Stateless.
 *
 * <p>They follow the library {@code sigs.k8s.io/cli-utils/pkg/kstatus}, except that a Job is ready when it has started, as there,
 * and a failed Pod is failed at once.
 */
final class StandardReadiness {

    /** The rules for kinds that do not have standard conditions, by group and kind. */
    private static final Map<String, Function<JsonNode, Status>> RULES = Map.ofEntries(
            Map.entry("apps/Deployment", StandardReadiness::deployment),
            Map.entry("apps/StatefulSet", StandardReadiness::statefulSet),
            Map.entry("apps/DaemonSet", StandardReadiness::daemonSet),
            Map.entry("apps/ReplicaSet", StandardReadiness::replicaSet),
            Map.entry("batch/Job", StandardReadiness::job),
            Map.entry("/Pod", StandardReadiness::pod),
            Map.entry("/Service", StandardReadiness::service),
            Map.entry("/PersistentVolumeClaim", StandardReadiness::claim),
            Map.entry("apiextensions.k8s.io/CustomResourceDefinition", StandardReadiness::definition));

    private StandardReadiness() {}

    static Status of(HasMetadata object) {
        JsonNode tree = KubernetesJson.mapper().valueToTree(object);
        if (!tree.path("metadata").path("deletionTimestamp").asText("").isEmpty()) {
            return Status.waiting("is being deleted");
        }
        String observed = outdated(tree, tree.path("status").path("observedGeneration"));
        if (!observed.isEmpty()) {
            return Status.waiting(observed);
        }
        String apiVersion = tree.path("apiVersion").asText();
        String group = apiVersion.contains("/") ? apiVersion.substring(0, apiVersion.indexOf('/')) : "";
        Function<JsonNode, Status> rule =
                RULES.get(group + "/" + tree.path("kind").asText());
        return rule != null ? rule.apply(tree) : byConditions(tree);
    }

    static Status ofCondition(HasMetadata object, String type) {
        JsonNode tree = KubernetesJson.mapper().valueToTree(object);
        JsonNode condition = condition(tree, type);
        if (condition.isMissingNode()) {
            return Status.waiting("has no condition " + type + " yet");
        }
        String observed = outdated(tree, condition.path("observedGeneration"));
        if (!observed.isEmpty()) {
            return Status.waiting(observed);
        }
        return isTrue(condition) ? Status.ready(why(condition)) : Status.waiting(type + ": " + why(condition));
    }

    /** Return that the status is about an older generation; {@code ""} if it is not, or does not say. */
    private static String outdated(JsonNode tree, JsonNode observedGeneration) {
        long generation = tree.path("metadata").path("generation").asLong(0);
        long observed = observedGeneration.asLong(0);
        return observedGeneration.isNumber() && observed < generation
                ? "its controller has seen generation " + observed + " of " + generation
                : "";
    }

    private static Status byConditions(JsonNode tree) {
        if (isTrue(condition(tree, "Stalled"))) {
            return Status.failed(why(condition(tree, "Stalled")));
        }
        if (isTrue(condition(tree, "Reconciling"))) {
            return Status.waiting(why(condition(tree, "Reconciling")));
        }
        JsonNode ready = condition(tree, "Ready");
        if (ready.isMissingNode() || isTrue(ready)) {
            return Status.ready(ready.isMissingNode() ? "" : why(ready));
        }
        String observed = outdated(tree, ready.path("observedGeneration"));
        return Status.waiting(observed.isEmpty() ? why(ready) : observed);
    }

    private static Status deployment(JsonNode tree) {
        JsonNode progressing = condition(tree, "Progressing");
        if ("ProgressDeadlineExceeded".equals(progressing.path("reason").asText())) {
            return Status.failed(why(progressing));
        }
        if (!tree.path("status").path("observedGeneration").isNumber()) {
            return Status.waiting("its controller has not seen it yet");
        }
        long wanted = tree.path("spec").path("replicas").asLong(1);
        JsonNode status = tree.path("status");
        Status replicas = replicas(
                wanted,
                Map.entry("exist", status.path("replicas")),
                Map.entry("are up to date", status.path("updatedReplicas")));
        if (replicas.state() != Readiness.State.READY) {
            return replicas;
        }
        if (status.path("replicas").asLong() > wanted) {
            return Status.waiting((status.path("replicas").asLong() - wanted) + " old pods have to stop");
        }
        return replicas(
                wanted,
                Map.entry("are available", status.path("availableReplicas")),
                Map.entry("are ready", status.path("readyReplicas")));
    }

    private static Status statefulSet(JsonNode tree) {
        JsonNode spec = tree.path("spec");
        JsonNode status = tree.path("status");
        if ("OnDelete".equals(spec.path("updateStrategy").path("type").asText())) {
            return Status.ready("its pods are updated when they are deleted");
        }
        if (!status.path("observedGeneration").isNumber()) {
            return Status.waiting("its controller has not seen it yet");
        }
        long wanted = spec.path("replicas").asLong(1);
        Status replicas = replicas(
                wanted,
                Map.entry("exist", status.path("replicas")),
                Map.entry("are ready", status.path("readyReplicas")));
        if (replicas.state() != Readiness.State.READY) {
            return replicas;
        }
        if (status.path("replicas").asLong() > wanted) {
            return Status.waiting((status.path("replicas").asLong() - wanted) + " pods have to stop");
        }
        JsonNode partition = spec.path("updateStrategy").path("rollingUpdate").path("partition");
        if (partition.asLong(0) > 0) {
            long updated = Math.max(0, wanted - partition.asLong());
            return replicas(updated, Map.entry("are up to date", status.path("updatedReplicas")));
        }
        Status current = replicas(wanted, Map.entry("are current", status.path("currentReplicas")));
        boolean rolledOut = status.path("currentRevision").equals(status.path("updateRevision"));
        return current.state() == Readiness.State.READY && !rolledOut
                ? Status.waiting("its pods are being replaced")
                : current;
    }

    private static Status daemonSet(JsonNode tree) {
        JsonNode status = tree.path("status");
        if (!status.path("observedGeneration").isNumber()
                || !status.path("desiredNumberScheduled").isNumber()) {
            return Status.waiting("its controller has not seen it yet");
        }
        long wanted = status.path("desiredNumberScheduled").asLong();
        boolean onDelete = "OnDelete"
                .equals(tree.path("spec").path("updateStrategy").path("type").asText());
        return replicas(
                wanted,
                Map.entry("are scheduled", status.path("currentNumberScheduled")),
                Map.entry(
                        "are up to date", status.path(onDelete ? "currentNumberScheduled" : "updatedNumberScheduled")),
                Map.entry("are available", status.path("numberAvailable")),
                Map.entry("are ready", status.path("numberReady")));
    }

    private static Status replicaSet(JsonNode tree) {
        JsonNode failure = condition(tree, "ReplicaFailure");
        if (isTrue(failure)) {
            return Status.waiting(why(failure));
        }
        JsonNode status = tree.path("status");
        if (!status.path("observedGeneration").isNumber()) {
            return Status.waiting("its controller has not seen it yet");
        }
        long wanted = tree.path("spec").path("replicas").asLong(1);
        Status replicas = replicas(
                wanted,
                Map.entry("exist", status.path("fullyLabeledReplicas")),
                Map.entry("are available", status.path("availableReplicas")),
                Map.entry("are ready", status.path("readyReplicas")));
        long surplus = status.path("replicas").asLong() - wanted;
        return replicas.state() == Readiness.State.READY && surplus > 0
                ? Status.waiting(surplus + " pods have to stop")
                : replicas;
    }

    private static Status job(JsonNode tree) {
        if (isTrue(condition(tree, "Failed"))) {
            return Status.failed(why(condition(tree, "Failed")));
        }
        boolean started = !tree.path("status").path("startTime").asText("").isEmpty();
        return started || isTrue(condition(tree, "Complete")) ? Status.ready("") : Status.waiting("has not started");
    }

    private static Status pod(JsonNode tree) {
        String phase = tree.path("status").path("phase").asText("");
        JsonNode ready = condition(tree, "Ready");
        if ("Failed".equals(phase)) {
            return Status.failed("has failed");
        }
        if ("Succeeded".equals(phase) || "Running".equals(phase) && isTrue(ready)) {
            return Status.ready("");
        }
        for (JsonNode container : tree.path("status").path("containerStatuses")) {
            String reason =
                    container.path("state").path("waiting").path("reason").asText("");
            if ("CrashLoopBackOff".equals(reason)) {
                return Status.failed("container " + container.path("name").asText() + " keeps failing");
            }
        }
        JsonNode scheduled = condition(tree, "PodScheduled");
        return !scheduled.isMissingNode() && !isTrue(scheduled)
                ? Status.waiting(why(scheduled))
                : Status.waiting(phase.isEmpty() ? "has not been scheduled" : "is " + phase + " and not ready");
    }

    private static Status service(JsonNode tree) {
        boolean balanced = "LoadBalancer".equals(tree.path("spec").path("type").asText());
        return balanced && tree.path("spec").path("clusterIP").asText("").isEmpty()
                ? Status.waiting("has no address yet")
                : Status.ready("");
    }

    private static Status claim(JsonNode tree) {
        String phase = tree.path("status").path("phase").asText("");
        return "Bound".equals(phase) ? Status.ready("") : Status.waiting("is not bound to a volume");
    }

    private static Status definition(JsonNode tree) {
        JsonNode names = condition(tree, "NamesAccepted");
        if ("False".equals(names.path("status").asText())) {
            return Status.failed(why(names));
        }
        JsonNode established = condition(tree, "Established");
        return isTrue(established) ? Status.ready("") : Status.waiting("is not served yet");
    }

    /** Return that all wanted pods have what is counted, in this order; otherwise what the first count lacks. */
    @SafeVarargs
    private static Status replicas(long wanted, Map.Entry<String, JsonNode>... counts) {
        for (Map.Entry<String, JsonNode> count : counts) {
            if (count.getValue().asLong() < wanted) {
                return Status.waiting(count.getValue().asLong() + " of " + wanted + " pods " + count.getKey());
            }
        }
        return Status.ready(wanted + " of " + wanted + " pods are ready");
    }

    private static JsonNode condition(JsonNode tree, String type) {
        for (JsonNode condition : tree.path("status").path("conditions")) {
            if (type.equals(condition.path("type").asText())) {
                return condition;
            }
        }
        return tree.path("status").path("conditions").path("");
    }

    private static boolean isTrue(JsonNode condition) {
        return "True".equals(condition.path("status").asText());
    }

    private static String why(JsonNode condition) {
        String message = condition.path("message").asText("");
        return message.isEmpty()
                ? condition
                        .path("reason")
                        .asText(condition.path("type").asText() + " is "
                                + condition.path("status").asText("Unknown"))
                : message;
    }
}
