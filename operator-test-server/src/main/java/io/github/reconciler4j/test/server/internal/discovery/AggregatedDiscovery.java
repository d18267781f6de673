package io.github.reconciler4j.test.server.internal.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.exchange.Answer;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.server.internal.registry.Registry;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.registry.Subresource;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Discovery in one document, which newer clients ask for. */
final class AggregatedDiscovery {
    private final Registry registry;
    private final String version;

    private AggregatedDiscovery(Registry registry, String version) {
        this.registry = registry;
        this.version = version;
    }

    /** The form that the request prefers, or null when it wants the plain documents. */
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

    Answer answer(boolean core) {
        ObjectNode list = Json.object();
        list.put("kind", "APIGroupDiscoveryList").put("apiVersion", "apidiscovery.k8s.io/" + version);
        list.putObject("metadata");
        ArrayNode items = list.putArray("items");
        for (String group : Discovery.groupNames(registry)) {
            if (group.isEmpty() == core) {
                items.add(group(group));
            }
        }
        String contentType = Answer.JSON + ";g=apidiscovery.k8s.io;v=" + version + ";as=APIGroupDiscoveryList";
        return new Answer.Whole(200, contentType, List.of(), List.of(Json.bytes(list)));
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
