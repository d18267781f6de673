package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;

/** Checks resource versions in queries. */
final class VersionChecks {
    private VersionChecks() {}

    static long parse(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        try {
            long version = Long.parseUnsignedLong(text);
            if (version >= 0) {
                return version;
            }
            throw new NumberFormatException(text);
        } catch (NumberFormatException e) {
            throw notANumber("resourceVersion: Invalid value: " + FieldError.quoted(text));
        }
    }

    private static StatusException notANumber(String message) {
        return new StatusException(500, "", message + ": not a number", null);
    }

    /** Check that the version of an object to write is a number. */
    static void parseWritten(String text) {
        if (text.isEmpty()) {
            return;
        }
        try {
            Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw notANumber("invalid resourceVersion " + FieldError.quoted(text));
        }
    }

    /** Return the same for a list, which complains in another way. */
    static long ofList(String text, long current) {
        try {
            return notInFuture(text, current);
        } catch (StatusException e) {
            if (e.code() != 500) {
                throw e;
            }
            throw StatusException.badRequest("invalid resource version: " + e.getMessage());
        }
    }

    /** Reject a version that no write has reached. */
    static long notInFuture(String text, long current) {
        long version = parse(text);
        if (version > current) {
            throw tooLarge(version, current);
        }
        return version;
    }

    private static StatusException tooLarge(long version, long current) {
        ObjectNode details = Json.object();
        details.putArray("causes")
                .addObject()
                .put("reason", "ResourceVersionTooLarge")
                .put("message", "Too large resource version");
        details.put("retryAfterSeconds", 1);
        String message = "Timeout: Too large resource version: " + version + ", current: " + current;
        return new StatusException(504, "Timeout", message, details);
    }
}
