package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.registry.CustomSchema;
import io.github.reconciler4j.test.server.internal.registry.CustomVersion;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds custom resources to the schema of their definition. Stateless; safe for use by many threads. */
final class CustomChecks {
    private static final long MAX_REPLICAS = Integer.MAX_VALUE;

    private CustomChecks() {}

    /** What is wrong with an object; {@code before} is null for a new one. */
    static List<FieldError> check(
            ResourceType type, String subresource, ObjectNode object, @Nullable ObjectNode before) {
        List<FieldError> causes = new ArrayList<>();
        CustomSchema schema = type.schema();
        if (schema == null) {
            return causes;
        }
        for (FieldError error : schema.check(subresource, object, before)) {
            causes.add(new FieldError(error.path(), error.reason(), error.message()));
        }
        CustomVersion version = type.custom();
        if (version != null && version.scale() != null) {
            String part = subresource.equals("status") ? "statusReplicasPath" : "specReplicasPath";
            replicas(object, Json.text(version.scale(), part), causes);
        }
        return causes;
    }

    private static void replicas(ObjectNode object, String path, List<FieldError> causes) {
        JsonNode value = Scales.at(object, path);
        if (value == null || !value.isIntegralNumber()) {
            return;
        }
        long count = value.longValue();
        String shown = Long.toString(count);
        if (count < 0) {
            causes.add(FieldError.invalid(path, shown, "should be a non-negative integer"));
        } else if (count > MAX_REPLICAS) {
            causes.add(FieldError.invalid(path, shown, "should be less than or equal to " + MAX_REPLICAS));
        }
    }
}
