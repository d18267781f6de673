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
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Creates the initial namespaces and priorities, and deletes namespaces with their content. */
final class Namespaces implements WriteHook {
    private static final List<String> FIRST = List.of("default", "kube-node-lease", "kube-public", "kube-system");
    private static final String NAME = "kubernetes";
    private static final String ADDRESS = "10.0.2.15";
    private static final int API_PORT = 6443;
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

    void createFirst() {
        for (String name : FIRST) {
            ObjectNode namespace = Json.object().put("apiVersion", "v1").put("kind", "Namespace");
            ObjectNode metadata = namespace.putObject("metadata");
            metadata.put("name", name).putObject("labels").put("kubernetes.io/metadata.name", name);
            access.create(type(), "", namespace, WriteContext.internal("kube-apiserver"));
        }
        createService();
        createPriority("system-node-critical", 2_000_001_000, "must not be moved from their current node.");
        createPriority(
                "system-cluster-critical",
                2_000_000_000,
                "must run in the cluster, but can be moved to another node if necessary.");
    }

    private void createPriority(String name, int value, String pods) {
        ObjectNode priority = named("scheduling.k8s.io/v1", "PriorityClass").put("value", value);
        Json.metadata(priority).put("name", name).remove("namespace");
        priority.put("description", "Used for system critical pods that " + pods);
        create("scheduling.k8s.io", "priorityclasses", priority);
    }

    private void createService() {
        ObjectNode service = named("v1", "Service");
        ObjectNode spec = service.putObject("spec").put("type", "ClusterIP").put("clusterIP", "10.96.0.1");
        spec.putArray("ports").add(port().put("targetPort", API_PORT));
        Json.child(Json.metadata(service), "labels")
                .put("component", "apiserver")
                .put("provider", NAME);
        create("", "services", service);

        ObjectNode endpoints = named("v1", "Endpoints");
        ObjectNode subset = endpoints.putArray("subsets").addObject();
        subset.putArray("addresses").addObject().put("ip", ADDRESS);
        subset.putArray("ports").add(port().put("port", API_PORT));
        Json.child(Json.metadata(endpoints), "labels").put("endpointslice.kubernetes.io/skip-mirror", "true");
        create("", "endpoints", endpoints);

        ObjectNode slice = named("discovery.k8s.io/v1", "EndpointSlice").put("addressType", "IPv4");
        ObjectNode endpoint = slice.putArray("endpoints").addObject();
        endpoint.putArray("addresses").add(ADDRESS);
        endpoint.putObject("conditions").put("ready", true);
        slice.putArray("ports").add(port().put("port", API_PORT));
        Json.child(Json.metadata(slice), "labels").put("kubernetes.io/service-name", NAME);
        create("discovery.k8s.io", "endpointslices", slice);
    }

    private static ObjectNode named(String apiVersion, String kind) {
        ObjectNode object = Json.object().put("apiVersion", apiVersion).put("kind", kind);
        Json.metadata(object).put("name", NAME).put("namespace", "default");
        return object;
    }

    private static ObjectNode port() {
        return Json.object().put("name", "https").put("port", 443).put("protocol", "TCP");
    }

    private void create(String group, String plural, ObjectNode object) {
        ResourceType type = Objects.requireNonNull(access.registry().find(group, "v1", plural));
        access.create(type, "default", object, WriteContext.internal("kube-apiserver"));
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
            add(
                    after,
                    "NamespaceDeletionDiscoveryFailure",
                    false,
                    "ResourcesDiscovered",
                    "All resources successfully discovered");
            add(
                    after,
                    "NamespaceDeletionGroupVersionParsingFailure",
                    false,
                    "ParsedGroupVersions",
                    "All legacy kube types successfully parsed");
            add(
                    after,
                    "NamespaceDeletionContentFailure",
                    false,
                    "ContentDeleted",
                    "All content successfully deleted, may be waiting on finalization");
            content(after);
            holders(after);
            after.forEach(condition -> settleTime((ObjectNode) condition, before, now));
        }

        private void content(ArrayNode conditions) {
            boolean some = !remaining.isEmpty();
            String left = remaining.entrySet().stream()
                    .map(entry -> entry.getKey() + " has " + entry.getValue() + " resource instances")
                    .collect(Collectors.joining(", "));
            add(
                    conditions,
                    "NamespaceContentRemaining",
                    some,
                    some ? "SomeResourcesRemain" : "ContentRemoved",
                    some ? "Some resources are remaining: " + left : "All content successfully removed");
        }

        private void holders(ArrayNode conditions) {
            boolean some = !finalizers.isEmpty();
            String left = finalizers.entrySet().stream()
                    .map(entry -> entry.getKey() + " in " + entry.getValue() + " resource instances")
                    .collect(Collectors.joining(", "));
            add(
                    conditions,
                    "NamespaceFinalizersRemaining",
                    some,
                    some ? "SomeFinalizersRemain" : "ContentHasNoFinalizers",
                    some
                            ? "Some content in the namespace has finalizers remaining: " + left
                            : "All content-preserving finalizers finished");
        }

        private static void add(ArrayNode conditions, String type, boolean status, String reason, String message) {
            conditions
                    .addObject()
                    .put("type", type)
                    .put("status", status ? "True" : "False")
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
