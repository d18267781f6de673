package io.github.reconciler4j.test.server.apimachinery.apply;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.apimachinery.apply.TreeComparison.Differences;
import org.jspecify.annotations.Nullable;

/** The annotation in which {@code kubectl} keeps what it applied from the client's side. */
final class LastApplied {

    private static final String KUBECTL = "kubectl";
    private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

    private LastApplied() {}

    /** Returns the fields that {@code kubectl} applied from the client's side and that have not changed since. */
    static FieldSet ownedFields(JsonNode live, ApplyRequest request, TypeSchema schema) {
        JsonNode last = request.manager().equals(KUBECTL) ? read(live) : null;
        if (last == null
                || !last.path("apiVersion").asText().equals(request.apiVersion())
                || !TypeValidator.validate(last, schema, false).isEmpty()
                || !TypeValidator.validate(live, schema, false).isEmpty()) {
            return new FieldSet();
        }
        Differences differences = TreeComparison.compare(last, live, schema);
        return FieldLister.fieldsOf(last, schema)
                .difference(differences.modified())
                .difference(differences.added())
                .difference(differences.removed());
    }

    private static @Nullable JsonNode read(JsonNode live) {
        String text = live.path("metadata").path("annotations").path(ANNOTATION).asText();
        if (text.isEmpty()) {
            return null;
        }
        try {
            JsonNode last = PathElement.MAPPER.readTree(text);
            return last.isObject() ? last : null;
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    /** Writes what {@code kubectl} applies into the annotation of this object, if it is there. */
    static void refresh(ObjectNode object, JsonNode applied, String manager) {
        JsonNode annotations = object.path("metadata").path("annotations");
        if (!manager.equals(KUBECTL)
                || annotations.path(ANNOTATION).asText().isEmpty()
                || !(annotations instanceof ObjectNode present)) {
            return;
        }
        ObjectNode written = applied.deepCopy();
        if (written.path("metadata").path("annotations") instanceof ObjectNode copied) {
            copied.remove(ANNOTATION);
            if (copied.isEmpty()) {
                ((ObjectNode) written.get("metadata")).remove("annotations");
            }
        }
        present.put(ANNOTATION, Trees.canonical(written) + "\n");
    }
}
