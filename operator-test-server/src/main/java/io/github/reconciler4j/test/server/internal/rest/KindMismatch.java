package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.registry.BuiltInKinds;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** What a client is told that sends one kind where another is expected. */
final class KindMismatch {
    private static final int SHOWN_BYTES = 30;

    private KindMismatch() {}

    /** Refuses a body that says it is of another kind or version than the built-in one of the path. */
    static void check(ResourceType type, String apiVersion, String kind, byte[] body) {
        String version = apiVersion.isEmpty() ? type.apiVersion() : apiVersion;
        String name = kind.isEmpty() ? type.kind() : kind;
        if (version.equals(type.apiVersion()) && name.equals(type.kind())) {
            return;
        }
        if (version.indexOf('/') != version.lastIndexOf('/')) {
            throw unrecognized(type, "unexpected GroupVersion string: " + version, body);
        }
        String shortVersion = version.substring(version.indexOf('/') + 1);
        String why = isKnown(version, name)
                ? "converting (" + shortVersion + "." + name + ") to (" + internalPackage(type) + "." + type.kind()
                        + "): unknown conversion"
                : "no kind " + FieldError.quoted(name) + " is registered for version " + FieldError.quoted(version)
                        + " in scheme \"pkg/runtime/scheme.go:111\"";
        throw StatusException.badRequest(name + " in version " + FieldError.quoted(shortVersion)
                + " cannot be handled as a " + type.kind() + ": " + why);
    }

    /** Refuses an object of another kind, or of none, where a custom one is expected. */
    static void checkCustom(ResourceType type, ObjectNode object) {
        for (String field : List.of("kind", "apiVersion")) {
            if (Json.text(object, field).isEmpty()) {
                String name = field.equals("kind") ? "Kind" : field;
                byte[] text = Json.bytes(object);
                String why = "Object '" + name + "' is missing in '" + new String(text, StandardCharsets.UTF_8) + "'";
                throw unrecognized(type, why, text);
            }
        }
        String kind = Json.text(object, "kind");
        if (!kind.equals(type.kind()) && Json.text(object, "apiVersion").equals(type.apiVersion())) {
            FieldError cause = FieldError.invalid("kind", kind, "must be " + type.kind());
            throw StatusException.invalid(type.group(), kind, Json.text(object, "metadata", "name"), List.of(cause));
        }
        Bodies.requireKind(object, type.apiVersion(), type.kind());
    }

    /** Refuses a body that cannot be read as an object of any kind. */
    static StatusException unrecognized(ResourceType type, String why, byte[] body) {
        return StatusException.badRequest("the object provided is unrecognized (must be of type " + type.kind() + "): "
                + why + " (" + shown(body) + ")");
    }

    private static String shown(byte[] body) {
        if (body.length == 0) {
            return "<empty>";
        }
        byte[] beginning = Arrays.copyOf(body, Math.min(body.length, SHOWN_BYTES));
        String more = body.length > SHOWN_BYTES ? " ..." : "";
        return (body[0] == '{'
                        ? new String(beginning, StandardCharsets.UTF_8)
                        : HexFormat.of().formatHex(beginning))
                + more;
    }

    private static boolean isKnown(String apiVersion, String kind) {
        if (apiVersion.equals("v1") && kind.equals("Status")) {
            return true;
        }
        return BuiltInKinds.rows().stream()
                .anyMatch(row -> row.type().apiVersion().equals(apiVersion)
                        && row.type().kind().equals(kind));
    }

    /** The package of the kind in the real server's sources. */
    static String internalPackage(ResourceType type) {
        return type.group().isEmpty() ? "core" : type.group().split("\\.")[0];
    }
}
