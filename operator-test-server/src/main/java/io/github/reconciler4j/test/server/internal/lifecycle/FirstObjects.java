package io.github.reconciler4j.test.server.internal.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.rest.ObjectAccess;
import io.github.reconciler4j.test.server.internal.rest.WriteContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** What every new cluster has, from {@code first-objects.json}. Stateless; safe for use by multiple threads. */
final class FirstObjects {
    private static final JsonNode OBJECTS = read("first-objects.json");

    private FirstObjects() {}

    private static JsonNode read(String name) {
        try (InputStream text = FirstObjects.class.getResourceAsStream(name)) {
            return Json.parse(Objects.requireNonNull(text, name).readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void create(ObjectAccess access) {
        for (JsonNode object : OBJECTS) {
            String[] version = ("/" + Json.text(object, "apiVersion")).split("/");
            String group = version.length > 2 ? version[1] : "";
            ResourceType type = Objects.requireNonNull(
                    access.registry().findKind(group, version[version.length - 1], Json.text(object, "kind")));
            ObjectNode own = object.deepCopy();
            access.create(type, Json.text(own, "metadata", "namespace"), own, WriteContext.internal("kube-apiserver"));
        }
    }
}
