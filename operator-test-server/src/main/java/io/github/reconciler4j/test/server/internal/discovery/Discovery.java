package io.github.reconciler4j.test.server.internal.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.server.internal.exchange.Response;
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
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Serves the groups, versions and resources of the registry. Safe for use by multiple threads. */
public final class Discovery {
    private final Registry registry;

    public Discovery(Registry registry) {
        this.registry = registry;
    }

    /** Return the response for {@code /api} and {@code /apis} and what is directly below them. */
    public Response answer(ApiRequest request, List<String> path) {
        boolean core = path.get(0).equals("api");
        if (path.size() == 1) {
            AggregatedDiscovery aggregated = AggregatedDiscovery.wanted(request, registry);
            if (aggregated != null) {
                return aggregated.answer(core);
            }
            View.of(request); // refuses what it cannot be
            return Response.json(200, core ? coreVersions() : groups());
        }
        String group = core ? "" : path.get(1);
        List<String> versions = registry.versions(group);
        if (versions.isEmpty()) {
            return Response.text(404, "404 page not found\n");
        }
        if (!core && path.size() == 2) {
            ObjectNode response = Json.object().put("kind", "APIGroup").put("apiVersion", "v1");
            response.setAll(group(group, versions));
            return Response.json(200, response);
        }
        String version = path.get(core ? 1 : 2);
        if (!versions.contains(version)) {
            throw StatusException.noSuchPath();
        }
        return Response.json(200, resources(group, version));
    }

    private static ObjectNode coreVersions() {
        ObjectNode response = Json.object();
        response.put("kind", "APIVersions");
        response.putArray("versions").add("v1");
        response.putArray("serverAddressByClientCIDRs")
                .addObject()
                .put("clientCIDR", "0.0.0.0/0")
                .put("serverAddress", "127.0.0.1");
        return response;
    }

    private ObjectNode groups() {
        ObjectNode response = Json.object();
        response.put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode list = response.putArray("groups");
        for (String group : groupNames(registry)) {
            if (!group.isEmpty()) {
                list.add(group(group, registry.versions(group)));
            }
        }
        return response;
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
        ObjectNode response = Json.object();
        response.put("kind", "APIResourceList");
        if (!group.isEmpty()) {
            response.put("apiVersion", "v1");
        }
        response.put("groupVersion", group.isEmpty() ? version : group + "/" + version);
        ArrayNode list = response.putArray("resources");
        for (ResourceType type : registry.all()) {
            if (type.group().equals(group) && type.version().equals(version)) {
                list.add(resource(type));
                type.subresources().values().forEach(subresource -> list.add(part(type, subresource)));
            }
        }
        return response;
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

    /** Discovery in one document, which newer clients ask for. */
    private static final class AggregatedDiscovery {
        private final Registry registry;
        private final String version;

        private AggregatedDiscovery(Registry registry, String version) {
            this.registry = registry;
            this.version = version;
        }

        /** Return the form that the request prefers, or null when it wants the plain documents. */
        static @Nullable AggregatedDiscovery wanted(ApiRequest request, Registry registry) {
            for (String clause : request.header("accept").split(",")) {
                String form = clause.replace(" ", "").toLowerCase(Locale.ROOT);
                if (form.equals("application/json")) {
                    return null;
                }
                boolean aggregated = form.startsWith("application/json;") && form.contains("as=apigroupdiscoverylist");
                for (String version : List.of("v2", "v2beta1")) {
                    if (aggregated && List.of(form.split(";")).contains("v=" + version)) {
                        return new AggregatedDiscovery(registry, version);
                    }
                }
            }
            return null;
        }

        Response answer(boolean core) {
            ObjectNode list = Json.object();
            list.put("kind", "APIGroupDiscoveryList").put("apiVersion", "apidiscovery.k8s.io/" + version);
            list.putObject("metadata");
            ArrayNode items = list.putArray("items");
            for (String group : Discovery.groupNames(registry)) {
                if (group.isEmpty() == core) {
                    items.add(group(group));
                }
            }
            String contentType = Response.JSON + ";g=apidiscovery.k8s.io;v=" + version + ";as=APIGroupDiscoveryList";
            return new Response.Whole(200, contentType, List.of(), List.of(Json.bytes(list)));
        }

        private ObjectNode group(String name) {
            ObjectNode group = Json.object();
            ObjectNode metadata = group.putObject("metadata");
            if (!name.isEmpty()) {
                metadata.put("name", name);
            }
            metadata.putNull("creationTimestamp");
            ArrayNode versions = group.putArray("versions");
            for (String each : registry.versions(name)) {
                ObjectNode entry = versions.addObject().put("version", each);
                ArrayNode resources = entry.putArray("resources");
                for (ResourceType type : registry.all()) {
                    if (type.group().equals(name) && type.version().equals(each)) {
                        resources.add(resource(type));
                    }
                }
                entry.put("freshness", "Current");
            }
            return group;
        }

        private static ObjectNode resource(ResourceType type) {
            ObjectNode resource = Json.object();
            resource.put("resource", type.plural());
            resource.set("responseKind", kind(type.group(), type.version(), type.kind()));
            resource.put("scope", type.namespaced() ? "Namespaced" : "Cluster");
            resource.put("singularResource", type.names().singular());
            resource.set("verbs", Json.strings(type.verbs()));
            if (!type.names().shortNames().isEmpty()) {
                resource.set("shortNames", Json.strings(type.names().shortNames()));
            }
            if (!type.names().categories().isEmpty()) {
                resource.set("categories", Json.strings(type.names().categories()));
            }
            if (!type.subresources().isEmpty()) {
                ArrayNode parts = resource.putArray("subresources");
                type.subresources().values().forEach(part -> parts.add(part(type, part)));
            }
            return resource;
        }

        private static ObjectNode part(ResourceType type, Subresource part) {
            boolean own = part.version().isEmpty();
            ObjectNode tree = Json.object().put("subresource", part.name());
            tree.set(
                    "responseKind",
                    kind(own ? type.group() : part.group(), own ? type.version() : part.version(), part.kind()));
            tree.set("verbs", Json.strings(part.verbs()));
            return tree;
        }

        private static ObjectNode kind(String group, String version, String kind) {
            return Json.object().put("group", group).put("version", version).put("kind", kind);
        }
    }
}
