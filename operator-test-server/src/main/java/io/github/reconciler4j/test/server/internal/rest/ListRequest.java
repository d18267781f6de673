package io.github.reconciler4j.test.server.internal.rest;

import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.exchange.Query;
import java.util.List;

/**
 * Which part of a list, and how old it may be.
 *
 * @param limit how many objects at most; 0 for all
 * @param after the key after which it begins; empty for the start
 * @param version the version at which to read
 * @param isExact whether it must be that version; else the newest is read
 */
record ListRequest(int limit, String after, long version, boolean isExact) {
    private static final String FIELD = "resourceVersionMatch";

    static ListRequest of(Query query, long current) {
        if (query.has("sendInitialEvents")) {
            throw invalid(FieldError.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
        }
        limit(query.first("timeoutSeconds"));
        int limit = limit(query.first("limit"));
        String match = query.first(FIELD);
        String version = query.first("resourceVersion");
        checkMatch(match, version, query);
        if (query.has("continue") && !query.first("continue").isEmpty()) {
            if (!version.isEmpty() && !version.equals("0")) {
                throw StatusException.badRequest("specifying resource version is not allowed when using continue");
            }
            ContinueToken token = ContinueToken.decode(query.first("continue"));
            return new ListRequest(limit, token.after(), token.version(), token.version() > 0);
        }
        long wanted = VersionChecks.ofList(version, current);
        boolean exact = match.equals("Exact") || match.isEmpty() && limit > 0 && wanted > 0;
        return new ListRequest(limit, "", wanted, exact);
    }

    private static int limit(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, Numbers.parse(text)));
    }

    private static void checkMatch(String match, String version, Query query) {
        if (match.isEmpty()) {
            return;
        }
        if (!query.first("continue").isEmpty()) {
            throw invalid(FieldError.forbidden(FIELD, "resourceVersionMatch is forbidden when continue is provided"));
        }
        if (version.isEmpty()) {
            throw invalid(FieldError.forbidden(
                    FIELD, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
        }
        if (!match.equals("Exact") && !match.equals("NotOlderThan")) {
            String message = "Unsupported value: " + FieldError.quoted(match)
                    + ": supported values: \"Exact\", \"NotOlderThan\", \"\"";
            throw invalid(new FieldError(FIELD, "FieldValueNotSupported", message));
        }
        if (match.equals("Exact") && version.equals("0")) {
            throw invalid(FieldError.forbidden(
                    FIELD, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
        }
    }

    private static StatusException invalid(FieldError cause) {
        return StatusException.invalid("meta.k8s.io", "ListOptions", "", List.of(cause));
    }
}
