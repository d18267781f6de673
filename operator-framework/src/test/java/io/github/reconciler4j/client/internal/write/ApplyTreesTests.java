package io.github.reconciler4j.client.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.ApplyOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApplyTreesTests {

    private static final ApplyOptions PLAIN = ApplyOptions.defaults();
    private static final ApplyOptions LOCKED = PLAIN.withOptimisticLock();

    private static ObjectNode tree(String text) throws Exception {
        return (ObjectNode) new ObjectMapper().readTree(text.replace('\'', '"'));
    }

    @Test
    void treeOfAnObjectHasNothingThatOnlyTheServerSets() throws Exception {
        String object = "{'metadata':{'name':'x','resourceVersion':'7','generation':1,'creationTimestamp':'now',"
                + "'selfLink':'s','managedFields':[]},'spec':{}}";
        assertThat(ApplyTrees.forObject(tree(object), PLAIN)).isEqualTo(tree("{'metadata':{'name':'x'},'spec':{}}"));
        assertThat(ApplyTrees.forObject(tree(object), LOCKED))
                .isEqualTo(tree("{'metadata':{'name':'x','resourceVersion':'7'},'spec':{}}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'apiVersion':'v1','kind':'X','metadata':{'name':'x','namespace':'n','uid':'u'},'data':{}}|{'data':{}}",
                "{'metadata':{'name':'x','labels':{'a':'b'}}}|{'metadata':{'labels':{'a':'b'}}}",
                "{'data':1}|{'data':1}",
            })
    void givenIsWhatDoesNotOnlyIdentifyTheObject(String tree, String given) throws Exception {
        ObjectNode object = tree(tree);
        assertThat(ApplyTrees.given(object)).isEqualTo(tree(given));
        assertThat(object).isEqualTo(tree(tree));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"'status':{'a':1},|{'a':1}", "|{}", "'status':null,|{}", "'status':{},|{}"})
    void treeOfAStatusHasNothingElse(String status, String expected) throws Exception {
        String rest = "'spec':{},'metadata':{'name':'x','namespace':'n','uid':'u','resourceVersion':'7','labels':{}}}";
        ObjectNode object = tree("{" + (status == null ? "" : status) + rest);
        String metadata = "{'metadata':{'name':'x','namespace':'n','uid':'u'";
        assertThat(ApplyTrees.forStatus(object.deepCopy(), PLAIN))
                .isEqualTo(tree(metadata + "},'status':" + expected + "}"));
        assertThat(ApplyTrees.forStatus(object, LOCKED))
                .isEqualTo(tree(metadata + ",'resourceVersion':'7'},'status':" + expected + "}"));
    }
}
