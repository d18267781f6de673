package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.CelNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Values inside of schemas, and names in their rules. */
final class SchemaValues {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private SchemaValues() {}

    static List<JsonNode> nodes(String... values) {
        return Arrays.stream(values)
                .<JsonNode>map(JsonNodeFactory.instance::textNode)
                .toList();
    }

    static JsonNode node(String yaml, String origin) {
        return MAPPER.valueToTree(Yaml.readValue(yaml, origin));
    }

    static void addRule(JSONSchemaProps schema, String expression, String message) {
        if (schema.getXKubernetesValidations().stream().anyMatch(rule -> expression.equals(rule.getRule()))) {
            return;
        }
        ValidationRule rule = new ValidationRule();
        rule.setRule(expression);
        rule.setMessage(message);
        List<ValidationRule> rules = new ArrayList<>(schema.getXKubernetesValidations());
        rules.add(rule);
        schema.setXKubernetesValidations(rules);
    }

    /** The name of a property in a rule: what is no identifier of CEL is spelled out. */
    static String celName(String property) {
        return CelNames.escaped(property).orElse(property);
    }
}
