package io.github.reconciler4j.test.server.internal.lifecycle;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.Times;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.rest.DeleteOptions;
import io.github.reconciler4j.test.server.internal.rest.ObjectAccess;
import io.github.reconciler4j.test.server.internal.rest.ObjectAccess.Removed;
import io.github.reconciler4j.test.server.internal.rest.WriteContext;
import io.github.reconciler4j.test.server.internal.rest.WriteHook;
import io.github.reconciler4j.test.server.internal.storage.ListQuery;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Deletes namespaces with their content. */
final class Namespaces implements WriteHook {
    private static final WriteContext CONTEXT = WriteContext.internal("kube-controller-manager");

    private final ObjectAccess access;
    private final Lifecycle background;
    private final Duration delay;
    private final Set<String> delayed = ConcurrentHashMap.newKeySet();

    Namespaces(ObjectAccess access, Lifecycle background, Duration delay) {
        this.access = access;
        this.background = background;
        this.delay = delay;
    }

    private ResourceType type() {
        ResourceType type = access.registry().find("", "v1", "namespaces");
        if (type == null) {
            throw new IllegalStateException("namespaces are always served");
        }
        return type;
    }

    @Override
    public void written(ResourceType type, @Nullable ObjectNode before, @Nullable ObjectNode after) {
        if (type.is("", "namespaces")) {
            if (Json.at(after, "metadata", "deletionTimestamp") != null) {
                String name = Json.text(after, "metadata", "name");
                if (Json.at(before, "metadata", "deletionTimestamp") == null) {
                    delayed.add(name);
                    background.run(
                            () -> {
                                delayed.remove(name);
                                empty(name);
                            },
                            delay);
                } else {
                    background.run(() -> empty(name));
                }
            }
        } else if (after == null && type.namespaced()) {
            String name = Json.text(before, "metadata", "namespace");
            if (isTerminating(name)) {
                background.run(() -> empty(name));
            }
        }
    }

    private boolean isTerminating(String name) {
        StoredObject namespace = access.store().get(new ResourceId("", "namespaces"), new ObjectName("", name));
        return namespace != null && Json.at(namespace.tree(), "metadata", "deletionTimestamp") != null;
    }

    private void empty(String name) {
        if (delayed.contains(name) || !isTerminating(name)) {
            return;
        }
        NamespaceConditions conditions = new NamespaceConditions();
        for (ResourceId resource : access.store().resources()) {
            ResourceType type = access.registry().findAny(resource.group(), resource.plural());
            if (type != null && type.namespaced()) {
                empty(type, name, conditions);
            }
        }
        change(name, "status", namespace -> {
            conditions.writeTo(namespace, access.now());
            return namespace;
        });
        if (conditions.isEmpty()) {
            change(name, "finalize", namespace -> {
                Json.child(namespace, "spec").putArray("finalizers");
                return namespace;
            });
        }
    }

    private void empty(ResourceType type, String namespace, NamespaceConditions conditions) {
        for (StoredObject object :
                access.store().list(type.id(), ListQuery.all(namespace)).items()) {
            try {
                DeleteOptions options = DeleteOptions.propagating("Background");
                Removed removed = access.delete(type, object.name(), options, CONTEXT);
                if (!removed.gone()) {
                    conditions.remains(type.plural() + "." + type.group(), removed.object());
                }
            } catch (StatusException e) {
                if (e.code() != 404) {
                    throw e;
                }
            }
        }
    }

    private void change(String name, String subresource, UnaryOperator<ObjectNode> change) {
        try {
            access.update(type(), new ObjectName("", name), subresource, change, CONTEXT);
        } catch (StatusException e) {
            if (e.code() != 404) {
                throw e;
            }
        }
    }

    /** The conditions of a namespace that cannot be deleted yet. For one thread. */
    private static final class NamespaceConditions {
        /** The deletion of a namespace does not fail here. */
        private static final List<ObjectNode> FINE = List.of(
                condition(
                        "NamespaceDeletionDiscoveryFailure",
                        "ResourcesDiscovered",
                        "All resources successfully discovered"),
                condition(
                        "NamespaceDeletionGroupVersionParsingFailure",
                        "ParsedGroupVersions",
                        "All legacy kube types successfully parsed"),
                condition(
                        "NamespaceDeletionContentFailure",
                        "ContentDeleted",
                        "All content successfully deleted, may be waiting on finalization"));

        /** The number of remaining objects, by {@code plural.group}. */
        private final Map<String, Integer> remaining = new TreeMap<>();
        /** The number of objects with each finalizer. */
        private final Map<String, Integer> finalizers = new TreeMap<>();

        void remains(String resource, ObjectNode object) {
            remaining.merge(resource, 1, Integer::sum);
            Json.texts(object, "metadata", "finalizers")
                    .forEach(finalizer -> finalizers.merge(finalizer, 1, Integer::sum));
        }

        boolean isEmpty() {
            return remaining.isEmpty();
        }

        /** Write the conditions; those that stay as they are keep their time. */
        void writeTo(ObjectNode namespace, Instant now) {
            ArrayNode before =
                    Json.child(namespace, "status").withArray("conditions").deepCopy();
            ArrayNode after = Json.child(namespace, "status").putArray("conditions");
            FINE.forEach(condition -> after.add(condition.deepCopy()));
            after.add(condition(
                    remaining,
                    condition("NamespaceContentRemaining", "ContentRemoved", "All content successfully removed"),
                    "SomeResourcesRemain",
                    "Some resources are remaining: ",
                    " has "));
            after.add(condition(
                    finalizers,
                    condition(
                            "NamespaceFinalizersRemaining",
                            "ContentHasNoFinalizers",
                            "All content-preserving finalizers finished"),
                    "SomeFinalizersRemain",
                    "Some content in the namespace has finalizers remaining: ",
                    " in "));
            after.forEach(condition -> settleTime((ObjectNode) condition, before, now));
        }

        /** Return a condition that is true if something is left, and otherwise the one given. */
        private static ObjectNode condition(
                Map<String, Integer> left, ObjectNode none, String reason, String message, String count) {
            if (left.isEmpty()) {
                return none;
            }
            String all = left.entrySet().stream()
                    .map(entry -> entry.getKey() + count + entry.getValue() + " resource instances")
                    .collect(Collectors.joining(", "));
            return none.put("status", "True").put("reason", reason).put("message", message + all);
        }

        private static ObjectNode condition(String type, String reason, String message) {
            return Json.object()
                    .put("type", type)
                    .put("status", "False")
                    .put("reason", reason)
                    .put("message", message);
        }

        private static void settleTime(ObjectNode condition, ArrayNode before, Instant now) {
            String time = Times.text(now);
            for (var old : before) {
                ObjectNode same = old.deepCopy();
                String oldTime = Json.text(old, "lastTransitionTime");
                same.remove("lastTransitionTime");
                if (Json.same(same, condition)) {
                    time = oldTime;
                }
            }
            condition.put("lastTransitionTime", time);
        }
    }
}
