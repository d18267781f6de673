package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Fields of built-in kinds that cannot change: those of ConfigMaps and Secrets that say so, and types of Secrets. */
final class ImmutableFields {
    private static final String WHY = "field is immutable when `immutable` is set";

    private ImmutableFields() {}

    static List<FieldError> check(ResourceType type, ObjectNode object, ObjectNode before) {
        return switch (type.id().toString()) {
            case "configmaps" -> data(object, before, List.of("data", "binaryData"));
            case "secrets" -> secret(object, before);
            default -> List.of();
        };
    }

    private static List<FieldError> secret(ObjectNode object, ObjectNode before) {
        List<FieldError> causes = new ArrayList<>();
        String kind = Json.text(object, "type");
        if (!kind.equals(Json.text(before, "type"))) {
            causes.add(FieldError.invalid("type", kind, "field is immutable"));
        }
        causes.addAll(data(object, before, List.of("data")));
        return causes;
    }

    private static List<FieldError> data(ObjectNode object, ObjectNode before, List<String> fields) {
        if (!before.path("immutable").asBoolean()) {
            return List.of();
        }
        List<FieldError> causes = new ArrayList<>();
        if (!object.path("immutable").asBoolean()) {
            causes.add(FieldError.forbidden("immutable", WHY));
        }
        for (String field : fields) {
            JsonNode now = object.get(field);
            if (!Objects.equals(now, before.get(field))) {
                causes.add(FieldError.forbidden(field, WHY));
            }
        }
        return causes;
    }
}
