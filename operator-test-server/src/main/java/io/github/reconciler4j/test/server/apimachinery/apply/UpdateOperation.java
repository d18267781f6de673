package io.github.reconciler4j.test.server.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.apimachinery.apply.ManagedFields.Entry;
import io.github.reconciler4j.test.server.apimachinery.apply.TreeComparison.Differences;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        ManagerCap.apply(managers);
        ObjectNode result = ObjectMeta.withManagedFields(changed, managers.write());
        return before == null ? result : ObjectMeta.keepTimesIfSame(before, result);
    }

    /** Changes the owners as the write does; used for objects without owners before their first apply, too. */
    void update(JsonNode live, JsonNode changed, ManagedFields managers, ManagerId manager) {
        Ownership ownership = new Ownership(schema, ServerSideApply.ignoredFields(request.resetFields()));
        ownership.reconcile(managers);
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

    /** Keeps the number of updaters small by merging the oldest of one version into {@code ancient-changes}. */
    private static final class ManagerCap {

        /** Most updaters that an object keeps. */
        private static final int MAX_UPDATERS = 10;

        private ManagerCap() {}

        static void apply(ManagedFields managers) {
            List<ManagerId> updaters = managers.ids().stream()
                    .filter(id -> !id.applies())
                    .sorted(Comparator.comparing((ManagerId id) -> seconds(managers.get(id)))
                            .thenComparing(Comparator.naturalOrder()))
                    .toList();
            int count = updaters.size();
            Map<String, ManagerId> firstOfVersion = new HashMap<>();
            for (ManagerId id : updaters) {
                if (count <= MAX_UPDATERS) {
                    return;
                }
                ManagerId first = firstOfVersion.putIfAbsent(id.apiVersion(), id);
                if (first != null) {
                    merge(managers, id, first);
                    count--;
                }
            }
        }

        private static void merge(ManagedFields managers, ManagerId id, ManagerId first) {
            ManagerId bucket = ManagerId.updater("ancient-changes", id.apiVersion(), "");
            Entry collected = managers.get(bucket);
            if (collected == null) {
                collected = managers.get(first);
                managers.remove(first);
            }
            Entry entry = managers.get(id);
            if (entry != null && collected != null) {
                managers.remove(id);
                managers.put(bucket, entry.with(entry.set().union(collected.set())));
            }
        }

        private static long seconds(@Nullable Entry entry) {
            return entry == null || entry.time() == null
                    ? 0
                    : Instant.parse(entry.time()).getEpochSecond();
        }
    }
}
