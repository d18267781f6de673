package io.github.reconciler4j.test.server.internal.apimachinery.cel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.BothServersFixture;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import org.junit.jupiter.api.Test;

/** Validation rules, evaluated by our server and by a real one. */
class CelRulesIntegrationTests extends BothServersFixture {
    private static final String DEFINITIONS =
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All&fieldManager=m";

    @Override
    protected void define() {
        servers.define(Ruled.definition(), Ruled.PATH);
    }

    @Test
    void newObjectsWhenCheckedByRulesGetTheSameAnswer() {
        for (String spec : Ruled.SPECS) {
            servers.create(Ruled.PATH + "?dryRun=All&fieldManager=m", Ruled.object("o", spec));
        }
        servers.create(Ruled.PATH + "?dryRun=All&fieldManager=m", Ruled.object("x", ""));
        assertThat(servers.differences()).isEmpty();
    }

    @Test
    void updatesWhenCheckedByTransitionRulesGetTheSameAnswer() {
        servers.create(
                Ruled.PATH + "?fieldManager=m", Ruled.object("o1", "size: 5, fixed: 'a', parts: [{id: 'a', v: 3}]"));
        String one = Ruled.PATH + "/o1?dryRun=All&fieldManager=m";
        for (String change : new String[] {
            "size: 4",
            "size: 7",
            "size: null",
            "fixed: 'b'",
            "fixed: null",
            "parts: [{id: 'a', v: 2}]",
            "parts: [{id: 'b', v: 1}, {id: 'a', v: 4}]",
            "parts: [{id: 'b', v: 0}]",
            "size: 6, name: 'x'"
        }) {
            servers.merge(one, "{spec: {" + change + "}}");
        }
        servers.merge(Ruled.PATH + "/o1/status?dryRun=All&fieldManager=m", "{status: {a: 1}}");
        assertThat(servers.differences()).isEmpty();
    }

    @Test
    void definitionsWhenRulesAreWrongAreRefused() {
        for (String rule : new String[] {
            "{rule: 'self.foo > 1'}",
            "{rule: 'self.size'}",
            "{rule: ''}",
            "{rule: 'self.size > 1', message: 'a\\nb'}",
            "{rule: 'self.size > 1', message: ' '}",
            "{rule: 'self.size > 1', messageExpression: '1'}",
            "{rule: 'self.size > 1', reason: 'nope'}",
            "{rule: 'self.size > \"a\"'}",
            "{rule: 'self.size.startsWith(\"a\")'}",
            "{rule: 'nope(self.size)'}",
            "{rule: 'self.size > 1', fieldPath: '.nope'}"
        }) {
            ObjectNode definition = Ruled.definition().deepCopy();
            ((ObjectNode) definition.at("/metadata")).put("name", "others.cel.example.com");
            ((ObjectNode) definition.at("/spec/names")).put("plural", "others").put("kind", "Other");
            JsonNode spec = definition.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec");
            ((ObjectNode) spec).putArray("x-kubernetes-validations").add(TestJson.of(rule));
            servers.create(DEFINITIONS, definition);
        }
        assertThat(servers.differences()).isEmpty();
    }
}
