package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * The built-in types of a real API server: its OpenAPI v3 schemas and its discovery, recorded as data
 * ({@code dev/built-in-types} renews them). Loaded once, when first needed; descriptions only when they are asked for.
 * Immutable and safe for use by multiple threads.
 */
public final class BuiltInTypes {

    /** Name of the schema of {@code metadata}. */
    public static final String OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** Loads on first use. */
    private static final class Holder {
        static final BuiltInTypes TYPES = new BuiltInTypes(load("built-in-types.json.gz"));
    }

    /** Loads on first use. */
    private static final class Descriptions {
        static final JsonNode TEXTS = load("built-in-descriptions.json.gz");
    }

    private final JsonNode data;
    private final TypeSchemaReader reader;
    private final Map<String, String> names = new HashMap<>();

    private BuiltInTypes(JsonNode data) {
        this.data = data;
        JsonNode schemas = data.path("schemas");
        this.reader = new TypeSchemaReader(schemas::get, true);
        for (Map.Entry<String, JsonNode> schema : schemas.properties()) {
            for (JsonNode kind : schema.getValue().path("x-kubernetes-group-version-kind")) {
                names.put(
                        key(
                                apiVersion(
                                        kind.path("group").asText(),
                                        kind.path("version").asText()),
                                kind.path("kind").asText()),
                        schema.getKey());
            }
        }
    }

    public static BuiltInTypes get() {
        return Holder.TYPES;
    }

    private static JsonNode load(String resource) {
        try (InputStream packed = BuiltInTypes.class.getResourceAsStream(resource)) {
            if (packed == null) {
                throw new IllegalStateException("'" + resource + "' is missing on the class path");
            }
            try (InputStream stream = new GZIPInputStream(packed)) {
                return MAPPER.readTree(stream);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read '" + resource + "'", e);
        }
    }

    private static String key(String apiVersion, String kind) {
        return apiVersion + " " + kind;
    }

    private static String apiVersion(String group, String version) {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Return the version of the recorded server, such as {@code v1.37.2}. */
    public String serverVersion() {
        return data.path("serverVersion").asText();
    }

    /** Return the type of a kind for merging; empty for kinds that are not built in. */
    public Optional<TypeSchema> typeSchema(String apiVersion, String kind) {
        return Optional.ofNullable(names.get(key(apiVersion, kind))).map(reader::named);
    }

    /** Return the name of the OpenAPI schema of a kind; empty for kinds that are not built in. */
    public Optional<String> schemaName(String apiVersion, String kind) {
        return Optional.ofNullable(names.get(key(apiVersion, kind)));
    }

    /** Return all OpenAPI v3 schemas by name, without descriptions. Do not change what is returned. */
    public JsonNode schemas() {
        return data.path("schemas");
    }

    /**
     * Return the server's discovery of built-in resources: groups as in {@code APIGroupDiscoveryList}, the core group
     * first. Do not change what is returned.
     */
    public JsonNode discovery() {
        return data.path("discovery");
    }

    /**
     * Return the descriptions of a schema: its own below the empty name, those of its fields below their names. Do not
     * change what is returned.
     */
    public JsonNode descriptions(String schema) {
        return Descriptions.TEXTS.path(schema);
    }
}
