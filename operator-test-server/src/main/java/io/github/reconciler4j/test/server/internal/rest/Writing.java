package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.auth.AccessRequest;
import io.github.reconciler4j.test.server.internal.auth.Authorizer;
import io.github.reconciler4j.test.server.internal.exchange.Response;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.registry.ResourceType.Trait;
import io.github.reconciler4j.test.server.internal.render.Renderers;
import io.github.reconciler4j.test.server.internal.rest.ObjectAccess.Removed;
import io.github.reconciler4j.test.server.internal.rest.ObjectAccess.Written;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The verbs create, update, patch, delete and deletecollection. Stateless; safe for use by multiple threads. */
final class Writing {
    private final ObjectAccess access;
    private final Authorizer authorizer;
    private final Renderers renderers;
    private final Reading reading;

    Writing(ObjectAccess access, Authorizer authorizer, Renderers renderers, Reading reading) {
        this.access = access;
        this.authorizer = authorizer;
        this.renderers = renderers;
        this.reading = reading;
    }

    Response create(Call call) {
        ObjectNode object = Bodies.object(call);
        WriteContext context = context(call, "CreateOptions");
        FieldValidation.ofBody(call, object, context);
        ObjectNode created = access.create(call.type(), call.info().namespace(), object, context);
        call.created(Json.text(created, "metadata", "name"));
        return answer(call, 201, created);
    }

    Response update(Call call) {
        ObjectNode object = Bodies.object(call);
        Bodies.requireName(call.type(), object, call.info().name());
        WriteContext context = context(call, "UpdateOptions");
        FieldValidation.ofBody(call, object, context);
        UnaryOperator<ObjectNode> replace = before -> object.deepCopy();
        String subresource = call.info().subresource();
        boolean upserts = call.type().is(Trait.UPSERT) && subresource.isEmpty();
        Written written = access.update(
                new Modification.Request(
                        call.type(), call.object(), subresource, replace, upserts ? replace : null, false),
                context);
        return answer(call, written.created() ? 201 : 200, written.object());
    }

    Response patch(Call call) {
        WriteContext context = context(call, "PatchOptions");
        Patches.Patch patch = Patches.read(call, context, access);
        Written written = access.update(
                new Modification.Request(
                        call.type(),
                        call.object(),
                        call.info().subresource(),
                        patch.change(),
                        allowed(patch.fresh(), call),
                        patch.tracks()),
                context);
        return answer(call, written.created() ? 201 : 200, written.object());
    }

    /** An apply that creates the object needs the right to create, too. */
    private @Nullable UnaryOperator<ObjectNode> allowed(@Nullable UnaryOperator<ObjectNode> fresh, Call call) {
        if (fresh == null) {
            return null;
        }
        return none -> {
            AccessRequest create = new AccessRequest(
                    call.user(),
                    "create",
                    true,
                    call.type().group(),
                    call.type().plural(),
                    "",
                    call.object().namespace(),
                    call.object().name(),
                    "");
            if (!authorizer.allows(create)) {
                throw create.toForbidden();
            }
            return fresh.apply(none);
        };
    }

    Response delete(Call call) {
        DeleteOptions options = deleteOptions(call);
        WriteContext context = context(call, "DeleteOptions");
        warnAboutOrphans(call, options);
        Removed removed = access.delete(call.type(), call.object(), options, context);
        if (!removed.gone() || call.type().is(Trait.RETURNS_DELETED)) {
            return answer(call, 200, removed.object());
        }
        return Response.json(200, success(call.type(), removed.object()));
    }

    private static void warnAboutOrphans(Call call, DeleteOptions options) {
        if (call.type().is(Trait.ORPHANS) && options.propagation().isEmpty()) {
            call.warn("child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to"
                    + " remove them or set propagationPolicy=Orphan to suppress this warning");
        }
    }

    private static ObjectNode success(ResourceType type, ObjectNode object) {
        ObjectNode status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Success");
        ObjectNode details = status.putObject("details");
        details.put("name", Json.text(object, "metadata", "name"));
        if (!type.group().isEmpty()) {
            details.put("group", type.group());
        }
        details.put("kind", type.plural()).put("uid", Json.text(object, "metadata", "uid"));
        return status;
    }

    Response deleteCollection(Call call) {
        DeleteOptions options = deleteOptions(call);
        WriteContext context = context(call, "DeleteOptions").from(WriteContext.Origin.COLLECTION);
        warnAboutOrphans(call, options);
        return reading.list(call, page -> {
            for (StoredObject object : page.items()) {
                deleteIfThere(call.type(), object.name(), options, context);
            }
        });
    }

    private void deleteIfThere(ResourceType type, ObjectName name, DeleteOptions options, WriteContext context) {
        try {
            access.delete(type, name, options, context);
        } catch (StatusException e) {
            if (e.code() != 404) {
                throw e;
            }
        }
    }

    private static DeleteOptions deleteOptions(Call call) {
        JsonNode body = call.request().body().length == 0 ? null : Bodies.tree(call.request());
        return DeleteOptions.of(call.request().query(), body);
    }

    /** Return the context of a write; errors name the {@code optionsKind}. */
    static WriteContext context(Call call, String optionsKind) {
        return new WriteContext(
                call.user(), WriteOptions.of(call.request(), optionsKind), call::warn, WriteContext.Origin.REQUEST);
    }

    private Response answer(Call call, int status, ObjectNode object) {
        byte[] text = renderers.of(call.request(), call.type()).tree(object);
        return new Response.Whole(status, Response.JSON, List.of(), List.of(text));
    }
}
