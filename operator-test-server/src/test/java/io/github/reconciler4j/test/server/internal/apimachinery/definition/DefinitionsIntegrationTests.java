package io.github.reconciler4j.test.server.internal.apimachinery.definition;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.kubernetes.NeedsKubernetes;
import io.github.reconciler4j.test.server.internal.apimachinery.BothServers;
import io.github.reconciler4j.test.server.internal.apimachinery.BothServersFixture;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Definitions written to our server and to a real one: the same complaints, the same definitions accepted. */
class DefinitionsIntegrationTests extends BothServersFixture {
    private static final String PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String PEAS = "/apis/example.com/v1/namespaces/default/peas";
    private static final String DEFINITION = "{apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition',"
            + " metadata: {name: 'beans.example.com'}, spec: {group: 'example.com', scope: 'Namespaced', names: {plural:"
            + " 'beans', kind: 'Bean'}, versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type:"
            + " 'object', properties: {spec: {type: 'object', properties: {a: {type: 'string'}}}}}}}]}}";

    private static JsonNode changed(JsonNode changes) {
        JsonNode definition = TestJson.of(DEFINITION);
        changes.forEach(
                change -> set(definition, JsonPointer.compile(change.path(0).asText()), change.path(1)));
        return definition;
    }

    private static void set(JsonNode tree, JsonPointer pointer, JsonNode value) {
        String last = pointer.last().getMatchingProperty();
        JsonNode parent = tree.at(pointer.head());
        if (parent instanceof ObjectNode object && value.isNull()) {
            object.remove(last);
        } else if (parent instanceof ObjectNode object) {
            object.set(last, value);
        } else if (parent instanceof ArrayNode list) {
            list.add(value);
        } else {
            tree.withObject(pointer.head()).set(last, value);
        }
    }

    @Test
    @NeedsKubernetes("1.31") // selectable fields
    void definitionsWhenCheckedGetTheSameAnswer() throws IOException {
        for (String line : BothServers.lines("definitions.txt")) {
            servers.create(PATH + "?dryRun=All&fieldManager=m", changed(TestJson.of(line)));
        }
        assertThat(servers.differences()).isEmpty();
        assertThat(BothServers.lines("definitions.txt")).hasSizeGreaterThan(50);
    }

    @Test
    void definitionsWhenChangedKeepWhatIsImmutable() {
        servers.define(TestJson.of(DEFINITION.replace("beans", "peas").replace("Bean", "Pea")), PEAS);
        String one = PATH + "/peas.example.com";
        String same = one + "?fieldManager=m&dryRun=All";
        for (String change : new String[] {
            "{spec: {scope: 'Cluster'}}",
            "{spec: {names: {kind: 'Other'}}}",
            "{spec: {names: {plural: 'others'}}}",
            "{spec: {names: {shortNames: ['bn'], categories: ['all']}}}",
            "{spec: {versions: [{name: 'v2', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}]}}",
            "{metadata: {labels: {a: 'b'}}}"
        }) {
            servers.merge(same, change);
        }
        servers.merge(one + "/status?dryRun=All&fieldManager=m", "{status: {storedVersions: ['v1', 'v3']}}");
        assertThat(servers.differences()).isEmpty();
    }
}
