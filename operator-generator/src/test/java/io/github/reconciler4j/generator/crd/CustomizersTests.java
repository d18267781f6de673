package io.github.reconciler4j.generator.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.crd.Immutable;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What customizers of classes see and keep, and which description counts. */
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
}
