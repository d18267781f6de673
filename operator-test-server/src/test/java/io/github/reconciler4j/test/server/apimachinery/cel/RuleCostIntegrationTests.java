package io.github.reconciler4j.test.server.apimachinery.cel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import io.github.reconciler4j.test.server.apimachinery.BothServers;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.RealApi.Answer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Rules that may cost too much, and rules that do: refused by our server as by a real one. */
@RealKubernetesTest(
        dedicated = true,
        components = {})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RuleCostIntegrationTests {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String PATH = "/apis/dear.example.com/v1/namespaces/default/dears";
    private static final String DRY = "?dryRun=All&fieldManager=m";

    private BothServers servers;

    @BeforeAll
    void start(RealKubernetes kubernetes) {
        servers = new BothServers(kubernetes);
    }

    @AfterAll
    void stop() {
        servers.close();
    }

    @AfterEach
    void forget() {
        servers.differences().clear();
    }

    @Test
    void definitionsWhenTheirRulesMayCostTooMuchAreRefused() throws IOException {
        List<String> schemas = BothServers.lines("costs.txt");
        int refused = 0;
        for (String schema : schemas) {
            Answer answer = servers.create(DEFINITIONS + DRY, definition(schema));
            refused += answer.status() == 422 ? 1 : 0;
        }
        assertThat(servers.differences()).isEmpty();
        assertThat(refused).isBetween(schemas.size() / 4, schemas.size() * 3 / 4);
    }

    @Test
    void objectsWhenTheirRulesCostTooMuchAreRefused() {
        String pairs = "{rule: 'self.%1$s.all(x, self.%1$s.all(y, x > 0 && y > 0))'}";
        String rule = String.format(pairs, "a");
        servers.define(
                definition("{type: 'object', properties: {a: {type: 'array', maxItems: 600, items: {type: 'integer'}}},"
                        + " 'x-kubernetes-validations': [" + (rule + ", ").repeat(13) + rule + "]}"),
                PATH);
        for (int size : new int[] {10, 280, 500}) {
            servers.create(PATH + DRY, object("a: [" + ones(size) + "]"));
        }
        assertThat(servers.differences()).isEmpty();
    }

    private static String ones(int count) {
        return "1, ".repeat(count - 1) + "1";
    }

    private static ObjectNode object(String spec) {
        return (ObjectNode) Json.of(
                "{apiVersion: 'dear.example.com/v1', kind: 'Dear', metadata: {name: 'o'}, spec: {" + spec + "}}");
    }

    private static ObjectNode definition(String schema) {
        return (ObjectNode)
                Json.of("{apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata:"
                        + " {name: 'dears.dear.example.com'}, spec: {group: 'dear.example.com', scope: 'Namespaced', names: {plural:"
                        + " 'dears', kind: 'Dear'}, versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema:"
                        + " {type: 'object', properties: {spec: " + schema + "}}}}]}}");
    }
}
