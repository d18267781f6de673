package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.Times;
import io.github.reconciler4j.test.server.internal.exchange.Response;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** What is done to pods by paths of their own: eviction and binding. Stateless; safe for use by multiple threads. */
final class PodParts {
    private static final String EVICTION = "policy/v1";
    private static final List<String> OVER = List.of("Succeeded", "Failed");

    private final ObjectAccess access;
    private final Budgets budgets;

    PodParts(ObjectAccess access) {
        this.access = access;
        budgets = new Budgets(access);
    }

    Response evict(Call call) {
        JsonNode body = Bodies.tree(call.request());
        if (body instanceof ObjectNode object && Json.text(object, "apiVersion").equals(EVICTION + "beta1")) {
            object.put("apiVersion", EVICTION);
        }
        ObjectNode eviction = Bodies.object(body, EVICTION, "Eviction");
        requireSameName(eviction, call);
        DeleteOptions options = DeleteOptions.of(call.request().query(), Json.at(eviction, "deleteOptions"));
        WriteContext context = Writing.context(call, "");
        AdmissionCalls admission = AdmissionCalls.ofPart(access, call.type(), "eviction", call.object(), context);
        admission.validate(admission.mutate(eviction, null), null);
        WriteContext own = context.fromServer(options.dryRun());
        ObjectNode pod = found(call.type(), call.object());
        if (isGuarded(pod)) {
            budgets.takeFrom(pod, own);
        }
        if (!options.dryRun()) {
            update(call, "status", own, before -> evicted(call.type(), before, options));
        }
        // the mark above has changed the version that the request names
        access.delete(call.type(), call.object(), options.ofAnyVersion(), own);
        return success();
    }

    private ObjectNode evicted(ResourceType type, ObjectNode pod, DeleteOptions options) {
        Removal.checkPreconditions(type, pod, options);
        ObjectNode condition = condition(pod, "DisruptionTarget");
        condition.put("reason", "EvictionByEvictionAPI").put("message", "Eviction API: evicting");
        return pod;
    }

    /** Budgets guard only pods that run. */
    private static boolean isGuarded(ObjectNode pod) {
        String phase = Json.text(pod, "status", "phase");
        return !OVER.contains(phase)
                && !phase.equals("Pending")
                && Json.at(pod, "metadata", "deletionTimestamp") == null;
    }

    Response bind(Call call) {
        ObjectNode binding = Bodies.object(call.request(), "v1", "Binding");
        Call about = call.type().is("", "pods")
                ? call
                : call.about(
                        Objects.requireNonNull(access.registry().find("", "v1", "pods")),
                        Json.text(binding, "metadata", "name"));
        requireSameName(binding, about);
        String kind = Json.text(binding, "target", "kind");
        String node = Json.text(binding, "target", "name");
        if (node.isEmpty() || !kind.isEmpty() && !kind.equals("Node")) {
            throw StatusException.unclassified("target: must be a Node with a name");
        }
        WriteContext context = Writing.context(call, "CreateOptions");
        AdmissionCalls admission = AdmissionCalls.ofPart(access, about.type(), "binding", about.object(), context);
        admission.validate(admission.mutate(binding, null), null);
        update(about, "binding", context.from(WriteContext.Origin.SERVER), pod -> bound(pod, binding, node));
        return success();
    }

    private ObjectNode bound(ObjectNode pod, ObjectNode binding, String node) {
        String name = Json.text(pod, "metadata", "name");
        for (String field : List.of("uid", "resourceVersion")) {
            String wanted = Json.text(binding, "metadata", field);
            if (!wanted.isEmpty() && !wanted.equals(Json.text(pod, "metadata", field))) {
                throw StatusException.conflict("", "pods", name, "Precondition failed: " + field);
            }
        }
        String other = Json.text(pod, "spec", "nodeName");
        String why = Json.at(pod, "metadata", "deletionTimestamp") != null
                ? "pod " + name + " is being deleted, cannot be assigned to a host"
                : !other.isEmpty()
                        ? "pod " + name + " is already assigned to node \"" + other + "\""
                        : !Json.items(pod, "spec", "schedulingGates").isEmpty()
                                ? "pod " + name + " has non-empty .spec.schedulingGates"
                                : "";
        if (!why.isEmpty()) {
            throw StatusException.conflict("", "pods/binding", name, why);
        }
        Json.child(pod, "spec").put("nodeName", node);
        for (String field : List.of("annotations", "labels")) {
            Json.stringMap(binding, "metadata", field)
                    .forEach((key, value) ->
                            Json.child(Json.metadata(pod), field).put(key, value));
        }
        condition(pod, "PodScheduled");
        return pod;
    }

    /** Make a condition of a pod true. */
    private ObjectNode condition(ObjectNode pod, String type) {
        return Budgets.condition(Json.child(pod, "status"), type, "True", Times.text(access.now()))
                .putNull("lastProbeTime");
    }

    private ObjectNode found(ResourceType type, ObjectName name) {
        ObjectNode pod = access.find(type, name);
        if (pod == null) {
            throw StatusException.notFound("", "pods", name.name());
        }
        return pod;
    }

    private void update(Call call, String part, WriteContext context, UnaryOperator<ObjectNode> change) {
        access.update(new Modification.Request(call.type(), call.object(), part, change, null, true), context);
    }

    private static void requireSameName(ObjectNode object, Call call) {
        if (!Json.text(object, "metadata", "name").equals(call.object().name())) {
            throw StatusException.badRequest(
                    "name in URL does not match name in " + object.path("kind").asText() + " object");
        }
    }

    private static Response success() {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return Response.json(201, status.put("status", "Success").put("code", 201));
    }
}
