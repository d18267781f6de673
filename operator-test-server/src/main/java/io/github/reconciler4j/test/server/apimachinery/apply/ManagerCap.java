package io.github.reconciler4j.test.server.apimachinery.apply;

import io.github.reconciler4j.test.server.apimachinery.apply.ManagedFields.Entry;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps the number of updaters small by merging the oldest of one version into {@code ancient-changes}. */
final class ManagerCap {

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
