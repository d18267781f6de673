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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Values inside of schemas, and names in their rules. */
final class SchemaValues {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9]*");

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
        addRule(schema, expression, message, "");
    }

    /** Add a rule whose failure is reported at a field of the object; a name that is no path is left out. */
    static void addRule(JSONSchemaProps schema, String expression, String message, String field) {
        if (schema.getXKubernetesValidations().stream().anyMatch(rule -> expression.equals(rule.getRule()))) {
            return;
        }
        ValidationRule rule = new ValidationRule();
        rule.setRule(expression);
        rule.setMessage(message);
        if (PLAIN_NAME.matcher(field).matches()) {
            rule.setFieldPath("." + field);
        }
        List<ValidationRule> rules = new ArrayList<>(schema.getXKubernetesValidations());
        rules.add(rule);
        schema.setXKubernetesValidations(rules);
    }

    /** Add the rule of an annotation. */
    static void addRule(JSONSchemaProps schema, io.fabric8.generator.annotation.ValidationRule annotation) {
        ValidationRule rule = new ValidationRule();
        rule.setRule(annotation.value());
        rule.setReason(orNull(annotation.reason()));
        rule.setMessage(orNull(annotation.message()));
        rule.setMessageExpression(orNull(annotation.messageExpression()));
        rule.setFieldPath(orNull(annotation.fieldPath()));
        rule.setOptionalOldSelf(annotation.optionalOldSelf() ? true : null);
        List<ValidationRule> rules = new ArrayList<>(schema.getXKubernetesValidations());
        rules.add(rule);
        schema.setXKubernetesValidations(rules);
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    /** The name of a property in a rule: what is no identifier of CEL is spelled out. */
    static String celName(String property) {
        return CelNames.escaped(property).orElse(property);
    }
}
