package io.github.reconciler4j.test.server.internal.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.auth.User;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A write as admission sees it. Immutable, as long as the objects must not change.
 *
 * @param operation {@code CREATE}, {@code UPDATE} or {@code DELETE}
 * @param type the resource of the request
 * @param subresource the part of the object; empty for the object
 * @param namespace the namespace, for a Namespace its own name; empty for cluster-scoped objects
 * @param name the name in the request; empty without one
 * @param object the object to be; null on deletion
 * @param old the object before; null on creation
 * @param options the options of the request, such as {@code CreateOptions}
 * @param warnings receives the warnings for the user
 */
public record AdmissionRequest(
        String operation,
        ResourceType type,
        String subresource,
        String namespace,
        String name,
        @Nullable ObjectNode object,
        @Nullable ObjectNode old,
        ObjectNode options,
        boolean dryRun,
        User user,
        Consumer<String> warnings) {

    /** Return the request with objects. */
    public AdmissionRequest about(@Nullable ObjectNode other, @Nullable ObjectNode before) {
        return new AdmissionRequest(
                operation, type, subresource, namespace, name, other, before, options, dryRun, user, warnings);
    }

    /** Return the request with a name. */
    public AdmissionRequest named(String other) {
        return new AdmissionRequest(
                operation, type, subresource, namespace, other, object, old, options, dryRun, user, warnings);
    }

    AdmissionRequest with(ObjectNode changed) {
        return new AdmissionRequest(
                operation, type, subresource, namespace, name, changed, old, options, dryRun, user, warnings);
    }

    AdmissionRequest withWarnings(Consumer<String> receiver) {
        return new AdmissionRequest(
                operation, type, subresource, namespace, name, object, old, options, dryRun, user, receiver);
    }

    /** Return the name of the object, or what stands for it while it has none. */
    public String shownName() {
        String own = Json.text(object, "metadata", "name");
        String prefix = Json.text(object, "metadata", "generateName");
        return !name.isEmpty() ? name : !own.isEmpty() ? own : prefix.isEmpty() ? "Unknown" : prefix;
    }

    /** Return the request as a webhook or an expression sees it, without the objects. */
    ObjectNode describe(ResourceType as) {
        ObjectNode request = Json.object();
        request.set("kind", kind(as, object == null ? old : object));
        request.set("resource", resource(as));
        put(request, "subResource", subresource);
        request.set("requestKind", kind(type, object == null ? old : object));
        request.set("requestResource", resource(type));
        put(request, "requestSubResource", subresource);
        put(request, "name", name);
        put(request, "namespace", namespace);
        request.put("operation", operation);
        ObjectNode info = request.putObject("userInfo").put("username", user.name());
        put(info, "uid", user.uid());
        info.set("groups", Json.strings(user.groups()));
        request.put("dryRun", dryRun);
        return request.set("options", options);
    }

    private static void put(ObjectNode object, String field, String text) {
        if (!text.isEmpty()) {
            object.put(field, text);
        }
    }

    /** Return the kind of the object: that of the resource, or of its part, such as {@code Scale}. */
    private ObjectNode kind(ResourceType of, @Nullable ObjectNode any) {
        boolean isPart =
                !Json.text(any, "kind").isEmpty() && !Json.text(any, "kind").equals(type.kind());
        String apiVersion = isPart ? Json.text(any, "apiVersion") : of.apiVersion();
        int slash = apiVersion.indexOf('/');
        return Json.object()
                .put("group", slash < 0 ? "" : apiVersion.substring(0, slash))
                .put("version", apiVersion.substring(slash + 1))
                .put("kind", isPart ? Json.text(any, "kind") : of.kind());
    }

    private static ObjectNode resource(ResourceType of) {
        return Json.object()
                .put("group", of.group())
                .put("version", of.version())
                .put("resource", of.plural());
    }
}
