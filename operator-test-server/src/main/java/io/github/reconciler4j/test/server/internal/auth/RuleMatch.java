package io.github.reconciler4j.test.server.internal.auth;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import java.util.List;

/** Whether a rule of a role covers what somebody wants. */
final class RuleMatch {
    private static final String ALL = "*";

    private RuleMatch() {}

    static boolean covers(JsonNode rule, AccessRequest request) {
        if (!has(Json.texts(rule, "verbs"), request.verb())) {
            return false;
        }
        return request.isResource() ? coversResource(rule, request) : coversPath(rule, request.path());
    }

    private static boolean coversResource(JsonNode rule, AccessRequest request) {
        List<String> names = Json.texts(rule, "resourceNames");
        return has(Json.texts(rule, "apiGroups"), request.group())
                && Json.texts(rule, "resources").stream().anyMatch(resource -> coversName(resource, request))
                && (names.isEmpty() || names.contains(request.name()));
    }

    private static boolean coversName(String rule, AccessRequest request) {
        return rule.equals(ALL)
                || rule.equals(request.fullResource())
                || !request.subresource().isEmpty() && rule.equals(ALL + "/" + request.subresource());
    }

    private static boolean coversPath(JsonNode rule, String path) {
        return Json.texts(rule, "nonResourceURLs").stream()
                .anyMatch(url ->
                        url.equals(path) || url.endsWith(ALL) && path.startsWith(url.substring(0, url.length() - 1)));
    }

    private static boolean has(List<String> values, String value) {
        return values.contains(ALL) || values.contains(value);
    }
}
