package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.admission.AdmissionRequest;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import org.jspecify.annotations.Nullable;

/** The admission of one write. Policies and webhooks do not see the server's own writes. For use by one thread. */
final class AdmissionCalls {
    private final ObjectAccess access;
    private final AdmissionRequest frame;
    private final WriteContext context;

    private AdmissionCalls(ObjectAccess access, AdmissionRequest frame, WriteContext context) {
        this.access = access;
        this.frame = frame;
        this.context = context;
    }

    static AdmissionCalls ofCreate(ObjectAccess access, ResourceType type, String namespace, WriteContext context) {
        return of(access, "CREATE", type, "", new ObjectName(type.namespaced() ? namespace : "", ""), context);
    }

    /** Return the admission of an object that is created as a part of another one. */
    static AdmissionCalls ofPart(
            ObjectAccess access, ResourceType type, String subresource, ObjectName name, WriteContext context) {
        return of(access, "CREATE", type, subresource, name, context);
    }

    static AdmissionCalls ofUpdate(
            ObjectAccess access, ResourceType type, String subresource, ObjectName name, WriteContext context) {
        boolean isScale = subresource.equals("scale");
        return of(
                access,
                "UPDATE",
                type,
                subresource,
                name,
                isScale ? context.from(WriteContext.Origin.SERVER) : context);
    }

    /** Return the admission of a scale, which is another object than the one that is stored. */
    static AdmissionCalls ofScale(ObjectAccess access, ResourceType type, ObjectName name, WriteContext context) {
        return of(access, "UPDATE", type, "scale", name, context);
    }

    static AdmissionCalls ofDelete(
            ObjectAccess access, ResourceType type, ObjectName name, DeleteOptions options, WriteContext context) {
        boolean one = context.origin() != WriteContext.Origin.COLLECTION;
        AdmissionRequest frame =
                frame("DELETE", type, "", one ? name : new ObjectName(name.namespace(), ""), options.tree(), context);
        return new AdmissionCalls(access, frame, context);
    }

    private static AdmissionCalls of(
            ObjectAccess access,
            String operation,
            ResourceType type,
            String subresource,
            ObjectName name,
            WriteContext context) {
        ObjectNode options = Json.object()
                .put("kind", operation.equals("CREATE") ? "CreateOptions" : "UpdateOptions")
                .put("apiVersion", "meta.k8s.io/v1");
        options.setAll(context.options().given());
        return new AdmissionCalls(access, frame(operation, type, subresource, name, options, context), context);
    }

    private static AdmissionRequest frame(
            String operation,
            ResourceType type,
            String subresource,
            ObjectName name,
            ObjectNode options,
            WriteContext context) {
        boolean dryRun = context.options().dryRun() || options.has("dryRun");
        return new AdmissionRequest(
                operation,
                type,
                subresource,
                type.is("", "namespaces") ? name.name() : name.namespace(),
                name.name(),
                null,
                null,
                options,
                dryRun,
                context.user(),
                context.warnings());
    }

    private AdmissionRequest of(@Nullable ObjectNode object, @Nullable ObjectNode before) {
        String own = Json.text(object, "metadata", "name");
        AdmissionRequest request = frame.about(object, before);
        return frame.name().isEmpty() && before == null && !own.isEmpty() ? request.named(own) : request;
    }

    private boolean applies() {
        return context.origin() != WriteContext.Origin.SERVER;
    }

    /** Return the object as admission changes it; the object itself if it does not. */
    ObjectNode mutate(ObjectNode object, @Nullable ObjectNode before) {
        AdmissionRequest request = of(object, before);
        access.plugins().mutate(request);
        return applies() ? access.admission().mutate(request) : object;
    }

    void validate(ObjectNode object, @Nullable ObjectNode before) {
        AdmissionRequest request = of(object, before);
        access.plugins().validate(request);
        if (applies()) {
            access.admission().validate(request);
        }
        access.quotas().take(request);
    }

    void delete(ObjectNode before) {
        if (applies()) {
            access.admission().delete(of(null, before));
        }
    }
}
