package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.rules.BuiltInRules;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.List;
import java.util.Locale;

/** Values that the server fills into pods and templates of pods, as far as they depend on other values. */
final class PodDefaults {
    private PodDefaults() {}

    static void complete(ResourceType type, ObjectNode object) {
        String[] template = BuiltInRules.podTemplate(type.id().toString());
        if (template == null || !(Json.at(Json.at(object, template), "spec") instanceof ObjectNode spec)) {
            return;
        }
        boolean pod = template.length == 0;
        for (String field : List.of("containers", "initContainers", "ephemeralContainers")) {
            for (JsonNode container : Json.items(spec, field)) {
                container(spec, (ObjectNode) container, pod);
            }
        }
        accounts(spec);
        for (JsonNode volume : Json.items(spec, "volumes")) {
            if (volume.size() == 1 && volume.has("name")) {
                ((ObjectNode) volume).putObject("emptyDir");
            }
        }
        if (pod && !spec.has("enableServiceLinks")) {
            spec.put("enableServiceLinks", true);
        }
    }

    /** Fills in what only new pods get: a priority, and for how long they bear a node that fails. */
    static void admit(ObjectNode spec) {
        if (!spec.has("priority") && Json.text(spec, "priorityClassName").isEmpty()) {
            spec.put("priority", 0);
        }
        if (!spec.has("preemptionPolicy")) {
            spec.put("preemptionPolicy", "PreemptLowerPriority");
        }
        for (String problem : List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")) {
            boolean borne = Json.items(spec, "tolerations").stream().anyMatch(toleration -> bears(toleration, problem));
            if (!borne) {
                ObjectNode toleration = Json.object().put("key", problem).put("operator", "Exists");
                spec.withArray("tolerations")
                        .add(toleration.put("effect", "NoExecute").put("tolerationSeconds", 300));
            }
        }
    }

    private static boolean bears(JsonNode toleration, String problem) {
        String key = Json.text(toleration, "key");
        String effect = Json.text(toleration, "effect");
        return (key.isEmpty() || key.equals(problem)) && (effect.isEmpty() || effect.equals("NoExecute"));
    }

    private static void accounts(ObjectNode spec) {
        String name = Json.text(spec, "serviceAccountName");
        String deprecated = Json.text(spec, "serviceAccount");
        String account = name.isEmpty() ? deprecated : name;
        if (!account.isEmpty()) {
            spec.put("serviceAccountName", account).put("serviceAccount", account);
        }
    }

    private static void container(ObjectNode spec, ObjectNode container, boolean pod) {
        if (!container.has("imagePullPolicy")) {
            container.put("imagePullPolicy", isLatest(Json.text(container, "image")) ? "Always" : "IfNotPresent");
        }
        if (spec.path("hostNetwork").asBoolean()) {
            for (JsonNode port : Json.items(container, "ports")) {
                if (!port.has("hostPort")) {
                    ((ObjectNode) port).set("hostPort", port.get("containerPort"));
                }
            }
        }
        ObjectNode limits = Json.objectAt(container, "resources", "limits");
        if (pod && limits != null) {
            ObjectNode requests = Json.child(Json.child(container, "resources"), "requests");
            limits.properties().forEach(limit -> {
                if (!requests.has(limit.getKey())) {
                    requests.set(limit.getKey(), limit.getValue());
                }
            });
        }
    }

    /** Whether an image has no tag, or the one that always moves. */
    private static boolean isLatest(String image) {
        if (image.contains("@")) {
            return false;
        }
        int colon = image.indexOf(':', image.lastIndexOf('/') + 1);
        return colon < 0 || image.substring(colon + 1).toLowerCase(Locale.ROOT).equals("latest");
    }
}
