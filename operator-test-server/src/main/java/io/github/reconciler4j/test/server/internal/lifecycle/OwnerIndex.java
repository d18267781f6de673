package io.github.reconciler4j.test.server.internal.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Which objects name which owner. Safe for use by many threads. */
final class OwnerIndex {
    /**
     * Where an object is.
     *
     * @param resource the collection
     * @param name its place there
     */
    record Place(ResourceId resource, ObjectName name) {}

    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@code lock}: by the owner's uid. */
    private final Map<String, Set<Place>> dependents = new HashMap<>();

    void update(ResourceType type, @Nullable ObjectNode before, @Nullable ObjectNode after) {
        Set<String> old = owners(before);
        Set<String> now = owners(after);
        if (old.equals(now)) {
            return;
        }
        Place place = place(type, after == null ? before : after);
        lock.lock();
        try {
            for (String owner : old) {
                Set<Place> places = dependents.get(owner);
                if (!now.contains(owner) && places != null && places.remove(place) && places.isEmpty()) {
                    dependents.remove(owner);
                }
            }
            now.forEach(owner ->
                    dependents.computeIfAbsent(owner, uid -> new HashSet<>()).add(place));
        } finally {
            lock.unlock();
        }
    }

    List<Place> dependentsOf(String uid) {
        lock.lock();
        try {
            return List.copyOf(dependents.getOrDefault(uid, Set.of()));
        } finally {
            lock.unlock();
        }
    }

    static Place place(ResourceType type, @Nullable JsonNode object) {
        ObjectName name =
                new ObjectName(Json.text(object, "metadata", "namespace"), Json.text(object, "metadata", "name"));
        return new Place(type.id(), name);
    }

    private static Set<String> owners(@Nullable JsonNode object) {
        Set<String> uids = new HashSet<>();
        Json.items(object, "metadata", "ownerReferences").forEach(owner -> uids.add(Json.text(owner, "uid")));
        return uids;
    }
}
