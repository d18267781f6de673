package io.github.reconciler4j.test.server.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.apimachinery.apply.ManagedFields.Entry;
import io.github.reconciler4j.test.server.apimachinery.apply.TreeComparison.Differences;
import org.jspecify.annotations.Nullable;

/** One apply request. Used by one thread. */
final class ApplyOperation {

    /** Owns what an object without owners holds when it is applied to for the first time. */
    private static final String BEFORE_FIRST_APPLY = "before-first-apply";

    private final @Nullable JsonNode live;
    private final JsonNode applied;
    private final ApplyRequest request;
    private final TypeSchema schema;
    private final Ownership ownership;

    ApplyOperation(@Nullable JsonNode live, JsonNode applied, ApplyRequest request, TypeSchema schema) {
        this.live = live;
        this.applied = applied;
        this.request = request;
        this.schema = schema;
        this.ownership = new Ownership(schema, ServerSideApply.ignoredFields(request.resetFields()));
    }

    ApplyResult run() {
        checkApplied();
        ObjectNode base = live == null ? schema.emptyObject() : ObjectMeta.withoutManagedFields(live);
        ManagedFields managers = decode();
        if (managers.isEmpty() && live != null) {
            ManagerId id = ManagerId.updater(BEFORE_FIRST_APPLY, request.apiVersion(), request.subresource());
            new UpdateOperation(null, base, request, schema).update(schema.emptyObject(), base, managers, id);
        }
        ObjectNode result = apply(base, managers);
        if (live == null) {
            return new ApplyResult(result, true);
        }
        JsonNode kept = ObjectMeta.keepTimesIfSame(live, result);
        return new ApplyResult(kept, !Trees.equal(live, kept));
    }

    private void checkApplied() {
        String version = applied.path("apiVersion").asText();
        if (!version.equals(request.apiVersion())) {
            throw StatusException.badRequest("Incorrect version specified in apply patch. Specified patch version: "
                    + version + ", expected: " + request.apiVersion());
        }
        if (applied.path("metadata").has("managedFields")) {
            throw StatusException.badRequest("metadata.managedFields must be nil");
        }
        check("failed to create typed patch object", applied, false);
    }

    private void check(String problem, JsonNode object, boolean allowDuplicates) {
        TypeErrors errors = TypeValidator.validate(object, schema, allowDuplicates);
        if (!errors.isEmpty()) {
            throw StatusException.unclassified(problem + " (" + name() + "): " + errors);
        }
    }

    private String name() {
        String version = request.apiVersion().contains("/") ? request.apiVersion() : "/" + request.apiVersion();
        JsonNode metadata = applied.path("metadata");
        return metadata.path("namespace").asText() + "/" + metadata.path("name").asText() + "; " + version + ", Kind="
                + applied.path("kind").asText();
    }

    private ManagedFields decode() {
        try {
            return ManagedFields.read(live == null ? null : ObjectMeta.managedFields(live));
        } catch (IllegalArgumentException e) {
            throw StatusException.unclassified("failed to decode managed fields: " + e.getMessage());
        }
    }

    private ObjectNode apply(ObjectNode base, ManagedFields managers) {
        check("failed to create typed live object", base, true);
        ManagedFields changed = managers.copy();
        Merged merged = merge(base, changed);
        Conflicts conflicts = Ownership.conflicts(changed, merged.self, merged.differences);
        if (!conflicts.isEmpty() && !request.force()) {
            throw conflicts.toException();
        }
        return finish(base, merged, changed);
    }

    /** A merge of which the owners of other fields do not know yet. */
    private record Merged(ObjectNode object, ManagerId self, Differences differences) {}

    private Merged merge(ObjectNode base, ManagedFields managers) {
        JsonNode merged = TreeMerger.merge(base, applied, schema);
        JsonNode object = merged == null ? JsonNodeFactory.instance.objectNode() : merged.deepCopy();
        ManagerId self = ManagerId.applier(request.manager(), request.subresource());
        Entry last = managers.get(self);
        String lastTime = last == null ? null : last.time();
        managers.putEvenIfEmpty(self, new Entry(ownership.fieldsOf(applied), request.apiVersion(), lastTime));
        ObjectNode pruned = ownership.prune(object, managers, last).deepCopy();
        return new Merged(pruned, self, ownership.compare(base, pruned));
    }

    private ObjectNode finish(ObjectNode base, Merged merged, ManagedFields managers) {
        Ownership.takeFromOthers(managers, merged.self, merged.differences);
        Entry entry = managers.get(merged.self);
        if (entry != null) {
            boolean isSame = Trees.equalByValue(base, merged.object);
            String time = isSame ? entry.time() : ManagedFields.spelled(request.time());
            FieldSet set = entry.set().difference(StripSet.FIELDS);
            managers.put(merged.self, new Entry(set, entry.apiVersion(), time));
        }
        return ObjectMeta.withManagedFields(merged.object, managers.write());
    }
}
