package io.github.reconciler4j.test.server.internal.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.rest.DeleteOptions;
import io.github.reconciler4j.test.server.internal.rest.ObjectAccess;
import io.github.reconciler4j.test.server.internal.rest.WriteContext;
import io.github.reconciler4j.test.server.internal.rest.WriteHook;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Deletes objects whose owners are gone, as the garbage collector of a cluster's controller manager does: in the
 * background, in the foreground (dependents first) or not at all (orphans).
 */
final class GarbageCollector implements WriteHook {
    private static final String FOREGROUND = "foregroundDeletion";
    private static final String ORPHAN = "orphan";
    private static final WriteContext CONTEXT = WriteContext.internal("kube-controller-manager");

    private enum OwnerState {
        THERE,
        GONE,
        WAITING
    }

    private final ObjectAccess access;
    private final Lifecycle background;
    private final OwnerIndex index = new OwnerIndex();

    GarbageCollector(ObjectAccess access, Lifecycle background) {
        this.access = access;
        this.background = background;
    }

    @Override
    public void written(ResourceType type, @Nullable ObjectNode before, @Nullable ObjectNode after) {
        index.update(type, before, after);
        if (after == null) {
            String uid = Json.text(before, "metadata", "uid");
            background.run(() -> index.dependentsOf(uid).forEach(this::collect));
            Json.items(before, "metadata", "ownerReferences")
                    .forEach(owner -> background.run(() -> ownerLostDependent(before, owner)));
            return;
        }
        OwnerIndex.Place place = OwnerIndex.place(type, after);
        if (Json.at(after, "metadata", "deletionTimestamp") != null) {
            background.run(() -> finish(place));
        }
        if (!Json.items(after, "metadata", "ownerReferences").isEmpty()) {
            background.run(() -> collect(place));
        }
    }

    /** Delete the object if none of its owners is left. */
    private void collect(OwnerIndex.Place place) {
        ObjectNode object = find(place);
        if (object == null || Json.at(object, "metadata", "deletionTimestamp") != null) {
            return;
        }
        List<JsonNode> owners = Json.items(object, "metadata", "ownerReferences");
        List<OwnerState> states =
                owners.stream().map(owner -> state(object, owner)).toList();
        if (owners.isEmpty() || states.stream().allMatch(OwnerState.THERE::equals)) {
            return;
        }
        if (states.contains(OwnerState.THERE)) {
            dropOwners(place, owner -> state(object, owner) != OwnerState.THERE);
        } else {
            delete(place, object, states.contains(OwnerState.WAITING));
        }
    }

    private void delete(OwnerIndex.Place place, ObjectNode object, boolean ownerWaits) {
        String uid = Json.text(object, "metadata", "uid");
        List<String> finalizers = Json.texts(object, "metadata", "finalizers");
        boolean dependentsFirst = ownerWaits && !index.dependentsOf(uid).isEmpty();
        String policy = finalizers.contains(ORPHAN)
                ? "Orphan"
                : dependentsFirst || finalizers.contains(FOREGROUND) ? "Foreground" : "Background";
        ignoringGone(() -> access.delete(
                type(place), place.name(), DeleteOptions.propagating(policy).of(uid), CONTEXT));
    }

    /** Do for an object that is being deleted what its finalizers ask of the garbage collector. */
    private void finish(OwnerIndex.Place place) {
        ObjectNode object = find(place);
        if (object == null || Json.at(object, "metadata", "deletionTimestamp") == null) {
            return;
        }
        List<String> finalizers = Json.texts(object, "metadata", "finalizers");
        String uid = Json.text(object, "metadata", "uid");
        if (finalizers.contains(ORPHAN)) {
            index.dependentsOf(uid).forEach(dependent -> dropOwners(dependent, owner -> isOwner(owner, uid)));
            dropFinalizer(place, ORPHAN);
        } else if (finalizers.contains(FOREGROUND)) {
            List<OwnerIndex.Place> dependents = index.dependentsOf(uid);
            dependents.forEach(this::collect);
            if (dependents.stream().noneMatch(dependent -> blocks(dependent, uid))) {
                dropFinalizer(place, FOREGROUND);
            }
        }
    }

    private boolean blocks(OwnerIndex.Place dependent, String ownerUid) {
        ObjectNode object = find(dependent);
        return object != null
                && Json.items(object, "metadata", "ownerReferences").stream()
                        .anyMatch(owner -> isOwner(owner, ownerUid)
                                && owner.path("blockOwnerDeletion").asBoolean());
    }

    private static boolean isOwner(JsonNode owner, String uid) {
        return Json.text(owner, "uid").equals(uid);
    }

    private void ownerLostDependent(@Nullable ObjectNode dependent, JsonNode owner) {
        ResourceType type = ownerType(owner);
        if (type != null) {
            finish(new OwnerIndex.Place(type.id(), ownerName(type, dependent, owner)));
        }
    }

    private OwnerState state(ObjectNode dependent, JsonNode owner) {
        ResourceType type = ownerType(owner);
        if (type == null) {
            return OwnerState.THERE; // the kind is not served, so the owner may exist
        }
        ObjectNode object = access.find(type, ownerName(type, dependent, owner));
        if (object == null || !Json.text(object, "metadata", "uid").equals(Json.text(owner, "uid"))) {
            return OwnerState.GONE;
        }
        boolean waits = Json.at(object, "metadata", "deletionTimestamp") != null
                && Json.texts(object, "metadata", "finalizers").contains(FOREGROUND);
        return waits ? OwnerState.WAITING : OwnerState.THERE;
    }

    private @Nullable ResourceType ownerType(JsonNode owner) {
        String apiVersion = Json.text(owner, "apiVersion");
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        return access.registry().findKind(group, apiVersion.substring(slash + 1), Json.text(owner, "kind"));
    }

    private static ObjectName ownerName(ResourceType type, @Nullable JsonNode dependent, JsonNode owner) {
        String namespace = type.namespaced() ? Json.text(dependent, "metadata", "namespace") : "";
        return new ObjectName(namespace, Json.text(owner, "name"));
    }

    private void dropOwners(OwnerIndex.Place place, Predicate<JsonNode> which) {
        change(place, object -> {
            ArrayNode left = Json.array();
            Json.items(object, "metadata", "ownerReferences").stream()
                    .filter(which.negate())
                    .forEach(left::add);
            Json.setOrRemove(Json.metadata(object), "ownerReferences", left.isEmpty() ? null : left);
            return object;
        });
    }

    private void dropFinalizer(OwnerIndex.Place place, String finalizer) {
        change(place, object -> {
            List<String> left = Json.texts(object, "metadata", "finalizers");
            left.remove(finalizer);
            Json.setOrRemove(Json.metadata(object), "finalizers", left.isEmpty() ? null : Json.strings(left));
            return object;
        });
    }

    private void change(OwnerIndex.Place place, UnaryOperator<ObjectNode> change) {
        ignoringGone(() -> access.update(type(place), place.name(), "", change, CONTEXT));
    }

    private static void ignoringGone(Runnable task) {
        try {
            task.run();
        } catch (StatusException e) {
            if (e.code() != 404 && e.code() != 409) {
                throw e; // 404 and 409: the object was deleted, or created again, meanwhile
            }
        }
    }

    private @Nullable ObjectNode find(OwnerIndex.Place place) {
        ResourceType type = access.registry()
                .findAny(place.resource().group(), place.resource().plural());
        return type == null ? null : access.find(type, place.name());
    }

    private ResourceType type(OwnerIndex.Place place) {
        ResourceType type = access.registry()
                .findAny(place.resource().group(), place.resource().plural());
        if (type == null) {
            throw StatusException.noSuchPath();
        }
        return type;
    }

    /** Which objects name which owner. Safe for use by multiple threads. */
    private static final class OwnerIndex {
        /** The place of an object. */
        record Place(ResourceId resource, ObjectName name) {}

        private final ReentrantLock lock = new ReentrantLock();
        /** Guarded by {@code lock}: by the owner's uid. */
        private final Map<String, Set<OwnerIndex.Place>> dependents = new HashMap<>();

        void update(ResourceType type, @Nullable ObjectNode before, @Nullable ObjectNode after) {
            Set<String> old = owners(before);
            Set<String> now = owners(after);
            if (old.equals(now)) {
                return;
            }
            OwnerIndex.Place place = place(type, after == null ? before : after);
            lock.lock();
            try {
                for (String owner : old) {
                    Set<OwnerIndex.Place> places = dependents.get(owner);
                    if (!now.contains(owner) && places != null && places.remove(place) && places.isEmpty()) {
                        dependents.remove(owner);
                    }
                }
                now.forEach(owner -> dependents
                        .computeIfAbsent(owner, uid -> new HashSet<>())
                        .add(place));
            } finally {
                lock.unlock();
            }
        }

        List<OwnerIndex.Place> dependentsOf(String uid) {
            lock.lock();
            try {
                return List.copyOf(dependents.getOrDefault(uid, Set.of()));
            } finally {
                lock.unlock();
            }
        }

        static OwnerIndex.Place place(ResourceType type, @Nullable JsonNode object) {
            ObjectName name =
                    new ObjectName(Json.text(object, "metadata", "namespace"), Json.text(object, "metadata", "name"));
            return new OwnerIndex.Place(type.id(), name);
        }

        private static Set<String> owners(@Nullable JsonNode object) {
            Set<String> uids = new HashSet<>();
            Json.items(object, "metadata", "ownerReferences").forEach(owner -> uids.add(Json.text(owner, "uid")));
            return uids;
        }
    }
}
