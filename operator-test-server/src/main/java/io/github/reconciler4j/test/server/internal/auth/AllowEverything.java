package io.github.reconciler4j.test.server.internal.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import java.util.List;

/** Rights for everybody. */
final class AllowEverything implements Authorizer {
    @Override
    public boolean allows(AccessRequest request) {
        return true;
    }

    @Override
    public List<JsonNode> rules(User user, String namespace) {
        return all();
    }

    static List<JsonNode> all() {
        List<String> star = List.of("*");
        ObjectNode resources = Json.object();
        resources.set("verbs", Json.strings(star));
        resources.set("apiGroups", Json.strings(star));
        resources.set("resources", Json.strings(star));
        ObjectNode paths = Json.object();
        paths.set("verbs", Json.strings(star));
        paths.set("nonResourceURLs", Json.strings(star));
        return List.of(resources, paths);
    }
}
