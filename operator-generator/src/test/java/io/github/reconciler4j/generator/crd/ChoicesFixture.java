package io.github.reconciler4j.generator.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.reconciler4j.generator.crd.model.Choices;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What annotations with rules do where there can be many values, on any API server. */
abstract class ChoicesFixture {

    private static final Map<String, Object> VALUES =
            Map.of("a", "x".repeat(300), "b", List.of("y"), "c", 3, "d", Map.of("k", "v"));

    private final KubernetesClient client;

    ChoicesFixture(KubernetesClient client) {
        this.client = client;
    }

    static void install(KubernetesClient client) {
        Map<String, Object> definition = CrdGeneratorTests.generate(CrdOptions.defaults(), Choices.class)
                .definitions()
                .get(0);
        client.resource(Yaml.write(definition)).serverSideApply();
        CrdBehaviorFixture.awaitServed(client, "choices.example.com");
    }

    @Test
    void choiceWhenAnyFieldsAreSetCountsThem() {
        for (int set = 0; set < 16; set++) {
            Map<String, Object> fields = new LinkedHashMap<>();
            for (int i = 0; i < 4; i++) {
                String name = "abcd".substring(i, i + 1);
                if ((set & 1 << i) != 0) {
                    fields.put(name, VALUES.get(name));
                }
            }
            int number = fields.size();
            check("exactly", List.of(fields), number == 1, "exactly one of a, b, c, d must be set");
            check("atMost", Map.of("k", fields), number <= 1, "at most one of a, b, c, d must be set");
            check("atLeast", List.of(fields), number >= 1, "at least one of a, b, c, d must be set");
        }
    }

    @Test
    void choiceWhenItHasEightFieldsAllowsEachAlone() {
        for (String name : "abcdefgh".split("")) {
            check("many", List.of(Map.of(name, "x")), true, "");
            check("many", List.of(Map.of(name, "x", name.equals("a") ? "h" : "a", "y")), false, "exactly one of a, b");
        }
        check("many", List.of(Map.of()), false, "exactly one of a, b, c, d, e, f, g, h must be set");
    }

    private void check(String field, Object value, boolean allowed, String message) {
        GenericKubernetesResource object = object("choice", Map.of(field, value));
        if (allowed) {
            assertThat(client.resource(object).inNamespace("default").dryRun().create())
                    .as("%s: %s", field, value)
                    .isNotNull();
        } else {
            assertThatThrownBy(() -> client.resource(object)
                            .inNamespace("default")
                            .dryRun()
                            .create())
                    .as("%s: %s", field, value)
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining(message);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                 |
            {number: 3}                        | parts[0].number.*number is immutable
            {number: null}                     | parts[0].*number is immutable
            {size: other}                      | parts[0].size.*size is immutable
            {size: null}                       | parts[0].size.*size is immutable
            {words: [a]}                       | parts[0].words.*words stay
            {words: null}                      | parts[0].words.*words stay
            {labels: {a: b, c: d}}             | parts[0].labels.*labels is immutable
            {name: q, size: other, number: 9}  |
            """)
    void itemWhenAnImmutableFieldChangesIsRefused(String change, String refusal) {
        Map<String, Object> part = new LinkedHashMap<>(
                Map.of("name", "p", "size", "s", "words", List.of("a", "b"), "number", 2, "labels", Map.of("a", "b")));
        GenericKubernetesResource object = object("immutable", Map.of("parts", List.of(part)));
        object = client.resource(object).inNamespace("default").unlock().createOr(found -> found.update());
        Map<?, ?> changes = (Map<?, ?>) Yaml.readValue(change, "test");
        changes.forEach((key, value) -> part.put(String.valueOf(key), value));
        part.values().removeIf(value -> value == null);
        GenericKubernetesResource changed = object("immutable", Map.of("parts", List.of(part)));
        changed.getMetadata().setResourceVersion(object.getMetadata().getResourceVersion());

        if (refusal == null) {
            assertThat(client.resource(changed).inNamespace("default").dryRun().update())
                    .isNotNull();
        } else {
            assertThatThrownBy(() -> client.resource(changed)
                            .inNamespace("default")
                            .dryRun()
                            .update())
                    .hasMessageMatching("(?s).*\\Qspec." + refusal.replace(".*", "\\E.*\\Q") + "\\E.*");
        }
    }

    private static GenericKubernetesResource object(String name, Map<String, Object> spec) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setApiVersion("example.com/v1");
        object.setKind("Choices");
        object.setMetadata(new ObjectMetaBuilder().withName(name).build());
        object.setAdditionalProperty("spec", spec);
        return object;
    }
}
