package io.github.reconciler4j.test.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.internal.exchange.Query;
import io.github.reconciler4j.test.internal.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * How to delete.
 *
 * @param grace seconds the object may take to end; null for what its kind says
 * @param propagation {@code Foreground}, {@code Background} or {@code Orphan}; empty for what its kind says
 * @param uid the identity it must have; empty for any
 * @param resourceVersion the version it must have; empty for any
 * @param dryRun whether everything happens but the removal itself
 */
public record DeleteOptions(
        @Nullable Long grace, String propagation, String uid, String resourceVersion, boolean dryRun) {
    /** No wishes. */
    public static DeleteOptions plain() {
        return new DeleteOptions(null, "", "", "", false);
    }

    /** The way dependents are to be treated, and nothing else. */
    public static DeleteOptions propagating(String propagation) {
        return new DeleteOptions(null, propagation, "", "", false);
    }

    /** The same, for an object of this identity only. */
    public DeleteOptions of(String onlyUid) {
        return new DeleteOptions(grace, propagation, onlyUid, resourceVersion, dryRun);
    }

    /** Reads the options from a request's query, or from its body when it has one. */
    static DeleteOptions of(Query query, @Nullable JsonNode body) {
        if (body == null) {
            String grace = query.first("gracePeriodSeconds");
            return new DeleteOptions(
                    grace.isEmpty() ? null : Long.valueOf(grace),
                    propagation(query.first("propagationPolicy"), query.first("orphanDependents")),
                    "",
                    "",
                    query.has("dryRun"));
        }
        JsonNode grace = Json.at(body, "gracePeriodSeconds");
        JsonNode orphan = Json.at(body, "orphanDependents");
        return new DeleteOptions(
                grace == null ? null : grace.longValue(),
                propagation(Json.text(body, "propagationPolicy"), orphan == null ? "" : orphan.asText()),
                Json.text(body, "preconditions", "uid"),
                Json.text(body, "preconditions", "resourceVersion"),
                query.has("dryRun") || !Json.items(body, "dryRun").isEmpty());
    }

    private static String propagation(String policy, String orphan) {
        return switch (orphan) {
            case "true" -> "Orphan";
            case "false" -> "Background";
            default -> policy;
        };
    }
}
