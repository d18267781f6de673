package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.client.ApiConnection;
import io.github.reconciler4j.client.ApiRequest;
import io.github.reconciler4j.client.Discovery.ServedKind;
import io.github.reconciler4j.client.NotFoundException;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Asks an API server what it serves, by the documents of one group and one version, which every server has and which
 * are small; the aggregated documents hold all groups, a hundred times as much as an operator needs.
 */
final class DiscoveryRequests {

    private final ApiConnection connection;
    private final ObjectCodec codec;

    DiscoveryRequests(ApiConnection connection) {
        this.connection = connection;
        this.codec = new ObjectCodec(connection.mapper());
    }

    /** The versions of a group, the preferred one first; empty if there is no such group. */
    List<String> versions(String group) {
        String path = group.isEmpty() ? "/api" : "/apis/" + group;
        JsonNode document = document(path);
        List<String> versions = new ArrayList<>();
        if (group.isEmpty()) {
            document.path("versions").forEach(v -> versions.add(v.asText()));
            return List.copyOf(versions);
        }
        String preferred = document.path("preferredVersion").path("version").asText("");
        document.path("versions").forEach(v -> versions.add(v.path("version").asText()));
        if (versions.remove(preferred)) {
            versions.add(0, preferred);
        }
        return List.copyOf(versions);
    }

    /** The kinds of a group and version by name; empty if it is not served. */
    Map<String, ServedKind> kinds(String group, String version) {
        String path = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        JsonNode resources = document(path).path("resources");
        Map<String, Set<String>> subresources = new HashMap<>();
        for (JsonNode resource : resources) {
            String[] name = resource.path("name").asText().split("/", 2);
            if (name.length == 2) {
                subresources.computeIfAbsent(name[0], n -> new HashSet<>()).add(name[1]);
            }
        }
        Map<String, ServedKind> kinds = new HashMap<>();
        for (JsonNode resource : resources) {
            if (!resource.path("name").asText().contains("/")) {
                ServedKind kind = kind(group, version, resource, subresources);
                kinds.putIfAbsent(kind.info().kind().kind(), kind);
            }
        }
        return Map.copyOf(kinds);
    }

    private static ServedKind kind(
            String group, String version, JsonNode resource, Map<String, Set<String>> subresources) {
        String plural = resource.path("name").asText();
        Set<String> verbs = new HashSet<>();
        resource.path("verbs").forEach(verb -> verbs.add(verb.asText()));
        KindInfo info = new KindInfo(
                new GroupVersionKind(group, version, resource.path("kind").asText()),
                plural,
                resource.path("namespaced").asBoolean());
        return new ServedKind(info, subresources.getOrDefault(plural, Set.of()), verbs);
    }

    private JsonNode document(String path) {
        ApiRequest request = ApiRequest.of("discover", "GET", path);
        try {
            return codec.readTree(connection.send(request).body(), "discover " + path);
        } catch (NotFoundException e) {
            return codec.mapper().createObjectNode();
        }
    }
}
