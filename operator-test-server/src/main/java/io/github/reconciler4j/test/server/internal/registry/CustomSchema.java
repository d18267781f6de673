package io.github.reconciler4j.test.server.internal.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.apimachinery.cel.CelRules;
import io.github.reconciler4j.test.server.apimachinery.schema.StructuralSchema;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the schema of one version of a definition does to objects on their way in and out. Immutable; safe for use by
 * many threads.
 *
 * @since 0.1.0
 */
public final class CustomSchema {
    private final JsonNode json;
    private final StructuralSchema own;
    private final StructuralSchema stored;
    private final CelRules rules;
    private final boolean sameAsStored;
    private final boolean defaultsStatus;
    private final long since;

    /**
     * The schema of a version.
     *
     * @param json its {@code openAPIV3Schema}
     * @param stored that of the version in which objects are kept
     * @param since the resource version of the definition: older objects may not fit its schema
     */
    public CustomSchema(JsonNode json, JsonNode stored, long since) {
        this.json = json;
        this.sameAsStored = json.equals(stored);
        this.rules = CelRules.compile(json, "", new FieldErrors());
        this.own = StructuralSchema.of(json);
        this.stored = sameAsStored ? own : StructuralSchema.of(stored);
        this.defaultsStatus = json.path("properties").path("status").has("default");
        this.since = since;
    }

    /** The {@code openAPIV3Schema} as it was written. */
    public JsonNode json() {
        return json;
    }

    /** The schema as functions. */
    public StructuralSchema structural() {
        return own;
    }

    /** What is wrong with an object that was written through a path; {@code before} is null for a new one. */
    public List<FieldError> check(String subresource, ObjectNode object, @Nullable ObjectNode before) {
        FieldErrors errors = new FieldErrors();
        errors.addAll(
                before != null && subresource.equals("status")
                        ? own.validateStatus(object, before)
                        : own.validate(object, before));
        if (rules.isEmpty()) {
            return errors;
        }
        FieldError blocked = StructuralSchema.blockedRules(errors);
        if (blocked != null) {
            errors.add(blocked);
        } else {
            errors.addAll(rules.check(object, before));
        }
        return errors;
    }

    /** Makes the object what this version says: without unknown fields, and with defaults. Changes the object. */
    public void decode(ObjectNode object) {
        own.reshape(object);
    }

    /** Removes what the version in which objects are kept does not know. Changes the object. */
    public void encode(ObjectNode object) {
        if (!sameAsStored) {
            stored.reshape(object);
        }
    }

    /** Whether the text of a stored object may differ from the object in this version in more than its version. */
    public boolean reshapes(StoredObject object) {
        return !sameAsStored || defaultsStatus || object.version() < since;
    }
}
