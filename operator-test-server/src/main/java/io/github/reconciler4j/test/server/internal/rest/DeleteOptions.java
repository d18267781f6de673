package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.exchange.Query;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Options of a deletion.
 *
 * @param grace seconds the object may take to end; null for what its kind says
 * @param propagation {@code Foreground}, {@code Background} or {@code Orphan}; empty for what its kind says
 * @param uid the identity it must have; empty for any
 * @param resourceVersion the version it must have; empty for any
 * @param dryRun whether everything happens but the removal itself
 */
public record DeleteOptions(
        @Nullable Long grace, String propagation, String uid, String resourceVersion, boolean dryRun) {
    private static final String KIND = "DeleteOptions";
    private static final List<String> POLICIES = List.of("Foreground", "Background", "Orphan");

    /** Return the way dependents are to be treated, and nothing else. */
    public static DeleteOptions propagating(String propagation) {
        return new DeleteOptions(null, propagation, "", "", false);
    }

    /** Return the same, for an object of this identity only. */
    public DeleteOptions of(String onlyUid) {
        return new DeleteOptions(grace, propagation, onlyUid, resourceVersion, dryRun);
    }

    /** Return the same, for any version of the object. */
    DeleteOptions ofAnyVersion() {
        return new DeleteOptions(grace, propagation, uid, "", dryRun);
    }

    /** Return the options as admission sees them. */
    ObjectNode tree() {
        ObjectNode tree = Json.object().put("kind", KIND).put("apiVersion", "meta.k8s.io/v1");
        if (grace != null) {
            tree.put("gracePeriodSeconds", grace);
        }
        if (!uid.isEmpty()) {
            Json.child(tree, "preconditions").put("uid", uid);
        }
        if (!resourceVersion.isEmpty()) {
            Json.child(tree, "preconditions").put("resourceVersion", resourceVersion);
        }
        if (!propagation.isEmpty()) {
            tree.put("propagationPolicy", propagation);
        }
        if (dryRun) {
            tree.putArray("dryRun").add("All");
        }
        return tree;
    }

    /** Read the options from a request's query, or from its body when it has one. */
    static DeleteOptions of(Query query, @Nullable JsonNode body) {
        DeleteOptions options = body == null ? ofQuery(query) : ofBody(query, body);
        if (!options.propagation.isEmpty() && !POLICIES.contains(options.propagation)) {
            throw WriteOptions.unsupported(
                    KIND,
                    "propagationPolicy",
                    FieldError.quoted(options.propagation),
                    "\"Foreground\", \"Background\", \"Orphan\", \"nil\"");
        }
        return options;
    }

    private static DeleteOptions ofQuery(Query query) {
        String orphan = query.first("orphanDependents");
        String said = orphan.isEmpty() ? "" : Boolean.toString(query.isTrue("orphanDependents"));
        return new DeleteOptions(
                query.first("gracePeriodSeconds").isEmpty() ? null : query.number("gracePeriodSeconds"),
                propagation(query.first("propagationPolicy"), said),
                "",
                "",
                query.has("dryRun"));
    }

    private static DeleteOptions ofBody(Query query, JsonNode body) {
        if (!body.isObject()) {
            throw Bodies.noObject(body);
        }
        String kind = Json.text(body, "kind");
        if (!kind.isEmpty() && !kind.equals("DeleteOptions")) {
            throw StatusException.badRequest("no kind \"" + kind + "\" is registered for version \""
                    + Json.text(body, "apiVersion") + "\" in scheme \"pkg/runtime/scheme.go:111\"");
        }
        List<String> stages = Json.texts(body, "dryRun");
        WriteOptions.checkDryRun(KIND, stages);
        JsonNode grace = Json.at(body, "gracePeriodSeconds");
        JsonNode orphan = Json.at(body, "orphanDependents");
        return new DeleteOptions(
                grace == null ? null : grace.longValue(),
                propagation(Json.text(body, "propagationPolicy"), orphan == null ? "" : orphan.asText()),
                Json.text(body, "preconditions", "uid"),
                Json.text(body, "preconditions", "resourceVersion"),
                query.has("dryRun") || !stages.isEmpty());
    }

    private static String propagation(String policy, String orphan) {
        if (orphan.isEmpty()) {
            return policy;
        }
        if (!policy.isEmpty()) {
            FieldError both = FieldError.invalid(
                    "propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set");
            throw StatusException.invalid("meta.k8s.io", KIND, "", List.of(both));
        }
        return orphan.equals("true") ? "Orphan" : "Background";
    }
}
