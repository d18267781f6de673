package io.github.reconciler4j.generator.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.crd.generator.annotation.PrinterColumn;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.crd.Immutable;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.support.KubernetesJson;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What customizers of classes see and keep, which description counts, and where columns point. */
@SuppressWarnings("serial")
class CustomizersTests {

    private static final String SCHEMA = "/spec/versions/0/schema/openAPIV3Schema";

    @Test
    void customizerWhenItAppendsToDescriptionsSeesThoseOfAnnotations() {
        JsonNode spec = schema(Appending.class).at("/properties/spec");

        assertThat(spec.at("/properties/own/description").asText()).isEqualTo("Own words, noted");
        assertThat(spec.at("/properties/number/format").asText()).isEqualTo("int32");
        assertThat(spec.at("/properties/number/description").asText()).isEqualTo("null, noted");
        assertThat(spec.at("/properties/part/properties/a/description").asText())
                .isEqualTo("An a, in a part");
        assertThat(spec.at("/properties/part/default/a").asText()).isEqualTo("x");
        assertThat(spec.at("/properties/parts/items/properties/a/description").asText())
                .isEqualTo("An a, in a part");
        assertThat(spec.at("/properties/byName/additionalProperties/properties/a/description")
                        .asText())
                .isEqualTo("An a, in a part");
        assertThat(spec.at("/properties/part/x-kubernetes-validations").toString())
                .contains("self.a != 'b'", "self.a != 'c'");
        assertThat(spec.toString()).doesNotContain("member:", "class io.");
    }

    @Test
    void customizerWhenItChangesTypesAndPropertiesIsKept() {
        JsonNode spec = schema(Changing.class).at("/properties/spec");

        assertThat(spec.path("description").asText()).isEqualTo("Of the customizer");
        assertThat(spec.at("/properties/number/format").asText()).isEqualTo("int64");
        assertThat(spec.at("/properties/text/type").asText()).isEqualTo("string");
        assertThat(spec.at("/properties/text/description").asText()).isEqualTo("Changed");
        assertThat(spec.at("/properties/added/type").asText()).isEqualTo("boolean");
        assertThat(spec.at("/properties/raw").toString())
                .isEqualTo("{\"type\":\"object\",\"x-kubernetes-preserve-unknown-fields\":true}");
        assertThat(spec.at("/required").toString()).contains("text");
    }

    @Test
    void customizerWhenOnTheKindIsKept() {
        assertThat(schema(OfKind.class).path("description").asText()).isEqualTo("Of the kind");
    }

    @Test
    void customizerWhenItFailsIsNamed() {
        assertThatThrownBy(() -> schema(Failing.class))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContainingAll("'.spec'", "Failing$Spec", "Fails", "correct it", "R4J-715");
    }

    @Test
    void descriptionWhenOfAClassIsKeptUnlessThePropertyHasOne() {
        JsonNode root = schema(Described.class);

        assertThat(root.path("description").asText()).isEqualTo("Words of the kind");
        assertThat(root.at("/properties/spec/description").asText()).isEqualTo("Words of the spec");
        assertThat(root.at("/properties/status/description").asText()).isEqualTo("Words of the status");
        assertThat(root.at("/properties/spec/properties/part/description").asText())
                .isEqualTo("Words of the part");
        assertThat(root.at("/properties/spec/properties/own/description").asText())
                .isEqualTo("Own words");
        assertThat(root.at("/properties/spec/properties/parts/items/description")
                        .asText())
                .isEqualTo("Words of the part");
        assertThat(root.at("/properties/spec/properties/color/description").asText())
                .isEqualTo("Words of the color");
    }

    @Test
    void columnsWhenOfAnyTypeAreValidAndPointToTheField() {
        JsonNode definition = definition(Columned.class);

        assertThat(definition.at("/spec/versions/0/additionalPrinterColumns"))
                .extracting(column -> column.path("jsonPath").asText() + " "
                        + column.path("type").asText())
                .containsExactlyInAnyOrder(
                        ".spec.quantity string",
                        ".spec.port string",
                        ".spec.any string",
                        ".spec.duration string",
                        ".spec.instant string",
                        ".spec.date string",
                        ".spec.part string",
                        ".spec.words string",
                        ".spec.items[*].name string",
                        ".spec.items[*].deep[*].count integer",
                        ".spec.flag boolean",
                        ".spec.ratio number");
        try (CrdVerifier verifier = new CrdVerifier()) {
            verifier.verify(
                    KubernetesJson.mapper().convertValue(definition, new TypeReference<Map<String, Object>>() {}));
        }
    }

    @Test
    void columnWhenInAMapIsRefused() {
        assertThatThrownBy(() -> definition(ColumnInMap.class))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContainingAll(
                        "'.spec.parts{}.name'",
                        "'name' of",
                        "@PrinterColumn",
                        "use @AdditionalPrinterColumn",
                        "R4J-715");
    }

    @Test
    void collectionsWhenUntypedKeepAnyContent() {
        JsonNode spec = schema(Loose.class).at("/properties/spec/properties");

        for (String list : List.of("objects", "wild", "rawList", "nodes", "array")) {
            assertThat(spec.path(list).path("type").asText()).as(list).isEqualTo("array");
            assertThat(spec.path(list)
                            .path("items")
                            .path("x-kubernetes-preserve-unknown-fields")
                            .asBoolean())
                    .as(list)
                    .isTrue();
        }
        for (String map : List.of("map", "rawMap", "wildMap", "nodeMap")) {
            assertThat(spec.path(map)
                            .path("additionalProperties")
                            .path("x-kubernetes-preserve-unknown-fields")
                            .asBoolean())
                    .as(map)
                    .isTrue();
        }
        assertThat(spec.path("any").path("x-kubernetes-preserve-unknown-fields").asBoolean())
                .isTrue();
        assertThat(spec.path("node")
                        .path("x-kubernetes-preserve-unknown-fields")
                        .asBoolean())
                .isTrue();
    }

    private static JsonNode schema(Class<? extends HasMetadata> kind) {
        return definition(kind).at(SCHEMA);
    }

    private static JsonNode definition(Class<? extends HasMetadata> kind) {
        return KubernetesJson.mapper().valueToTree(CrdGenerator.checked(kind, CrdOptions.defaults()));
    }

    static class Notes implements SchemaCustomizer.Customizer {
        @Override
        public JSONSchemaProps apply(JSONSchemaProps schema, String input, KubernetesSerialization serialization) {
            schema.getProperties().values().forEach(each -> each.setDescription(each.getDescription() + input));
            return schema;
        }
    }

    static class Changes implements SchemaCustomizer.Customizer {
        @Override
        public JSONSchemaProps apply(JSONSchemaProps schema, String input, KubernetesSerialization serialization) {
            schema.setDescription("Of the customizer");
            schema.getProperties().get("number").setFormat("int64");
            schema.getProperties().get("text").setDescription("Changed");
            JSONSchemaProps added = new JSONSchemaProps();
            added.setType("boolean");
            schema.getProperties().put("added", added);
            schema.getProperties().remove("gone");
            schema.setXKubernetesPreserveUnknownFields(true);
            return schema;
        }
    }

    static class Fails implements SchemaCustomizer.Customizer {
        @Override
        public JSONSchemaProps apply(JSONSchemaProps schema, String input, KubernetesSerialization serialization) {
            throw new IllegalStateException("no");
        }
    }

    @Group("example.com")
    @Version("v1")
    static class Appending extends CustomResource<Appending.Spec, Void> {
        @SchemaCustomizer(value = Notes.class, input = ", noted")
        static class Spec {
            @JsonPropertyDescription("Own words")
            public String own;

            public int number;

            @Default("{\"a\": \"x\"}")
            @ValidationRule("self.a != 'c'")
            public Part part;

            public List<Part> parts;
            public Map<String, Part> byName;
        }

        @SchemaCustomizer(value = Notes.class, input = ", in a part")
        @ValidationRule("self.a != 'b'")
        static class Part {
            @Required
            @JsonPropertyDescription("An a")
            public String a;
        }
    }

    @Group("example.com")
    @Version("v1")
    static class Changing extends CustomResource<Changing.Spec, Void> {
        @SchemaCustomizer(Changes.class)
        static class Spec {
            public int number;

            @Required
            @Immutable
            public String text;

            public String gone;
            public Raw raw;
        }

        @SchemaCustomizer(
                value = SchemaCustomizer.RawCustomizer.class,
                input = "{\"type\": \"object\", \"x-kubernetes-preserve-unknown-fields\": true}")
        static class Raw {
            public String a;
        }
    }

    @Group("example.com")
    @Version("v1")
    @SchemaCustomizer(value = SchemaCustomizer.MergePatchCustomizer.class, input = "{\"description\": \"Of the kind\"}")
    static class OfKind extends CustomResource<Words, Void> {}

    @Group("example.com")
    @Version("v1")
    static class Failing extends CustomResource<Failing.Spec, Void> {
        @SchemaCustomizer(Fails.class)
        static class Spec {
            public String a;
        }
    }

    @JsonClassDescription("Words of the color")
    enum Color {
        RED
    }

    static class Words {
        public String text;
    }

    @Group("example.com")
    @Version("v1")
    @JsonClassDescription("Words of the kind")
    static class Described extends CustomResource<Described.Spec, Described.Status> {
        @JsonClassDescription("Words of the spec")
        static class Spec {
            public Part part;

            @JsonPropertyDescription("Own words")
            public Part own;

            public List<Part> parts;
            public Color color;
        }

        @JsonClassDescription("Words of the status")
        static class Status {
            public String a;
        }

        @JsonClassDescription("Words of the part")
        static class Part {
            public String a;
        }
    }

    static class Item {
        @PrinterColumn
        public String name;

        public List<Deep> deep;
    }

    static class Deep {
        @PrinterColumn
        public int count;
    }

    @Group("example.com")
    @Version("v1")
    static class Columned extends CustomResource<Columned.Spec, Void> {
        static class Spec {
            @PrinterColumn
            public Quantity quantity;

            @PrinterColumn
            public IntOrString port;

            @PrinterColumn
            public Object any;

            @PrinterColumn
            public Duration duration;

            @PrinterColumn
            public Instant instant;

            @PrinterColumn
            public LocalDate date;

            @PrinterColumn
            public Words part;

            @PrinterColumn
            public List<String> words;

            @PrinterColumn
            public boolean flag;

            @PrinterColumn
            public double ratio;

            public List<Item> items;
        }
    }

    @Group("example.com")
    @Version("v1")
    static class ColumnInMap extends CustomResource<ColumnInMap.Spec, Void> {
        static class Spec {
            public Map<String, Item> parts;
        }
    }

    @Group("example.com")
    @Version("v1")
    @SuppressWarnings("rawtypes")
    static class Loose extends CustomResource<Loose.Spec, Void> {
        static class Spec {
            public List<Object> objects;
            public List<?> wild;
            public List rawList;
            public List<JsonNode> nodes;
            public Object[] array;
            public Map<String, Object> map;
            public Map rawMap;
            public Map<String, ?> wildMap;
            public Map<String, JsonNode> nodeMap;
            public Object any;
            public JsonNode node;
        }
    }
}
