package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.OwnerRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An {@link ObjectHeader} read from JSON. */
record MetadataHeader(
        ObjectKey key,
        String uid,
        String resourceVersion,
        long generation,
        Map<String, String> labels,
        Map<String, String> annotations,
        List<OwnerRef> ownerReferences,
        List<String> finalizers,
        String creationTimestamp,
        @Nullable String deletionTimestamp)
        implements ObjectHeader {

    /** Reads the {@code metadata} of an object. */
    static MetadataHeader of(JsonNode metadata) {
        return new MetadataHeader(
                new ObjectKey(text(metadata, "namespace"), text(metadata, "name")),
                text(metadata, "uid"),
                text(metadata, "resourceVersion"),
                metadata.path("generation").asLong(0),
                strings(metadata.path("labels")),
                strings(metadata.path("annotations")),
                owners(metadata.path("ownerReferences")),
                list(metadata.path("finalizers")),
                text(metadata, "creationTimestamp"),
                metadata.hasNonNull("deletionTimestamp") ? text(metadata, "deletionTimestamp") : null);
    }

    private static String text(JsonNode node, String field) {
        return Objects.requireNonNullElse(node.path(field).asText(""), "");
    }

    private static Map<String, String> strings(JsonNode node) {
        Map<String, String> map = new LinkedHashMap<>();
        node.properties().forEach(e -> map.put(e.getKey(), e.getValue().asText()));
        return Map.copyOf(map);
    }

    private static List<String> list(JsonNode node) {
        List<String> list = new ArrayList<>();
        node.forEach(e -> list.add(e.asText()));
        return List.copyOf(list);
    }

    private static List<OwnerRef> owners(JsonNode node) {
        List<OwnerRef> owners = new ArrayList<>();
        for (JsonNode o : node) {
            owners.add(new OwnerRef(
                    text(o, "apiVersion"),
                    text(o, "kind"),
                    text(o, "name"),
                    text(o, "uid"),
                    o.path("controller").asBoolean(false)));
        }
        return List.copyOf(owners);
    }
}
