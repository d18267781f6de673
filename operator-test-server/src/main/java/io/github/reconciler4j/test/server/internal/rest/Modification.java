package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.registry.ResourceType.Trait;
import io.github.reconciler4j.test.server.internal.render.Representation;
import io.github.reconciler4j.test.server.internal.rest.ObjectAccess.Written;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Changes stored objects: read, change, check, compare-and-set, and again when another write was faster. */
final class Modification {
    /**
     * A change.
     *
     * @param change takes the object as it is and returns it as it is to be
     * @param fresh makes the object when it is missing; null when that is an error
     * @param tracked whether the change itself says who owns which field
     */
    record Request(
            ResourceType type,
            ObjectName name,
            String subresource,
            UnaryOperator<ObjectNode> change,
            @Nullable UnaryOperator<ObjectNode> fresh,
            boolean tracked) {}

    private final ObjectAccess access;
    private final Creation creation;

    Modification(ObjectAccess access, Creation creation) {
        this.access = access;
        this.creation = creation;
    }

    Written update(Request request, WriteContext context) {
        while (true) {
            StoredObject current = access.store().get(request.type().id(), request.name());
            Written written = current == null ? create(request, context) : modify(request, current, context);
            if (written != null) {
                return written;
            }
        }
    }

    private @Nullable Written create(Request request, WriteContext context) {
        ResourceType type = request.type();
        if (request.fresh() == null) {
            throw StatusException.notFound(
                    type.group(), type.plural(), request.name().name());
        }
        ObjectNode made = request.fresh().apply(Json.object());
        Json.metadata(made).remove("resourceVersion");
        ObjectNode created = creation.tryCreate(
                type, request.name().namespace(), made, request.name().name(), request.tracked(), context);
        return created == null ? null : new Written(created, true);
    }

    private @Nullable Written modify(Request request, StoredObject current, WriteContext context) {
        ResourceType type = request.type();
        ObjectNode before = Representation.inVersion(type, current);
        ObjectNode object = request.change().apply(before.deepCopy());
        checkIdentity(request, object, before);
        MetadataRules.settleNamespace(type, object, request.name().namespace());
        MetadataRules.tidy(object);
        MetadataRules.carryOver(object, before);
        access.rules().decode(type, object, request.tracked());
        if (request.tracked()) {
            MetadataRules.keepForms(type, object, before);
        } else {
            object = FieldOwners.track(type, request.subresource(), before, object, context, access.now());
        }
        AdmissionCalls admission =
                AdmissionCalls.ofUpdate(access, type, request.subresource(), request.name(), context);
        object = admission.mutate(object, before);
        MetadataRules.tidy(object);
        MetadataRules.carryOver(object, before);
        access.rules().prepareForUpdate(type, request.subresource(), object, before);
        List<FieldError> causes = new ArrayList<>(MetadataChecks.ofChanged(type, object, before));
        causes.addAll(access.rules().check(type, request.subresource(), object, before));
        if (!causes.isEmpty()) {
            throw StatusException.invalid(
                    type.group(), type.kind(), request.name().name(), causes);
        }
        MetadataChecks.warn(type, object, request.subresource().isEmpty() ? before : object, context);
        admission.validate(object, before);
        Json.metadata(object).put("resourceVersion", Long.toString(current.version()));
        return store(request, current, before, access.rules().settled(type, object), context);
    }

    private @Nullable Written store(
            Request request, StoredObject current, ObjectNode before, ObjectNode object, WriteContext context) {
        if (FieldOwners.sameButTimes(object, before)) {
            return new Written(before, false);
        }
        if (context.options().dryRun()) {
            return new Written(Representation.afterStorage(request.type(), object), false);
        }
        ResourceType type = request.type();
        if (isFinished(object)) {
            StoredObject removed =
                    access.store().remove(type.id(), current, Representation.forStorage(type, before.deepCopy()));
            if (removed != null) {
                access.announce(type, before, null);
            }
            return removed == null ? null : new Written(object, false);
        }
        StoredObject stored =
                access.store().put(type.id(), request.name(), current, Representation.forStorage(type, object));
        if (stored == null) {
            return null;
        }
        ObjectNode after = Representation.inVersion(type, stored.tree());
        access.announce(type, before, after);
        return new Written(after, false);
    }

    /** Return whether nothing keeps an object any longer that was to be deleted. */
    static boolean isFinished(ObjectNode object) {
        return Json.at(object, "metadata", "deletionTimestamp") != null
                && Json.number(object, 0, "metadata", "deletionGracePeriodSeconds") == 0
                && Json.texts(object, "metadata", "finalizers").isEmpty()
                && Json.texts(object, "spec", "finalizers").isEmpty();
    }

    private static void checkIdentity(Request request, ObjectNode object, ObjectNode before) {
        ResourceType type = request.type();
        String name = request.name().name();
        String uid = Json.text(object, "metadata", "uid");
        String oldUid = Json.text(before, "metadata", "uid");
        if (!uid.isEmpty() && !uid.equals(oldUid)) {
            String why = "StorageError: invalid object, Code: 4, Key: /registry/" + type.plural() + "/"
                    + request.name().key() + ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in"
                    + " precondition: " + uid + ", UID in object meta: " + oldUid;
            throw StatusException.conflict(type.group(), type.plural(), name, why);
        }
        String version = Json.text(object, "metadata", "resourceVersion");
        VersionChecks.parseWritten(version);
        if (version.isEmpty() || version.equals("0")) {
            if (type.custom() != null || type.is(Trait.CONDITIONAL)) {
                throw unconditional(type, name);
            }
        } else if (!version.equals(Json.text(before, "metadata", "resourceVersion"))) {
            throw StatusException.stale(type.group(), type.plural(), name);
        }
    }

    private static StatusException unconditional(ResourceType type, String name) {
        FieldError cause = FieldError.invalid("metadata.resourceVersion", "0", "must be specified for an update");
        return StatusException.invalid(type.group(), type.plural(), name, List.of(cause));
    }
}
