package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.internal.apimachinery.apply.ManagedFields.Entry;
import io.github.reconciler4j.test.server.internal.apimachinery.apply.TreeComparison.Differences;
import org.jspecify.annotations.Nullable;

/** The upkeep of {@code managedFields} for one write that is not an apply. Used by one thread. */
final class UpdateOperation {

    /** Stands for the manager during the write, so that its earlier fields count as those of another one. */
    private static final ManagerId SELF = ManagerId.updater("current-operation", "", "");

    private final @Nullable JsonNode before;
    private final JsonNode after;
    private final ApplyRequest request;
    private final TypeSchema schema;

    UpdateOperation(@Nullable JsonNode before, JsonNode after, ApplyRequest request, TypeSchema schema) {
        this.before = before;
        this.after = after;
        this.request = request;
        this.schema = schema;
    }

    JsonNode run() {
        JsonNode live = before == null ? schema.emptyObject() : ObjectMeta.withoutManagedFields(before);
        ObjectNode changed = ObjectMeta.withoutManagedFields(after);
        ManagedFields managers = decode();
        boolean isTracked = before == null || !managers.isEmpty();
        if (!isTracked) {
            return changed;
        }
        if (!TypeValidator.validate(live, schema, true).isEmpty()
                || !TypeValidator.validate(changed, schema, true).isEmpty()) {
            return ObjectMeta.withManagedFields(changed, before == null ? null : ObjectMeta.managedFields(before));
        }
        update(
                live,
                changed,
                managers,
                ManagerId.updater(request.manager(), request.apiVersion(), request.subresource()));
        ObjectNode result = ObjectMeta.withManagedFields(changed, managers.write());
        return before == null ? result : ObjectMeta.keepTimesIfSame(before, result);
    }

    /** Change the owners as the write does; used for objects without owners before their first apply, too. */
    void update(JsonNode live, JsonNode changed, ManagedFields managers, ManagerId manager) {
        Ownership ownership = new Ownership(schema, ServerSideApply.ignoredFields(request.resetFields()));
        Differences differences = ownership.compare(live, changed);
        Ownership.takeFromOthers(managers, SELF, differences);
        FieldSet taken = differences.modified().union(differences.added()).difference(StripSet.FIELDS);
        if (taken.isEmpty()) {
            return;
        }
        Entry previous = managers.get(manager);
        FieldSet set = previous == null ? taken : taken.union(previous.set());
        managers.put(manager, new Entry(set, request.apiVersion(), ManagedFields.spelled(request.time())));
    }

    private ManagedFields decode() {
        JsonNode sent = ObjectMeta.managedFields(after);
        JsonNode present = before == null ? null : ObjectMeta.managedFields(before);
        if (!request.subresource().isEmpty()) {
            return decode(present);
        }
        if (ManagedFields.isReset(sent)) {
            return new ManagedFields();
        }
        ManagedFields managers = decode(sent);
        return managers.isEmpty() ? decode(present) : managers;
    }

    private static ManagedFields decode(@Nullable JsonNode managedFields) {
        try {
            return ManagedFields.read(managedFields);
        } catch (IllegalArgumentException e) {
            return new ManagedFields();
        }
    }
}
