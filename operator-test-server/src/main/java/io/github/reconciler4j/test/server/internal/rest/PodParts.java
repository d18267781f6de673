package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.apimachinery.Times;
import io.github.reconciler4j.test.server.internal.exchange.Answer;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.Objects;

/** What one can do with a pod besides reading and writing it: put it on a node, and drive it away. */
final class PodParts {
    private final ObjectAccess access;

    PodParts(ObjectAccess access) {
        this.access = access;
    }

    /** {@code pods/binding}. */
    Answer bind(Call call) {
        ObjectNode binding = Bodies.object(call.request(), "v1", "Binding");
        String node = Json.text(binding, "target", "name");
        if (node.isEmpty()) {
            throw StatusException.badRequest("target.name: Required value");
        }
        access.update(call.type(), call.object(), "binding", pod -> bound(pod, node), Writing.context(call, ""));
        return Answer.json(201, success());
    }

    private ObjectNode bound(ObjectNode pod, String node) {
        String now = Json.text(pod, "spec", "nodeName");
        if (!now.isEmpty()) {
            throw StatusException.conflict(
                    "",
                    "pods/binding",
                    Json.text(pod, "metadata", "name"),
                    "pod " + Json.text(pod, "metadata", "name") + " is already assigned to node \"" + now + "\"");
        }
        Json.child(pod, "spec").put("nodeName", node);
        ObjectNode condition = Json.object().put("type", "PodScheduled").put("status", "True");
        condition.putNull("lastProbeTime").put("lastTransitionTime", Times.text(access.now()));
        Json.child(pod, "status").putArray("conditions").add(condition);
        return pod;
    }

    /** {@code bindings}: the same, with the pod's name in the body. */
    Answer bindByName(Call call) {
        ObjectNode binding = Bodies.object(call.request(), "v1", "Binding");
        ResourceType pods = Objects.requireNonNull(access.registry().find("", "v1", "pods"));
        String name = Json.text(binding, "metadata", "name");
        return bind(call.about(pods, name));
    }

    /** {@code pods/eviction}. */
    Answer evict(Call call) {
        ObjectNode eviction = Bodies.object(call.request(), "policy/v1", "Eviction");
        DeleteOptions options = DeleteOptions.of(call.request().query(), Json.at(eviction, "deleteOptions"));
        access.delete(call.type(), call.object(), options, Writing.context(call, ""));
        return Answer.json(201, success());
    }

    private static ObjectNode success() {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return status.put("status", "Success").put("code", 201);
    }
}
