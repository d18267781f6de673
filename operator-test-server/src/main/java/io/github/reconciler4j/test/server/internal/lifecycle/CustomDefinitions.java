package io.github.reconciler4j.test.server.internal.lifecycle;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.Times;
import io.github.reconciler4j.test.server.internal.apimachinery.definition.DefinitionChecks;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.rest.ActiveWatches;
import io.github.reconciler4j.test.server.internal.rest.DeleteOptions;
import io.github.reconciler4j.test.server.internal.rest.ObjectAccess;
import io.github.reconciler4j.test.server.internal.rest.WriteContext;
import io.github.reconciler4j.test.server.internal.rest.WriteHook;
import io.github.reconciler4j.test.server.internal.storage.ListQuery;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Serves what CustomResourceDefinitions define. A definition is accepted and established before its writer gets an
 * answer; deleting one deletes its objects first and ends the watches of them.
 */
final class CustomDefinitions implements WriteHook {
    private static final String GROUP = "apiextensions.k8s.io";
    private static final String PLURAL = "customresourcedefinitions";
    private static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";
    private static final WriteContext CONTEXT = WriteContext.internal("kube-apiserver");

    private final ObjectAccess access;
    private final ActiveWatches watches;
    private final Lifecycle background;
    private final ReentrantLock serving = new ReentrantLock();

    CustomDefinitions(ObjectAccess access, ActiveWatches watches, Lifecycle background) {
        this.access = access;
        this.watches = watches;
        this.background = background;
    }

    @Override
    public void written(ResourceType type, @Nullable ObjectNode before, @Nullable ObjectNode after) {
        if (type.is(GROUP, PLURAL)) {
            definitionWritten(type, before, after);
        } else if (type.custom() != null && after == null) {
            String definition = type.custom().definition();
            background.run(() -> finishDeletion(definition));
        }
    }

    private void definitionWritten(ResourceType type, @Nullable ObjectNode before, @Nullable ObjectNode after) {
        String name = Json.text(after == null ? before : after, "metadata", "name");
        serve(type, name);
        if (after == null) {
            String group = Json.text(before, "spec", "group");
            String plural = Json.text(before, "spec", "names", "plural");
            watches.finish(
                    watch -> watch.group().equals(group) && watch.resource().equals(plural));
            return;
        }
        if (Json.at(after, "metadata", "deletionTimestamp") != null) {
            background.run(() -> finishDeletion(name));
            return;
        }
        access.update(type, new ObjectName("", name), "status", this::withStatus, CONTEXT);
    }

    /** Serve what a definition says now: a writer can get here after a later one, even one that created it again. */
    private void serve(ResourceType type, String name) {
        serving.lock();
        try {
            ObjectNode definition = access.find(type, new ObjectName("", name));
            List<ResourceType> served = definition != null && isAccepted(definition)
                    ? CustomTypes.of(definition, access.webhooks())
                    : List.of();
            access.registry().replaceCustom(name, served);
        } finally {
            serving.unlock();
        }
    }

    private static boolean isAccepted(ObjectNode definition) {
        return Json.items(definition, "status", "conditions").stream()
                .anyMatch(condition -> Json.text(condition, "type").equals("Established")
                        && Json.text(condition, "status").equals("True"));
    }

    private ObjectNode withStatus(ObjectNode definition) {
        ObjectNode status = Json.child(definition, "status");
        String conflict = conflict(definition);
        ObjectNode accepted = condition("NamesAccepted", "NoConflicts", "no conflicts found");
        if (conflict != null) {
            accepted.put("status", "False").put("reason", "PluralConflict").put("message", conflict);
        } else {
            status.set("acceptedNames", Json.child(Json.child(definition, "spec"), "names"));
        }
        ArrayNode conditions =
                status.get("conditions") instanceof ArrayNode array ? array : status.putArray("conditions");
        String approval = DefinitionChecks.approval(definition);
        if (DefinitionChecks.isProtected(Json.text(definition, "spec", "group"))) {
            boolean isApproved = DefinitionChecks.isApproved(approval);
            ObjectNode conformant = condition(
                    "KubernetesAPIApprovalPolicyConformant",
                    isApproved ? "ApprovedAnnotation" : "UnapprovedAnnotation",
                    isApproved ? "approved in " + approval : "not approved: " + FieldError.quoted(approval));
            putCondition(conditions, conformant.put("status", isApproved ? "True" : "False"));
        }
        putCondition(conditions, accepted);
        if (!isAccepted(definition)) {
            ObjectNode established =
                    condition("Established", "InitialNamesAccepted", "the initial names have been accepted");
            if (conflict != null) {
                established.put("status", "False").put("reason", "NotAccepted");
                established.put("message", "not all names are accepted");
            }
            putCondition(conditions, established);
        }
        return definition;
    }

    private ObjectNode condition(String type, String reason, String message) {
        ObjectNode condition = Json.object();
        condition.put("type", type).put("status", "True");
        condition.put("lastTransitionTime", Times.text(access.now()));
        return condition.put("reason", reason).put("message", message);
    }

    private static void putCondition(ArrayNode conditions, ObjectNode condition) {
        for (int i = 0; i < conditions.size(); i++) {
            if (Json.text(conditions.get(i), "type").equals(Json.text(condition, "type"))) {
                if (!Json.text(conditions.get(i), "status").equals(Json.text(condition, "status"))) {
                    conditions.set(i, condition);
                }
                return;
            }
        }
        conditions.add(condition);
    }

    /** Return the conflict with a name of another definition in the group, as kube-apiserver words it, or null. */
    private @Nullable String conflict(ObjectNode definition) {
        String own = Json.text(definition, "metadata", "name");
        Set<String> names = new HashSet<>();
        Set<String> kinds = new HashSet<>();
        for (ResourceType type : access.registry().all()) {
            boolean other = type.custom() == null || !type.custom().definition().equals(own);
            if (other && type.group().equals(Json.text(definition, "spec", "group"))) {
                names.addAll(List.of(type.plural(), type.names().singular()));
                names.addAll(type.names().shortNames());
                kinds.addAll(List.of(type.kind(), type.names().listKind()));
            }
        }
        ObjectNode wanted = Json.child(Json.child(definition, "spec"), "names");
        List<String> wantedNames = new ArrayList<>(Json.texts(wanted, "shortNames"));
        wantedNames.add(0, Json.text(wanted, "plural"));
        wantedNames.retainAll(names);
        if (kinds.contains(Json.text(wanted, "kind"))) {
            wantedNames.add(Json.text(wanted, "kind"));
        }
        return wantedNames.isEmpty() ? null : "\"" + wantedNames.get(0) + "\" is already in use";
    }

    /** Delete the objects of a definition that is to go, and the definition when none is left. */
    private void finishDeletion(String name) {
        ResourceType type = access.registry().find(GROUP, "v1", PLURAL);
        ObjectNode definition = type == null ? null : access.find(type, new ObjectName("", name));
        if (type == null || definition == null || Json.at(definition, "metadata", "deletionTimestamp") == null) {
            return;
        }
        if (!deleteObjects(definition)) {
            return;
        }
        try {
            access.update(type, new ObjectName("", name), "", CustomDefinitions::withoutCleanup, CONTEXT);
        } catch (StatusException e) {
            if (e.code() != 404) {
                throw e;
            }
        }
    }

    private static ObjectNode withoutCleanup(ObjectNode definition) {
        List<String> left = Json.texts(definition, "metadata", "finalizers");
        left.remove(CLEANUP);
        Json.setOrRemove(Json.metadata(definition), "finalizers", left.isEmpty() ? null : Json.strings(left));
        return definition;
    }

    private boolean deleteObjects(ObjectNode definition) {
        String plural = Json.text(definition, "spec", "names", "plural");
        ResourceId resource = new ResourceId(Json.text(definition, "spec", "group"), plural);
        ResourceType type = access.registry().findAny(resource.group(), plural);
        if (type == null) {
            return true;
        }
        for (StoredObject object :
                access.store().list(resource, ListQuery.all("")).items()) {
            try {
                access.delete(type, object.name(), DeleteOptions.propagating("Background"), CONTEXT);
            } catch (StatusException e) {
                if (e.code() != 404) {
                    throw e;
                }
            }
        }
        return access.store().count(resource) == 0;
    }
}
