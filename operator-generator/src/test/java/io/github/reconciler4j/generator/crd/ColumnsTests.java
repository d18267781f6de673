package io.github.reconciler4j.generator.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.crd.generator.annotation.PrinterColumn;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.support.KubernetesJson;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where printer columns point, and the items of collections without a type. */
@SuppressWarnings("serial")
class ColumnsTests {

    private static final String SCHEMA = "/spec/versions/0/schema/openAPIV3Schema";

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

    static class Words {
        public String text;
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
