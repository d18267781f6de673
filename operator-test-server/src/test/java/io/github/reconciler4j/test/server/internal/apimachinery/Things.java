package io.github.reconciler4j.test.server.internal.apimachinery;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.StructuralSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/** A custom resource with every kind of list and map. */
public final class Things {

    /** Where its objects are, in the default namespace. */
    public static final String PATH = "/apis/trees.example.com/v1/namespaces/default/things";

    /** Its definition. */
    public static final JsonNode DEFINITION = read("things.json");

    /** Its schema. */
    public static final JsonNode SCHEMA = DEFINITION.at("/spec/versions/0/schema/openAPIV3Schema");

    /** Its type for merging. */
    public static final TypeSchema TYPE = StructuralSchema.of(SCHEMA).typeSchema();

    /** What its main endpoint ignores. */
    public static final List<List<String>> RESET_FIELDS = List.of(List.of("status"));

    /** What its status endpoint ignores. */
    public static final List<List<String>> STATUS_RESET_FIELDS = List.of(List.of("metadata"), List.of("spec"));

    private Things() {}

    /** Reads a file beside this class. */
    public static JsonNode read(String resource) {
        try (InputStream stream = Things.class.getResourceAsStream(resource)) {
            return JsonMapper.builder().build().readTree(stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes an object; the text is the inside of its {@code spec}. */
    public static ObjectNode of(String name, String spec) {
        return (ObjectNode) TestJson.of("{apiVersion: 'trees.example.com/v1', kind: 'Thing', metadata: {name: '" + name
                + "'}, spec: {" + spec + "}}");
    }

    /** Installs the definition and waits until the server serves it. */
    public static void install(RealApi api) {
        define(api, DEFINITION, PATH);
    }

    /** Installs a definition and waits until the server lists its objects. */
    public static void define(RealApi api, JsonNode definition, String path) {
        RealApi.Answer answer = api.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
        if (answer.status() != 201) {
            throw new IllegalStateException(answer.message());
        }
        await("the server serves " + path)
                .atMost(Duration.ofSeconds(60))
                .until(() ->
                        api.get(path).status() == 200 && api.get("/openapi/v3").status() == 200);
    }
}
