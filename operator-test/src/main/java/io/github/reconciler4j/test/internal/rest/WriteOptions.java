package io.github.reconciler4j.test.internal.rest;

import io.github.reconciler4j.test.internal.error.StatusCause;
import io.github.reconciler4j.test.internal.error.StatusException;
import io.github.reconciler4j.test.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.internal.exchange.Query;
import java.util.List;

/**
 * How a write is to be done.
 *
 * @param dryRun whether everything happens but the write itself
 * @param manager who owns the fields that are written
 * @param validation what to do with unknown and repeated fields: {@code Strict}, {@code Warn} or {@code Ignore}
 * @param force whether an apply takes fields from other managers
 */
public record WriteOptions(boolean dryRun, String manager, String validation, boolean force) {
    private static final List<String> VALIDATIONS = List.of("Ignore", "Warn", "Strict");

    /** Options of a write that the server does itself. */
    public static WriteOptions internal(String manager) {
        return new WriteOptions(false, manager, "Ignore", false);
    }

    /**
     * Reads the options from a request.
     *
     * @param kind the kind of options that an error names, such as {@code CreateOptions}
     */
    static WriteOptions of(ApiRequest request, String kind) {
        Query query = request.query();
        String validation = query.first("fieldValidation");
        if (!validation.isEmpty() && !VALIDATIONS.contains(validation)) {
            throw unsupported(kind, "fieldValidation", validation, "\"\", \"Ignore\", \"Strict\", \"Warn\"");
        }
        for (String value : query.all("dryRun")) {
            if (!value.equals("All")) {
                throw unsupported(kind, "dryRun", value, "\"All\"");
            }
        }
        String manager = query.first("fieldManager");
        return new WriteOptions(
                query.has("dryRun"),
                manager.isEmpty() ? managerOf(request.header("user-agent")) : manager,
                validation.isEmpty() ? "Warn" : validation,
                query.isTrue("force"));
    }

    private static StatusException unsupported(String kind, String field, String value, String allowed) {
        String message = "Unsupported value: " + StatusCause.quoted(value) + ": supported values: " + allowed;
        return StatusException.invalid(
                "meta.k8s.io", kind, "", List.of(new StatusCause("FieldValueNotSupported", message, field)));
    }

    private static String managerOf(String userAgent) {
        int slash = userAgent.indexOf('/');
        String name = slash < 0 ? userAgent : userAgent.substring(0, slash);
        return name.isEmpty() ? "unknown" : name;
    }
}
