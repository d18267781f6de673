package io.github.reconciler4j.test.server.internal.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpression;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpression.EvaluationException;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpressions;
import io.github.reconciler4j.test.server.internal.apimachinery.selector.LabelSelector;
import io.github.reconciler4j.test.server.internal.registry.Registry;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import io.github.reconciler4j.test.server.internal.storage.VersionedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides which webhooks and policies a request concerns. Stateless; safe for use by multiple threads. */
final class Matching {
    private static final ResourceId NAMESPACES = new ResourceId("", "namespaces");

    private final VersionedStore store;
    private final Registry registry;

    Matching(VersionedStore store, Registry registry) {
        this.store = store;
        this.registry = registry;
    }

    /**
     * Return the type as which a webhook or policy gets the object; null if the request does not concern it.
     *
     * @param criteria the part of the configuration with the selectors and the match policy
     * @param rules its rules
     */
    @Nullable
    ResourceType matches(JsonNode criteria, List<JsonNode> rules, AdmissionRequest request) {
        JsonNode selector = criteria.path("namespaceSelector");
        boolean clusterScoped = request.namespace().isEmpty() && !isNamespace(request);
        Map<String, String> labels = null;
        boolean selects = !clusterScoped && !selector.isEmpty();
        if (selects) {
            labels = namespaceLabels(request);
            if (labels != null && !LabelSelector.of(selector).test(labels)) {
                return null;
            }
        }
        if (!matchesObject(criteria.path("objectSelector"), request)) {
            return null;
        }
        ResourceType type = byRules(rules, criteria.path("matchPolicy").asText(), request);
        if (type != null && selects && labels == null) {
            throw StatusException.notFound("", "namespaces", request.namespace());
        }
        return type;
    }

    private static boolean isNamespace(AdmissionRequest request) {
        return request.type().is("", "namespaces");
    }

    private @Nullable Map<String, String> namespaceLabels(AdmissionRequest request) {
        boolean own = isNamespace(request)
                && request.subresource().isEmpty()
                && !request.operation().equals("DELETE");
        if (own) {
            return Json.stringMap(request.object(), "metadata", "labels");
        }
        StoredObject namespace = store.get(NAMESPACES, new ObjectName("", request.namespace()));
        return namespace == null ? null : namespace.labels();
    }

    /** Return the namespace of the object; null for cluster-scoped objects and Namespaces. */
    @Nullable
    ObjectNode namespace(AdmissionRequest request) {
        if (request.namespace().isEmpty() || isNamespace(request)) {
            return null;
        }
        StoredObject namespace = store.get(NAMESPACES, new ObjectName("", request.namespace()));
        return namespace == null ? null : namespace.tree();
    }

    private static boolean matchesObject(JsonNode selector, AdmissionRequest request) {
        if (selector.isEmpty()) {
            return true;
        }
        for (ObjectNode object : new ObjectNode[] {request.object(), request.old()}) {
            if (object != null && LabelSelector.of(selector).test(Json.stringMap(object, "metadata", "labels"))) {
                return true;
            }
        }
        return false;
    }

    @Nullable
    ResourceType byRules(List<JsonNode> rules, String matchPolicy, AdmissionRequest request) {
        for (JsonNode rule : rules) {
            if (matches(rule, request.type(), request)) {
                return request.type();
            }
        }
        if (!matchPolicy.equals("Equivalent")) {
            return null;
        }
        for (JsonNode rule : rules) {
            for (ResourceType other : registry.all()) {
                if (other.id().equals(request.type().id())
                        && !other.apiVersion().equals(request.type().apiVersion())
                        && matches(rule, other, request)) {
                    return other;
                }
            }
        }
        return null;
    }

    private static boolean matches(JsonNode rule, ResourceType type, AdmissionRequest request) {
        boolean clusterScoped = request.namespace().isEmpty() || isNamespace(request);
        boolean inScope = switch (rule.path("scope").asText("*")) {
            case "Namespaced" -> !clusterScoped;
            case "Cluster" -> clusterScoped;
            default -> true;
        };
        List<String> names = Json.texts(rule, "resourceNames");
        return inScope
                && has(rule, "operations", request.operation())
                && has(rule, "apiGroups", type.group())
                && has(rule, "apiVersions", type.version())
                && hasResource(rule, type.plural(), request.subresource())
                && (names.isEmpty() || names.contains(request.name()));
    }

    private static boolean has(JsonNode rule, String field, String value) {
        List<String> values = Json.texts(rule, field);
        return values.contains("*") || values.contains(value);
    }

    private static boolean hasResource(JsonNode rule, String plural, String subresource) {
        for (String text : Json.texts(rule, "resources")) {
            int slash = text.indexOf('/');
            String resource = slash < 0 ? text : text.substring(0, slash);
            String part = slash < 0 ? "" : text.substring(slash + 1);
            if ((resource.equals("*") || resource.equals(plural)) && (part.equals("*") || part.equals(subresource))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Return whether all conditions hold. One that does not hold counts more than one that fails.
     *
     * @throws EvaluationException if one fails and the others hold
     */
    static boolean holds(List<AdmissionExpression> conditions, AdmissionExpressions.Input input) {
        List<String> errors = new ArrayList<>();
        for (AdmissionExpression condition : conditions) {
            try {
                if (!condition.evaluate(input).asBoolean()) {
                    return false;
                }
            } catch (EvaluationException e) {
                errors.add(e.getMessage());
            }
        }
        if (!errors.isEmpty()) {
            throw new EvaluationException(errors.size() == 1 ? errors.get(0) : errors.toString());
        }
        return true;
    }
}
