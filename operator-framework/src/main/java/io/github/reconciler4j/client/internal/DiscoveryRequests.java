package io.github.reconciler4j.client.internal;

import io.github.reconciler4j.client.Discovery.ServedKind;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import java.io.IOException;
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

    DiscoveryRequests(ApiConnection connection) {
        this.connection = connection;
    }

    /** The versions of a group, the preferred one first; empty if there is no such group. */
    List<String> versions(String group) {
        String path = group.isEmpty() ? "/api" : "/apis/" + group;
        Map<String, Object> document = document(path);
        List<String> versions = new ArrayList<>();
        if (group.isEmpty()) {
            PlainJson.list(document, "versions").forEach(v -> versions.add(v.toString()));
            return List.copyOf(versions);
        }
        PlainJson.objects(document, "versions").forEach(v -> versions.add(PlainJson.text(v, "version")));
        String preferred =
                document.get("preferredVersion") instanceof Map<?, ?> version ? PlainJson.text(version, "version") : "";
        if (versions.remove(preferred)) {
            versions.add(0, preferred);
        }
        return List.copyOf(versions);
    }

    /** The kinds of a group and version by name; empty if it is not served. */
    Map<String, ServedKind> kinds(String group, String version) {
        String path = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        List<Map<?, ?>> resources = PlainJson.objects(document(path), "resources");
        Map<String, Set<String>> subresources = new HashMap<>();
        for (Map<?, ?> resource : resources) {
            String name = PlainJson.text(resource, "name");
            int slash = name.indexOf('/');
            if (slash >= 0) {
                subresources
                        .computeIfAbsent(name.substring(0, slash), n -> new HashSet<>())
                        .add(name.substring(slash + 1));
            }
        }
        Map<String, ServedKind> kinds = new HashMap<>();
        for (Map<?, ?> resource : resources) {
            if (PlainJson.text(resource, "name").indexOf('/') < 0) {
                ServedKind kind = kind(group, version, resource, subresources);
                kinds.putIfAbsent(kind.info().kind().kind(), kind);
            }
        }
        return Map.copyOf(kinds);
    }

    private static ServedKind kind(
            String group, String version, Map<?, ?> resource, Map<String, Set<String>> subresources) {
        String plural = PlainJson.text(resource, "name");
        Set<String> verbs = new HashSet<>();
        PlainJson.list(resource, "verbs").forEach(verb -> verbs.add(verb.toString()));
        KindInfo info = new KindInfo(
                new GroupVersionKind(group, version, PlainJson.text(resource, "kind")),
                plural,
                Boolean.TRUE.equals(resource.get("namespaced")));
        return new ServedKind(info, subresources.getOrDefault(plural, Set.of()), verbs);
    }

    private Map<String, Object> document(String path) {
        byte[] body;
        try {
            body = connection.send(ApiRequest.of("discover", "GET", path)).body();
        } catch (NotFoundException e) {
            return Map.of();
        }
        try {
            return PlainJson.object(body);
        } catch (IOException e) {
            throw new ApiException(
                    "discover " + path + ": the response is not JSON", ErrorDetails.of(0, "Undecodable"));
        }
    }
}
