package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.kubernetes.NewestKubernetes;
import io.github.reconciler4j.test.server.internal.apimachinery.BothServersFixture;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import io.github.reconciler4j.test.server.internal.apimachinery.Things;
import org.junit.jupiter.api.Test;

/** Custom resources written to our server and to a real one: the same answers, word for word. */
class CustomResourceIntegrationTests extends BothServersFixture {
    private static final String CHECKS = "/apis/trees.example.com/v1/namespaces/default/checks";

    @Override
    protected void define() {
        servers.define(Things.read("checks.json"), CHECKS);
        servers.define(Things.DEFINITION, Things.PATH);
    }

    @Test
    @NewestKubernetes
    void newObjectsWhenWrittenGetTheSameAnswer() {
        for (JsonNode object : CheckCases.all()) {
            servers.create(CHECKS + "?dryRun=All&fieldValidation=Ignore&fieldManager=m", object);
        }
        assertThat(servers.differences()).isEmpty();
    }

    @Test
    @NewestKubernetes
    void writesWhenOfAllKindsArePrunedDefaultedAndChecked() {
        String one = CHECKS + "/w-1";
        servers.create(CHECKS + "?fieldManager=m", named("w-1", "{must: 'x', deep: {a: {b: 'b', zz: 1}}, zz: 2}"));
        servers.merge(one + "?fieldManager=m", "{spec: {number: 3}}");
        servers.merge(one + "?fieldManager=m", "{spec: {number: 4, maybe: null, text: null}}");
        servers.merge(one + "?fieldManager=m", "{spec: {must: null}}");
        servers.merge(one + "/status?fieldManager=s", "{status: {phase: 'a', zz: 1}, spec: {number: 6}}");
        servers.merge(one + "/status?fieldManager=s", "{status: {phase: 'abcdefg'}}");
        servers.merge(one + "?fieldManager=m", "{status: {phase: 'b'}, spec: {number: 8}}");
        servers.replace(one, one + "?fieldManager=r", object -> object.put("status", 1));
        servers.replace(one, one + "?fieldManager=r", object -> ((ObjectNode) object.get("spec")).put("text", "a"));
        servers.replace(one, one + "?fieldManager=r", object -> ((ObjectNode) object.get("spec")).put("text", "abc"));
        servers.apply(one + "?fieldManager=a&force=true", apply("w-1", "must: 'y', choice: 'red', list: ['a']"));
        servers.apply(one + "?fieldManager=a", apply("w-1", "must: 'y', choice: 'blue'"));
        servers.apply(one + "?fieldManager=a", apply("w-1", "must: 'y', unknown: 1"));
        servers.apply(CHECKS + "/w-2?fieldManager=a", apply("w-2", "must: 'y', number: 99"));
        servers.apply(CHECKS + "/w-2?fieldManager=a", apply("w-2", "must: 'y'"));
        servers.apply(
                one + "/status?fieldManager=a&force=true",
                "{apiVersion: 'trees.example.com/v1', kind: 'Check', metadata: {name: 'w-1', labels: {a: 'b'}},"
                        + " spec: {must: 'status'}, status: {phase: 'c'}}");
        servers.send("GET", one, null, "application/json");
        servers.send("GET", CHECKS + "/w-2", null, "application/json");
        assertThat(servers.differences()).isEmpty();
    }

    @Test
    void appliesWhenListsAreAssociativeMergeByKey() {
        String one = Things.PATH + "/t-1";
        servers.apply(one + "?fieldManager=a", thing("t-1", Things.of("t-1", "")));
        for (String file : new String[] {"a", "b"}) {
            servers.apply(one + "?fieldManager=" + file, thing("t-1", Things.of("t-1", "")));
        }
        servers.send("GET", one, null, "application/json");
        assertThat(servers.differences()).isEmpty();
    }

    private static String thing(String name, ObjectNode object) {
        return object.toString();
    }

    private static JsonNode named(String name, String spec) {
        ObjectNode object = CheckCases.of(spec);
        ((ObjectNode) object.get("metadata")).put("name", name);
        return object;
    }

    private static String apply(String name, String spec) {
        return TestJson.of("{apiVersion: 'trees.example.com/v1', kind: 'Check', metadata: {name: '" + name
                        + "'}, spec: {" + spec + "}}")
                .toString();
    }
}
