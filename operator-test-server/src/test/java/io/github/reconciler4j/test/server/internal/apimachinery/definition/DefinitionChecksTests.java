package io.github.reconciler4j.test.server.internal.apimachinery.definition;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.util.List;
import org.junit.jupiter.api.Test;

class DefinitionChecksTests {
    private static ObjectNode definition(String a) {
        return (ObjectNode)
                TestJson.of("{metadata: {name: 'beans.example.com'}, spec: {group: 'example.com', scope: 'Namespaced',"
                        + " conversion: {strategy: 'None'}, names: {plural: 'beans', singular: 'bean', kind: 'Bean', listKind:"
                        + " 'BeanList'}, versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type:"
                        + " 'object', properties: {a: " + a
                        + "}}}}]}, status: {storedVersions: ['v1'], conditions: [{type:"
                        + " 'Established', status: 'True'}]}}");
    }

    private static List<String> check(ObjectNode definition) {
        return DefinitionChecks.check(definition, null).stream()
                .map(FieldError::toString)
                .toList();
    }

    @Test
    void checkWhenInOrderFindsNothing() {
        assertThat(check(definition("{type: 'string', default: 'x'}"))).isEmpty();
    }

    @Test
    void checkWhenSchemaIsNotStructuralNamesTheField() {
        assertThat(check(definition("{type: 'object', properties: {b: {}}}")))
                .containsExactly("spec.validation.openAPIV3Schema.properties[a].properties[b].type: Required value:"
                        + " must not be empty for specified object fields");
    }

    @Test
    void checkWhenNamesDoNotFitSaysSo() {
        ObjectNode definition = definition("{type: 'string'}");
        ((ObjectNode) definition.at("/metadata")).put("name", "peas.example.com");

        assertThat(check(definition))
                .containsExactly("metadata.name: Invalid value: \"peas.example.com\": must be"
                        + " spec.names.plural+\".\"+spec.group");
    }

    @Test
    void checkWhenEstablishedKeepsScope() {
        ObjectNode changed = definition("{type: 'string'}");
        ((ObjectNode) changed.at("/spec")).put("scope", "Cluster");

        assertThat(DefinitionChecks.check(changed, definition("{type: 'string'}")))
                .extracting(FieldError::toString)
                .containsExactly("spec.scope: Invalid value: \"Cluster\": field is immutable");
    }

    @Test
    void checkWhenRuleDoesNotCompileRefuses() {
        assertThat(check(definition("{type: 'string', 'x-kubernetes-validations': [{rule: 'self > 1'}]}")))
                .singleElement()
                .asString()
                .contains("compilation failed");
    }
}
