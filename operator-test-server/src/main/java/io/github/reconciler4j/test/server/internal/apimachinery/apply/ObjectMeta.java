package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import org.jspecify.annotations.Nullable;

/** Access to {@code metadata.managedFields}. No function changes its arguments unless it says so. */
final class ObjectMeta {

    private static final String METADATA = "metadata";
    private static final String MANAGED_FIELDS = "managedFields";

    private ObjectMeta() {}

    static @Nullable JsonNode managedFields(JsonNode object) {
        JsonNode fields = object.path(METADATA).get(MANAGED_FIELDS);
        return fields == null || fields.isNull() ? null : fields;
    }

    static ObjectNode withoutManagedFields(JsonNode object) {
        ObjectNode copy = object.deepCopy();
        if (copy.get(METADATA) instanceof ObjectNode metadata) {
            metadata.remove(MANAGED_FIELDS);
        }
        return copy;
    }

    /** Set the owners of this object, or remove them if they are null, and return the object. */
    static ObjectNode withManagedFields(ObjectNode object, @Nullable JsonNode managedFields) {
        if (object.get(METADATA) instanceof ObjectNode metadata) {
            metadata.remove(MANAGED_FIELDS);
            if (managedFields != null) {
                metadata.set(MANAGED_FIELDS, managedFields);
            }
        } else if (managedFields != null) {
            object.putObject(METADATA).set(MANAGED_FIELDS, managedFields);
        }
        return object;
    }

    /** Return the live object itself if the result differs from it in nothing but the times of its owners. */
    static JsonNode keepTimesIfSame(JsonNode live, ObjectNode result) {
        JsonNode liveFields = managedFields(live);
        JsonNode newFields = managedFields(result);
        if (liveFields == null || newFields == null || liveFields.size() != newFields.size()) {
            return result;
        }
        boolean isSame = JsonValues.equal(withoutTimes(liveFields), withoutTimes(newFields))
                && JsonValues.equal(withoutManagedFields(live), withoutManagedFields(result));
        return isSame ? withManagedFields(result, liveFields.deepCopy()) : result;
    }

    private static ArrayNode withoutTimes(JsonNode managedFields) {
        ArrayNode copy = managedFields.deepCopy();
        copy.forEach(entry -> ((ObjectNode) entry).remove("time"));
        return copy;
    }
}
