package io.github.reconciler4j.test.server.internal.apimachinery.cel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.kubernetes.NeedsKubernetes;
import io.github.reconciler4j.test.kubernetes.NewestKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import io.github.reconciler4j.test.server.internal.apimachinery.BothServers;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Expressions with all functions that rules can use, compiled and evaluated by our server and by a real one. */
@RealKubernetesTest(components = {})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExpressionsIntegrationTests {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String PATH = "/apis/said.example.com/v1/namespaces/default/saids";
    private static final String TEXT = "= ";
    private static final String REFUSED = "! ";

    private BothServers servers;
    private List<String> expressions;

    @BeforeAll
    void start(RealKubernetes kubernetes) throws IOException {
        servers = new BothServers(kubernetes);
        expressions = BothServers.lines("expressions.txt");
    }

    @AfterAll
    void stop() {
        servers.close();
    }

    @Test
    @NewestKubernetes
    void expressionsWhenCompiledAndEvaluatedGetTheSameAnswer() {
        List<String> compiled = new ArrayList<>();
        for (String expression : expressions) {
            int before = servers.differences().size();
            if (!expression.startsWith(REFUSED)
                    && create(expression) == 201
                    && servers.differences().size() == before) {
                compiled.add(expression);
            }
        }
        assertThat(compiled).hasSizeGreaterThan(expressions.size() / 2);
        servers.define(definition(compiled), PATH);
        for (int i = 0; i < compiled.size(); i++) {
            servers.create(PATH + "?dryRun=All&fieldManager=m", object(i));
        }
        assertThat(servers.differences()).isEmpty();
    }

    /** The checks of constants are left out: this keeps the list of their effects true. */
    @Test
    @NeedsKubernetes("1.31") // checks the constant formats of texts
    void expressionsWhenOnlyTheRealServerRefusesThemAreMarked() {
        List<String> marked = expressions.stream()
                .filter(expression -> expression.startsWith(REFUSED))
                .toList();
        List<String> differing = marked.stream()
                .filter(expression -> {
                    int status = create(expression.substring(REFUSED.length()));
                    return status == 422 && servers.differences().removeIf(difference -> true);
                })
                .toList();
        assertThat(differing).isNotEmpty().isEqualTo(marked);
    }

    private int create(String expression) {
        return servers.create(DEFINITIONS + "?dryRun=All&fieldManager=m", definition(List.of(expression)))
                .status();
    }

    private static ObjectNode definition(List<String> expressions) {
        ObjectNode definition = (ObjectNode) TestJson.of("{apiVersion: 'apiextensions.k8s.io/v1', kind:"
                + " 'CustomResourceDefinition', metadata: {name: 'saids.said.example.com'}, spec: {group:"
                + " 'said.example.com', scope: 'Namespaced', names: {plural: 'saids', kind: 'Said'}, versions: [{name:"
                + " 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object', properties: {spec:"
                + " {type: 'object', required: ['which', 'n'], properties: {which: {type: 'integer'}, n: {type:"
                + " 'integer'}, text: {type: 'string', maxLength: 20}, amount: {type: 'string', maxLength: 20}, words:"
                + " {type: 'array', maxItems: 5, items: {type: 'string', maxLength: 10}}, numbers: {type: 'array',"
                + " maxItems: 5, items: {type: 'integer'}}, empty: {type: 'array', maxItems: 5, items: {type:"
                + " 'integer'}}, any: {'x-kubernetes-int-or-string': true}}}}}}}]}}");
        ObjectNode spec = (ObjectNode) definition.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec");
        ArrayNode rules = spec.putArray("x-kubernetes-validations");
        for (int i = 0; i < expressions.size(); i++) {
            String expression = expressions.get(i);
            ObjectNode rule = rules.addObject();
            if (expression.startsWith(TEXT)) {
                rule.put("rule", "self.which != " + i);
                rule.put("messageExpression", expression.substring(TEXT.length()));
            } else {
                rule.put("rule", "self.which != " + i + " || (" + expression + ")");
            }
        }
        return definition;
    }

    private static ObjectNode object(int which) {
        return (ObjectNode)
                TestJson.of("{apiVersion: 'said.example.com/v1', kind: 'Said', metadata: {name: 'o'}, spec: {which:"
                        + " " + which
                        + ", n: 5, text: 'x y', amount: '1Gi', words: ['abc', 'ab'], numbers: [1, 2, 3], empty: [],"
                        + " any: 'abc'}}");
    }
}
