package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.StatusException;

/** What can be wrong with a resource version in a query. */
final class VersionChecks {
    private VersionChecks() {}

    /** Reads a version; 0 for none. */
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
            String shown = FieldError.quoted(text);
            String problem = text.matches("\\d+") ? "value out of range" : "invalid syntax";
            String message = "resourceVersion: Invalid value: " + shown + ": strconv.ParseUint: parsing " + shown + ": "
                    + problem;
            throw new StatusException(500, "", message, null);
        }
    }

    /** Refuses the version of an object to be written when it is none. */
    static void parseWritten(String text) {
        if (text.isEmpty()) {
            return;
        }
        try {
            Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            String problem = text.matches("\\d+") ? "value out of range" : "invalid syntax";
            throw new StatusException(
                    500, "", "strconv.ParseUint: parsing " + FieldError.quoted(text) + ": " + problem, null);
        }
    }

    /** The same for a list, which complains in another way. */
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

    /** Refuses a version that no write has reached. */
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
