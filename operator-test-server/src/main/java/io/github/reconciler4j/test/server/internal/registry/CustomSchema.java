package io.github.reconciler4j.test.server.internal.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.CelRules;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.StructuralSchema;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes, validates and encodes objects with the schema of one version of a definition. Immutable; safe for use by
 * multiple threads.
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
     * Create the schema of a version.
     *
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

    public JsonNode json() {
        return json;
    }

    public StructuralSchema structural() {
        return own;
    }

    /** Return the errors of an object; {@code before} is null for a new object. */
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

    /** Create the object what this version says: without unknown fields, and with defaults. Changes the object. */
    public void decode(ObjectNode object) {
        own.reshape(object);
    }

    /** Remove what the version in which objects are kept does not know. Changes the object. */
    public void encode(ObjectNode object) {
        if (!sameAsStored) {
            stored.reshape(object);
        }
    }

    /** Return whether the text of a stored object may differ from the object in this version in more than its version. */
    public boolean reshapes(StoredObject object) {
        return !sameAsStored || defaultsStatus || object.version() < since;
    }
}
