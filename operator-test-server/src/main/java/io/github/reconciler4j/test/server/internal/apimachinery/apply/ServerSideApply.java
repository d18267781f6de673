package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.internal.apimachinery.apply.ManagedFields.Entry;
import io.github.reconciler4j.test.server.internal.apimachinery.apply.TreeComparison.Differences;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Server-side apply, and the upkeep of {@code managedFields} for all other writes. Safe for use by multiple threads. */
public final class ServerSideApply {

    private ServerSideApply() {}

    /**
     * Apply an object. Fields that the manager applied before and does not apply now are removed if they have no other owner. When
     * nothing changes, the times in {@code managedFields} stay as they are.
     *
     * @param live the live object, or null for a new one
     * @param applied the applied object, as it came with the request
     * @param request manager, version and the like
     * @return the object to store; defaults are up to the caller
     * @throws StatusException 409 with the server's message if others own fields with other values and the request does not
     *     force; 400 for a wrong version or {@code managedFields} in the applied object; 500 if it does not fit the type,
     *     as on the server
     */
    public static ApplyResult apply(
            @Nullable JsonNode live, JsonNode applied, ApplyRequest request, TypeSchema schema) {
        return new ApplyOperation(live, applied, request, schema).run();
    }

    /**
     * Return the object after a create, an update or a patch that is not an apply, with its new {@code managedFields}.
     *
     * @param before the object before the change, or null if it is new
     * @param after the object after the change, with the {@code managedFields} of the request, if any; a list of one empty
     *     entry removes all owners
     */
    public static JsonNode update(@Nullable JsonNode before, JsonNode after, ApplyRequest request, TypeSchema schema) {
        return new UpdateOperation(before, after, request, schema).run();
    }

    /** Return the live object with the applied one merged into it, without a change of the owners. */
    public static JsonNode merge(JsonNode live, JsonNode applied, TypeSchema schema) {
        JsonNode merged = TreeMerger.merge(live, applied, schema);
        return merged == null ? live : merged.deepCopy();
    }

    /** Returns why a tree does not fit a type. */
    public static List<String> errors(JsonNode applied, TypeSchema schema) {
        return TypeValidator.validate(applied, schema, false);
    }

    static FieldSet ignoredFields(List<List<String>> fields) {
        FieldSet set = new FieldSet();
        for (List<String> path : fields) {
            set.insert(path.stream().map(name -> FieldPath.field(name)).toList());
        }
        return set;
    }

    /** One apply request. Used by one thread. */
    private static final class ApplyOperation {

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
            return new ApplyResult(kept, !JsonValues.equal(live, kept));
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
            List<String> errors = TypeValidator.validate(object, schema, allowDuplicates);
            if (!errors.isEmpty()) {
                throw StatusException.unclassified(problem + " (" + name() + "): " + String.join("\n", errors));
            }
        }

        private String name() {
            String version = request.apiVersion().contains("/") ? request.apiVersion() : "/" + request.apiVersion();
            JsonNode metadata = applied.path("metadata");
            return metadata.path("namespace").asText() + "/"
                    + metadata.path("name").asText() + "; " + version + ", Kind="
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
                boolean isSame = JsonValues.equalByValue(base, merged.object);
                String time = isSame ? entry.time() : ManagedFields.spelled(request.time());
                FieldSet set = entry.set().difference(StripSet.FIELDS);
                managers.put(merged.self, new Entry(set, entry.apiVersion(), time));
            }
            return ObjectMeta.withManagedFields(merged.object, managers.write());
        }
    }
}
