package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.server.internal.exchange.Query;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Options of a write.
 *
 * @param dryRun whether everything happens but the write itself
 * @param manager who owns the fields that are written
 * @param validation what to do with unknown and repeated fields: {@code Strict}, {@code Warn} or {@code Ignore}
 * @param force whether an apply takes fields from other managers
 * @param given the options that the request names, as admission sees them
 */
public record WriteOptions(boolean dryRun, String manager, String validation, boolean force, ObjectNode given) {
    private static final List<String> VALIDATIONS = List.of("Ignore", "Warn", "Strict");

    private static final int MAX_MANAGER = 128;

    public static WriteOptions internal(String manager) {
        return new WriteOptions(false, manager, "Ignore", false, Json.object());
    }

    /**
     * Read the options from a request.
     *
     * @param kind the kind of options that an error names, such as {@code CreateOptions}
     */
    static WriteOptions of(ApiRequest request, String kind) {
        Query query = request.query();
        String validation = query.first("fieldValidation");
        if (!validation.isEmpty() && !VALIDATIONS.contains(validation)) {
            String shown = FieldError.quoted(validation);
            throw unsupported(kind, "fieldValidation", shown, "\"\", \"Ignore\", \"Strict\", \"Warn\"");
        }
        checkDryRun(kind, query.all("dryRun"));
        String manager = query.first("fieldManager");
        checkManager(kind, manager);
        return new WriteOptions(
                query.has("dryRun"),
                manager.isEmpty() ? managerOf(request.header("user-agent")) : manager,
                validation.isEmpty() ? "Warn" : validation,
                query.isTrue("force"),
                given(query));
    }

    private static ObjectNode given(Query query) {
        ObjectNode given = Json.object();
        if (query.has("dryRun")) {
            given.set("dryRun", Json.strings(query.all("dryRun")));
        }
        for (String option : List.of("fieldManager", "fieldValidation")) {
            if (!query.first(option).isEmpty()) {
                given.put(option, query.first(option));
            }
        }
        return given;
    }

    private static void checkManager(String kind, String manager) {
        FieldError cause = null;
        if (manager.getBytes(StandardCharsets.UTF_8).length > MAX_MANAGER) {
            cause = new FieldError("fieldManager", "FieldValueTooLong", "Too long: may not be more than 128 bytes");
        }
        for (int i = 0; i < manager.length() && cause == null; i++) {
            if (Character.isISOControl(manager.charAt(i))) {
                String problem = String.format("invalid character U+%04X (at position %d)", (int) manager.charAt(i), i);
                cause = FieldError.invalid("fieldManager", manager, problem);
            }
        }
        if (cause != null) {
            throw StatusException.invalid("meta.k8s.io", kind, "", List.of(cause));
        }
    }

    /** Reject stages of a dry run other than all of them. */
    static void checkDryRun(String kind, List<String> stages) {
        if (!stages.stream().allMatch("All"::equals)) {
            throw unsupported(kind, "dryRun", Json.strings(stages).toString(), "\"All\"");
        }
    }

    /** Return a value that an option cannot have; {@code shown} is the value as the server prints it. */
    static StatusException unsupported(String kind, String field, String shown, String allowed) {
        String message = "Unsupported value: " + shown + ": supported values: " + allowed;
        return StatusException.invalid(
                "meta.k8s.io", kind, "", List.of(new FieldError(field, "FieldValueNotSupported", message)));
    }

    private static String managerOf(String userAgent) {
        int slash = userAgent.indexOf('/');
        String name = slash < 0 ? userAgent : userAgent.substring(0, slash);
        return name.isEmpty() ? "unknown" : name;
    }
}
