package io.github.reconciler4j.test.server.internal.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import java.util.List;

/** Decides whether a request is allowed. Safe for use by multiple threads. */
@FunctionalInterface
public interface Authorizer {
    boolean allows(AccessRequest request);

    /** Return the rules of a user in a namespace, in the form of roles. By default, everything is allowed. */
    default List<JsonNode> rules(User user, String namespace) {
        ObjectNode rule = Json.object();
        for (String field : List.of("verbs", "apiGroups", "resources")) {
            rule.putArray(field).add("*");
        }
        ObjectNode paths = Json.object();
        paths.putArray("verbs").add("*");
        paths.putArray("nonResourceURLs").add("*");
        return List.of(rule, paths);
    }
}
