package io.github.reconciler4j.test.server.internal.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.CelRules;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.StructuralSchema;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decodes, validates and encodes objects with the schema of one version of a definition. Immutable; safe for use by
 * multiple threads.
 */
public final class CustomSchema {
    private final Map<String, StructuralSchema> versions;
    private final StructuralSchema own;
    private final StructuralSchema stored;
    private final CelRules rules;
    private final boolean sameAsStored;
    private final boolean defaultsStatus;
    private final long since;

    /**
     * Create the schema of a version.
     *
     * @param versions the schemas of all versions of the definition
     * @param stored the version in which objects are kept
     * @param since the resource version of the definition: older objects may not fit its schema
     */
    public CustomSchema(Map<String, StructuralSchema> versions, String own, String stored, long since) {
        this.versions = versions;
        this.own = Objects.requireNonNull(versions.get(own));
        this.stored = versions.getOrDefault(stored, this.own);
        JsonNode json = this.own.json();
        this.sameAsStored = json.equals(this.stored.json());
        this.rules = CelRules.compile(json, "", new FieldErrors());
        this.defaultsStatus = json.path("properties").path("status").has("default");
        this.since = since;
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
    public List<String> decode(ObjectNode object) {
        return own.reshape(object);
    }

    /** Remove what the version in which objects are kept does not know. Changes the object. */
    public void encode(ObjectNode object) {
        if (!sameAsStored) {
            stored.reshape(object);
        }
    }

    /** Make the stored object what its own version says. Changes the object. */
    public void read(ObjectNode object) {
        String version = Json.text(object, "apiVersion");
        versions.getOrDefault(version.substring(version.indexOf('/') + 1), own).reshape(object);
    }

    /** Make the object what it is when it was written and read again. Changes the object. */
    public void settle(ObjectNode object, boolean byWebhook) {
        own.reshape(object);
        if (!byWebhook && !sameAsStored) {
            stored.reshape(object);
            own.prune(object);
        }
    }

    /** Return whether the text of a stored object may differ from the object in this version in more than its version. */
    public boolean reshapes(StoredObject object) {
        return !sameAsStored || defaultsStatus || object.version() < since;
    }
}
