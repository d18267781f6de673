package io.github.reconciler4j.test.server.internal.apimachinery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request that ends with an error answer: what the server says, as a {@code Status} object. Immutable. */
public class StatusException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;
    private final String reason;
    private final transient @Nullable ObjectNode details;
    private final transient ObjectNode listMeta;

    /** Create an answer with any code, reason and details; the details may be null. */
    public StatusException(int code, String reason, String message, @Nullable ObjectNode details) {
        this(code, reason, message, details, Json.object());
    }

    private StatusException(
            int code, String reason, String message, @Nullable ObjectNode details, ObjectNode listMeta) {
        super(message, null, false, false);
        this.code = code;
        this.reason = reason;
        this.details = details;
        this.listMeta = listMeta;
    }

    public StatusException withListMeta(ObjectNode metadata) {
        return new StatusException(code, reason, getMessage(), details, metadata);
    }

    /** Return the same answer with more words before its sentence. */
    public StatusException withPrefix(String words) {
        return new StatusException(code, reason, words + getMessage(), details, listMeta);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    public int code() {
        return code;
    }

    /** Return the machine-readable reason; may be empty. */
    public String reason() {
        return reason;
    }

    public ObjectNode toStatus() {
        ObjectNode status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.set("metadata", listMeta);
        status.put("status", "Failure").put("message", getMessage());
        if (!reason.isEmpty()) {
            status.put("reason", reason);
        }
        if (details != null) {
            status.set("details", details);
        }
        return status.put("code", code);
    }

    /** 500 without a reason, the response to errors that the server does not classify. */
    public static StatusException unclassified(String message) {
        return new StatusException(500, "", message, null);
    }

    /** 422 for a well-formed patch that cannot be carried out. */
    public static StatusException unprocessable() {
        String message = "the server rejected our request due to an error in our request";
        return new StatusException(422, "Invalid", message, Json.object());
    }

    public static StatusException withCauses(int code, String reason, String message, List<FieldError> causes) {
        ObjectNode details = Json.object();
        addCauses(details, causes);
        return new StatusException(code, reason, message, details);
    }

    private static void addCauses(ObjectNode details, List<FieldError> causes) {
        ArrayNode list = details.putArray("causes");
        for (FieldError cause : causes) {
            list.addObject()
                    .put("reason", cause.reason())
                    .put("message", cause.message())
                    .put("field", cause.path());
        }
    }

    public static StatusException notFound(String group, String resource, String name) {
        String message = qualified(group, resource) + " " + FieldError.quoted(name) + " not found";
        return new StatusException(404, "NotFound", message, details(group, resource, name));
    }

    public static StatusException noSuchPath() {
        return new StatusException(404, "NotFound", "the server could not find the requested resource", Json.object());
    }

    public static StatusException alreadyExists(String group, String resource, String name) {
        String message = qualified(group, resource) + " " + FieldError.quoted(name) + " already exists";
        return new StatusException(409, "AlreadyExists", message, details(group, resource, name));
    }

    /** 409: the object changed, or a precondition does not hold. */
    public static StatusException conflict(String group, String resource, String name, String why) {
        String message = "Operation cannot be fulfilled on " + qualified(group, resource) + " "
                + FieldError.quoted(name) + ": " + why;
        return new StatusException(409, "Conflict", message, details(group, resource, name));
    }

    /** 409: the request carries an older resource version than the object has. */
    public static StatusException stale(String group, String resource, String name) {
        return conflict(
                group,
                resource,
                name,
                "the object has been modified; please apply your changes to the latest version and try again");
    }

    public static StatusException invalid(String group, String kind, String name, List<FieldError> causes) {
        ObjectNode details = details(group, kind, name);
        addCauses(details, causes);
        String message =
                qualified(group, kind) + " " + FieldError.quoted(name) + " is invalid: " + FieldError.join(causes);
        return new StatusException(422, "Invalid", message, details);
    }

    /** 400: the request makes no sense. */
    public static StatusException badRequest(String message) {
        return new StatusException(400, "BadRequest", message, null);
    }

    public static StatusException unauthorized() {
        return new StatusException(401, "Unauthorized", "Unauthorized", null);
    }

    /** 403: not allowed; the name may be empty. */
    public static StatusException forbidden(String group, String resource, String name, String why) {
        String subject = name.isEmpty() ? "" : " " + FieldError.quoted(name);
        String message = qualified(group, resource) + subject + " is forbidden: " + why;
        return new StatusException(403, "Forbidden", message, details(group, resource, name));
    }

    /** 405: the resource exists but not with this method. */
    public static StatusException methodNotAllowed() {
        return new StatusException(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource",
                Json.object());
    }

    /** 410: the asked-for version is no longer in the history. */
    public static StatusException expired(String message) {
        return new StatusException(410, "Expired", message, null);
    }

    public static StatusException tooLarge(long limit) {
        return new StatusException(413, "RequestEntityTooLarge", "Request entity too large: limit is " + limit, null);
    }

    /** 415: a body in a format that the request cannot have. */
    public static StatusException unsupportedMediaType(String accepted) {
        String message = "the body of the request was in an unknown format - accepted media types include: " + accepted;
        return new StatusException(415, "UnsupportedMediaType", message, null);
    }

    public static StatusException internal(String message) {
        ObjectNode details = Json.object();
        details.putArray("causes").addObject().put("message", message);
        return new StatusException(500, "InternalError", "Internal error occurred: " + message, details);
    }

    /** {@code resource.group}, or the resource alone in the core group. */
    public static String qualified(String group, String resource) {
        return group.isEmpty() ? resource : resource + "." + group;
    }

    private static ObjectNode details(String group, String kind, String name) {
        ObjectNode details = Json.object();
        if (!name.isEmpty()) {
            details.put("name", name);
        }
        if (!group.isEmpty()) {
            details.put("group", group);
        }
        if (!kind.isEmpty()) {
            details.put("kind", kind);
        }
        return details;
    }
}
