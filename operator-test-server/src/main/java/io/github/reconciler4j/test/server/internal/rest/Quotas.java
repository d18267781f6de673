package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.admission.AdmissionRequest;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.Quantities;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.storage.ListQuery;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The quotas of namespaces: the plug-in of admission that takes from them, and the controller that sets their status and
 * subtracts deleted objects. Stateless; safe for use by multiple threads.
 */
final class Quotas implements WriteHook {
    private static final ResourceId ID = new ResourceId("", "resourcequotas");
    private static final Set<String> CHANGEABLE = Set.of("services", "persistentvolumeclaims");
    private static final WriteContext CONTEXT = WriteContext.internal("kube-controller-manager");
    private static final int NOT_FOUND = 404;

    private final ObjectAccess access;

    Quotas(ObjectAccess access) {
        this.access = access;
    }

    private List<StoredObject> in(String namespace) {
        return access.store().count(ID) == 0 || namespace.isEmpty()
                ? List.of()
                : access.store().list(ID, ListQuery.all(namespace)).items();
    }

    /** Take what a write needs from the quotas of its namespace, or refuse it. */
    void take(AdmissionRequest request) {
        ResourceId id = request.type().id();
        boolean counts = request.old() == null || CHANGEABLE.contains(id.toString());
        boolean isResize = id.toString().equals("pods") && request.subresource().equals("resize");
        if (!request.type().namespaced()
                || !isResize && !(counts && request.subresource().isEmpty())) {
            return;
        }
        List<StoredObject> quotas = in(request.namespace());
        quotas.forEach(quota -> taken(request, quota.tree()));
        boolean willFail = request.old() == null
                && access.store().get(id, new ObjectName(request.namespace(), request.name())) != null;
        if (!request.dryRun() && !willFail) {
            List<StoredObject> charged = new ArrayList<>();
            try {
                for (StoredObject quota : quotas) {
                    use(quota, tree -> taken(request, tree));
                    charged.add(quota);
                }
            } catch (StatusException e) {
                // another write can be faster: what it took from a later quota must not stay taken from the earlier
                // ones
                charged.forEach(quota -> giveBack(id, request.object(), request.old(), quota));
                throw e;
            }
        }
    }

    /** Return the usage of a quota after a write. */
    private static Map<String, String> taken(AdmissionRequest request, JsonNode quota) {
        ResourceId id = request.type().id();
        ObjectNode object = Objects.requireNonNull(request.object());
        String name = Json.text(quota, "metadata", "name");
        Set<String> unnamed = QuotaUsage.unnamed(id, object, quota);
        if (!unnamed.isEmpty()) {
            throw Plugins.forbidden(request, "failed quota: " + name + ": must specify " + String.join(",", unnamed));
        }
        Map<String, String> hard = Json.stringMap(quota, "status", "hard");
        Map<String, String> before = Json.stringMap(quota, "status", "used");
        Map<String, String> more = QuotaUsage.more(id, object, request.old(), quota);
        Map<String, String> after = new TreeMap<>(before);
        PodResources.add(after, more);
        List<String> exceeded =
                more.keySet().stream().filter(key -> isLess(hard, after, key)).toList();
        if (!exceeded.isEmpty()) {
            throw Plugins.forbidden(
                    request,
                    "exceeded quota: " + name + ", requested: " + shown(more, exceeded) + ", used: "
                            + shown(before, exceeded) + ", limited: " + shown(hard, exceeded));
        }
        return after;
    }

    private static boolean isLess(Map<String, String> one, Map<String, String> other, String name) {
        String amount = other.getOrDefault(name, "0");
        return Quantities.compare(one.getOrDefault(name, amount), amount) < 0;
    }

    private static String shown(Map<String, String> amounts, List<String> names) {
        return names.stream()
                .map(name -> name + "=" + amounts.getOrDefault(name, "0"))
                .collect(Collectors.joining(","));
    }

    /** Set the usage in the status of a quota, and with it the limits. */
    private void use(StoredObject quota, Function<ObjectNode, Map<String, String>> usage) {
        ResourceType type = Objects.requireNonNull(access.registry().find("", "v1", "resourcequotas"));
        UnaryOperator<ObjectNode> change = tree -> {
            Map<String, String> used = usage.apply(tree);
            ObjectNode status = tree.putObject("status");
            status.set("hard", Json.path(tree, "spec", "hard").deepCopy());
            used.forEach(Json.child(status, "used")::put);
            return tree;
        };
        try {
            access.update(type, quota.name(), "status", change, CONTEXT);
        } catch (StatusException e) {
            if (e.code() != NOT_FOUND) {
                throw e;
            }
        }
    }

    @Override
    public void written(ResourceType type, @Nullable ObjectNode before, @Nullable ObjectNode after) {
        boolean limitsChanged = type.id().equals(ID)
                && after != null
                && !Json.path(after, "spec", "hard").equals(Json.path(after, "status", "hard"));
        String namespace = Json.text(after == null ? before : after, "metadata", "namespace");
        for (StoredObject quota : in(namespace)) {
            if (limitsChanged && quota.name().name().equals(Json.text(after, "metadata", "name"))) {
                use(quota, this::count);
            } else {
                giveBack(type.id(), before, after, quota);
            }
        }
    }

    /** Give a quota back what an object takes from it, and a second one does not. */
    private void giveBack(ResourceId id, @Nullable ObjectNode object, @Nullable ObjectNode left, StoredObject quota) {
        Map<String, String> less = QuotaUsage.more(id, object, left, quota.tree());
        if (!less.isEmpty()) {
            use(quota, tree -> {
                Map<String, String> used = new TreeMap<>(Json.stringMap(tree, "status", "used"));
                less.forEach((name, amount) -> used.merge(name, "-" + amount, Quantities::sum));
                return used;
            });
        }
    }

    /** Return what the objects of a namespace take from a quota. */
    private Map<String, String> count(ObjectNode quota) {
        Map<String, String> used = new TreeMap<>();
        Json.stringMap(quota, "spec", "hard").keySet().forEach(name -> used.put(name, "0"));
        ListQuery query = ListQuery.all(Json.text(quota, "metadata", "namespace"));
        for (ResourceId id : access.store().resources()) {
            access.store()
                    .list(id, query)
                    .items()
                    .forEach(item -> PodResources.add(used, QuotaUsage.of(id, item.tree(), quota)));
        }
        return used;
    }
}
