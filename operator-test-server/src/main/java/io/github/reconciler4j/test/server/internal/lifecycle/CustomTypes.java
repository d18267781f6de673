package io.github.reconciler4j.test.server.internal.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.StructuralSchema;
import io.github.reconciler4j.test.server.internal.registry.Conversion;
import io.github.reconciler4j.test.server.internal.registry.CustomSchema;
import io.github.reconciler4j.test.server.internal.registry.CustomVersion;
import io.github.reconciler4j.test.server.internal.registry.KindNames;
import io.github.reconciler4j.test.server.internal.registry.Registry.VersionOrder;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.registry.ResourceType.Trait;
import io.github.reconciler4j.test.server.internal.registry.Subresource;
import io.github.reconciler4j.test.server.internal.webhook.WebhookCaller;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the kinds that a CustomResourceDefinition makes. */
final class CustomTypes {
    private static final List<String> VERBS =
            List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");

    private CustomTypes() {}

    static List<ResourceType> of(ObjectNode definition, WebhookCaller caller) {
        List<ResourceType> types = new ArrayList<>();
        String storage = "";
        Map<String, StructuralSchema> schemas = new HashMap<>();
        for (JsonNode version : Json.items(definition, "spec", "versions")) {
            String name = Json.text(version, "name");
            storage = version.path("storage").asBoolean() ? name : storage;
            JsonNode schema = Json.at(version, "schema", "openAPIV3Schema");
            if (schema != null) {
                schemas.put(name, StructuralSchema.of(schema));
            }
        }
        Conversion conversion = WebhookConversion.of(definition, caller);
        for (JsonNode version : Json.items(definition, "spec", "versions")) {
            if (version.path("served").asBoolean()) {
                CustomSchema schema = schema(definition, version, storage, schemas);
                types.add(type(definition, version, storage, custom(definition, version, schema, conversion)));
            }
        }
        return types;
    }

    private static ResourceType type(ObjectNode definition, JsonNode version, String storage, CustomVersion custom) {
        KindNames names = names(definition);
        Map<String, Subresource> subresources = new LinkedHashMap<>();
        if (Json.at(version, "subresources", "status") != null) {
            subresources.put("status", Subresource.status(names.kind()));
        }
        if (Json.at(version, "subresources", "scale") != null) {
            subresources.put("scale", Subresource.scale());
        }
        return new ResourceType(
                Json.text(definition, "spec", "group"),
                Json.text(version, "name"),
                names,
                Json.text(definition, "spec", "scope").equals("Namespaced"),
                VERBS,
                subresources,
                EnumSet.of(Trait.CONDITIONAL, Trait.GENERATION),
                storage,
                custom);
    }

    private static CustomVersion custom(
            ObjectNode definition, JsonNode version, @Nullable CustomSchema schema, @Nullable Conversion conversion) {
        List<String> selectable = new ArrayList<>();
        Json.items(version, "selectableFields").forEach(field -> selectable.add(Json.text(field, "jsonPath")));
        return new CustomVersion(
                Json.text(definition, "metadata", "name"),
                Json.text(definition, "metadata", "resourceVersion"),
                schema,
                Json.items(version, "additionalPrinterColumns"),
                selectable,
                Json.at(version, "subresources", "scale"),
                Json.at(definition, "metadata", "deletionTimestamp") != null,
                warning(definition, version),
                conversion);
    }

    private static @Nullable CustomSchema schema(
            ObjectNode definition, JsonNode version, String storage, Map<String, StructuralSchema> schemas) {
        String name = Json.text(version, "name");
        long since = Long.parseLong(Json.text(definition, "metadata", "resourceVersion"));
        return schemas.containsKey(name) ? new CustomSchema(schemas, name, storage, since) : null;
    }

    private static String warning(ObjectNode definition, JsonNode version) {
        if (!version.path("deprecated").asBoolean()) {
            return "";
        }
        String own = Json.text(version, "deprecationWarning");
        if (!own.isEmpty()) {
            return own;
        }
        String name = Json.text(version, "name");
        return Json.items(definition, "spec", "versions").stream()
                .filter(other -> other.path("served").asBoolean()
                        && !other.path("deprecated").asBoolean())
                .map(other -> Json.text(other, "name"))
                .filter(other -> VersionOrder.INSTANCE.compare(other, name) < 0)
                .min(VersionOrder.INSTANCE)
                .map(better -> named(definition, name) + " is deprecated; use " + named(definition, better))
                .orElse(named(definition, name) + " is deprecated");
    }

    private static String named(ObjectNode definition, String version) {
        return Json.text(definition, "spec", "group") + "/" + version + " "
                + Json.text(definition, "spec", "names", "kind");
    }

    private static KindNames names(ObjectNode definition) {
        JsonNode names = Json.at(definition, "spec", "names");
        String kind = Json.text(names, "kind");
        String listKind = Json.text(names, "listKind");
        String singular = Json.text(names, "singular");
        return new KindNames(
                kind,
                listKind.isEmpty() ? kind + "List" : listKind,
                Json.text(names, "plural"),
                singular.isEmpty() ? kind.toLowerCase(Locale.ROOT) : singular,
                Json.texts(names, "shortNames"),
                Json.texts(names, "categories"));
    }
}
