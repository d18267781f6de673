package io.github.reconciler4j.test.internal.rest;

import io.github.reconciler4j.test.internal.error.StatusCause;
import io.github.reconciler4j.test.internal.error.StatusException;
import io.github.reconciler4j.test.internal.json.Json;
import java.util.List;

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
            String shown = StatusCause.quoted(text);
            String message = "Invalid value: " + shown + ": strconv.ParseUint: parsing " + shown + ": invalid syntax";
            throw StatusException.invalid(
                    "", "", "", List.of(new StatusCause("FieldValueInvalid", message, "resourceVersion")));
        }
    }

    /** Refuses a version that no write has reached. */
    static long notInFuture(String text, long current) {
        long version = parse(text);
        if (version > current) {
            throw new StatusException(
                    504,
                    "Timeout",
                    "Timeout: Too large resource version: " + version + ", current: " + current,
                    Json.object().put("retryAfterSeconds", 1));
        }
        return version;
    }
}
