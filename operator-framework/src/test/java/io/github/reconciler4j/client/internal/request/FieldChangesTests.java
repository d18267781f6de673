package io.github.reconciler4j.client.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.github.reconciler4j.client.ObservedWrite.Change;
import org.junit.jupiter.api.Test;

class FieldChangesTests {

    private final ObjectMapper mapper = new ObjectMapper();

    private JsonNode tree(String json) throws Exception {
        return mapper.readTree(json.replace('\'', '"'));
    }

    @Test
    void fieldsThatDifferAreNamedWithBothValues() throws Exception {
        assertThat(FieldChanges.between(
                        tree("{'spec':{'replicas':1,'a':'x','l':[{'n':1},{'n':2}]}}"),
                        tree("{'spec':{'replicas':2,'b':'y','l':[{'n':1},{'n':3}]}}"),
                        false))
                .containsExactly(
                        new Change("spec.a", "\"x\"", ""),
                        new Change("spec.b", "", "\"y\""),
                        new Change("spec.l[1].n", "2", "3"),
                        new Change("spec.replicas", "1", "2"));
    }

    @Test
    void newObjectIsTheChangeOfAllItsFields() throws Exception {
        assertThat(FieldChanges.between(MissingNode.getInstance(), tree("{'data':{'a':'1'}}"), false))
                .containsExactly(new Change("data.a", "", "\"1\""));
    }

    @Test
    void endOfALongValueIsShown() throws Exception {
        String same = "abcde".repeat(100);
        assertThat(FieldChanges.between(
                        tree("{'data':{'a':'" + same + "1'}}"), tree("{'data':{'a':'" + same + "2'}}"), false))
                .containsExactly(new Change("data.a", "...abcdeabcdeabcdeabcde1\"", "...abcdeabcdeabcdeabcde2\""));
        assertThat(FieldChanges.between(
                        tree("{'data':{'a':'" + same + "'}}"), tree("{'data':{'a':'" + same + same + "'}}"), false))
                .singleElement()
                .satisfies(change -> assertThat(change.before()).isNotEqualTo(change.after()));
    }

    @Test
    void startOfALongValueIsShown() throws Exception {
        String same = "abcde".repeat(100);
        assertThat(FieldChanges.between(tree("{'a':'1" + same + "'}"), tree("{'a':'2'}"), false))
                .containsExactly(new Change("a", "\"1" + same.substring(0, 198) + "...", "\"2\""));
    }

    @Test
    void orderOfNamesIsAChangeAndANewNameIsNoChangeOfTheOrder() throws Exception {
        assertThat(FieldChanges.between(
                        tree("{'l':[{'name':'a'},{'name':'b'}]}"), tree("{'l':[{'name':'b'},{'name':'a'}]}"), false))
                .containsExactly(new Change("l", "order a, b", "order b, a"));
        assertThat(FieldChanges.between(
                        tree("{'l':[{'name':'a'},{'name':'b'}]}"),
                        tree("{'l':[{'name':'c'},{'name':'a'},{'name':'b'}]}"),
                        false))
                .extracting(Change::path)
                .containsExactly("l[c].name");
    }

    @Test
    void emptyObjectIsAChangeOutsideOfTheMetadata() throws Exception {
        assertThat(FieldChanges.between(
                        tree("{'metadata':{},'spec':{}}"),
                        tree("{'metadata':{'labels':{}},'spec':{'selector':{}}}"),
                        false))
                .containsExactly(new Change("spec.selector", "", "{}"));
    }

    @Test
    void secretsAreHidden() throws Exception {
        assertThat(FieldChanges.between(
                        tree("{'data':{'k':'aHVudGVyMg=='},'metadata':{'labels':{'a':'1'}}}"),
                        tree("{'data':{'k':'b3RoZXI=','n':'eA=='},'metadata':{'labels':{'a':'2'},"
                                + "'annotations':{'x':'y'}},'type':'Opaque'}"),
                        true))
                .containsExactly(
                        new Change("data.k", "***", "***"),
                        new Change("data.n", "", "***"),
                        new Change("metadata.annotations.x", "", "***"),
                        new Change("metadata.labels.a", "\"1\"", "\"2\""),
                        new Change("type", "", "\"Opaque\""));
    }

    @Test
    void fieldsNamedLikeSecretsAreHidden() throws Exception {
        assertThat(FieldChanges.between(
                        tree("{'spec':{'dbPassword':'a','env':[]}}"),
                        tree("{'spec':{'dbPassword':'b','env':[{'name':'API_KEY','value':'hunter2'}]}}"),
                        false))
                .containsExactly(new Change("spec.dbPassword", "***", "***"), new Change("spec.env", "[]", "***"));
    }

    @Test
    void environmentVariablesNamedLikeSecretsAreHiddenWhenTheyChange() throws Exception {
        assertThat(FieldChanges.between(
                                tree("{'env':[{'name':'DB_PASSWORD','value':'hunter2'}]}"),
                                tree("{'env':[{'name':'DB_PASSWORD','value':'hunter3'}]}"),
                                false)
                        .toString())
                .doesNotContain("hunter");
    }

    @Test
    void wholeValuesAreShownUnlessTheyHoldASecret() throws Exception {
        assertThat(FieldChanges.between(
                        tree("{'l':[]}"),
                        tree("{'k':[1],'l':[{'n':1,'name':'x'}],'m':{'n':[{'o':'API_KEY'}]}}"),
                        false))
                .containsExactly(
                        new Change("k", "", "[1]"),
                        new Change("l", "[]", "[{\"n\":1,\"name\":\"x\"}]"),
                        new Change("m.n", "", "[{\"o\":\"API_KEY\"}]"));
        assertThat(FieldChanges.between(tree("{'l':[]}"), tree("{'l':[{'n':{'token':1}}]}"), false))
                .containsExactly(new Change("l", "[]", "***"));
    }

    @Test
    void longValuesAreCut() throws Exception {
        String longest = "x".repeat(198); // 200 with the quotes
        assertThat(FieldChanges.between(tree("{}"), tree("{'a':'" + longest + "','b':'" + longest + "x'}"), false))
                .containsExactly(
                        new Change("a", "", "\"" + longest + "\""), new Change("b", "", "\"" + longest + "x..."));
    }
}
