package io.github.reconciler4j.test.server.internal.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.exchange.Answer;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.server.internal.registry.Registry;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.registry.Subresource;
import io.github.reconciler4j.test.server.internal.render.View;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells clients which groups, versions and resources there are. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class Discovery {
    private final Registry registry;

    /** Tells what the registry holds. */
    public Discovery(Registry registry) {
        this.registry = registry;
    }

    /** The answer for {@code /api} and {@code /apis} and what is directly below them. */
    public Answer answer(ApiRequest request, List<String> path) {
        boolean core = path.get(0).equals("api");
        if (path.size() == 1) {
            AggregatedDiscovery aggregated = AggregatedDiscovery.wanted(request, registry);
            if (aggregated != null) {
                return aggregated.answer(core);
            }
            View.of(request); // refuses what it cannot be
            return Answer.json(200, core ? coreVersions() : groups());
        }
        String group = core ? "" : path.get(1);
        List<String> versions = registry.versions(group);
        if (versions.isEmpty()) {
            return Answer.text(404, "404 page not found\n");
        }
        if (!core && path.size() == 2) {
            ObjectNode answer = Json.object().put("kind", "APIGroup").put("apiVersion", "v1");
            answer.setAll(group(group, versions));
            return Answer.json(200, answer);
        }
        String version = path.get(core ? 1 : 2);
        if (!versions.contains(version)) {
            throw StatusException.noSuchPath();
        }
        return Answer.json(200, resources(group, version));
    }

    private static ObjectNode coreVersions() {
        ObjectNode answer = Json.object();
        answer.put("kind", "APIVersions");
        answer.putArray("versions").add("v1");
        answer.putArray("serverAddressByClientCIDRs")
                .addObject()
                .put("clientCIDR", "0.0.0.0/0")
                .put("serverAddress", "127.0.0.1");
        return answer;
    }

    private ObjectNode groups() {
        ObjectNode answer = Json.object();
        answer.put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode list = answer.putArray("groups");
        for (String group : groupNames(registry)) {
            if (!group.isEmpty()) {
                list.add(group(group, registry.versions(group)));
            }
        }
        return answer;
    }

    static Set<String> groupNames(Registry registry) {
        Set<String> names = new LinkedHashSet<>();
        registry.all().forEach(type -> names.add(type.group()));
        return names;
    }

    private static ObjectNode group(String name, List<String> versions) {
        ObjectNode group = Json.object();
        group.put("name", name);
        ArrayNode list = group.putArray("versions");
        versions.forEach(version -> list.add(groupVersion(name, version)));
        group.set("preferredVersion", groupVersion(name, versions.get(0)));
        return group;
    }

    private static ObjectNode groupVersion(String group, String version) {
        return Json.object().put("groupVersion", group + "/" + version).put("version", version);
    }

    private ObjectNode resources(String group, String version) {
        ObjectNode answer = Json.object();
        answer.put("kind", "APIResourceList");
        if (!group.isEmpty()) {
            answer.put("apiVersion", "v1");
        }
        answer.put("groupVersion", group.isEmpty() ? version : group + "/" + version);
        ArrayNode list = answer.putArray("resources");
        for (ResourceType type : registry.all()) {
            if (type.group().equals(group) && type.version().equals(version)) {
                list.add(resource(type));
                type.subresources().values().forEach(subresource -> list.add(part(type, subresource)));
            }
        }
        return answer;
    }

    private static ObjectNode resource(ResourceType type) {
        ObjectNode resource = Json.object();
        resource.put("name", type.plural()).put("singularName", type.names().singular());
        resource.put("namespaced", type.namespaced()).put("kind", type.kind());
        resource.set("verbs", Json.strings(type.verbs()));
        if (!type.names().shortNames().isEmpty()) {
            resource.set("shortNames", Json.strings(type.names().shortNames()));
        }
        if (!type.names().categories().isEmpty()) {
            resource.set("categories", Json.strings(type.names().categories()));
        }
        if (type.verbs().contains("list")) {
            resource.put("storageVersionHash", StorageHash.of(type));
        }
        return resource;
    }

    private static ObjectNode part(ResourceType type, Subresource subresource) {
        ObjectNode part = Json.object();
        part.put("name", type.plural() + "/" + subresource.name()).put("singularName", "");
        part.put("namespaced", type.namespaced());
        if (!subresource.version().isEmpty()) {
            part.put("group", subresource.group()).put("version", subresource.version());
        }
        part.put("kind", subresource.kind());
        part.set("verbs", Json.strings(subresource.verbs()));
        return part;
    }

    /** The short text by which clients see that a resource is stored in another version than before. */
    private static final class StorageHash {
        private static final int BYTES = 8;

        private StorageHash() {}

        static String of(ResourceType type) {
            String what = type.group() + "/" + type.storageVersion() + "/" + type.kind();
            try {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(what.getBytes(StandardCharsets.UTF_8));
                return Base64.getEncoder().encodeToString(Arrays.copyOf(digest, BYTES));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JDK has SHA-256", e);
            }
        }
    }
}
