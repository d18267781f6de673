package io.github.reconciler4j.client.internal.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.internal.write.ApplyTrees;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Single cases; the promises compare random objects with what a server does. */
class ManagedFieldsComparisonCaseTests {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String OWN = "'manager':'me','operation':'Apply','apiVersion':'v1'";
    private static final String FIELDS = "'fieldsV1':{'f:spec':{'f:a':{}}}";

    private static JsonNode json(String text) throws JsonProcessingException {
        return MAPPER.readTree(text.replace('\'', '"'));
    }

    /** Return whether applying a spec would change nothing. */
    private static boolean isApplied(String wanted, String managedFields, String live) throws JsonProcessingException {
        ObjectNode tree = (ObjectNode) json("{'apiVersion':'v1','metadata':{'name':'x'},'spec':" + wanted + "}");
        ObjectNode now = (ObjectNode) json("{'metadata':{'name':'x','uid':'u'},'spec':" + live + "}");
        now.withObjectProperty("metadata").set("managedFields", json(managedFields));
        return ManagedFieldsComparison.isApplied(tree, ApplyTrees.given(tree), now, "me");
    }

    /** Return whether a spec is applied of which the manager owns these parts. */
    private static boolean isOwned(String wanted, String fields, String live) throws JsonProcessingException {
        return isApplied(wanted, "[{" + OWN + ",'fieldsV1':{'f:spec':" + fields + "}}]", live);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'manager':'other','operation':'Apply','apiVersion':'v1'",
                "'manager':'me','operation':'Update','apiVersion':'v1'",
                "'manager':'me','operation':'Apply','apiVersion':'v2'",
                "'manager':'me','operation':'Apply','apiVersion':'v1','subresource':'status'"
            })
    void entryWhenItIsThatOfAnotherApplyDoesNotCount(String entry) throws Exception {
        assertThat(isApplied("{'a':1}", "[{" + OWN + "," + FIELDS + "}]", "{'a':1}"))
                .isTrue();
        assertThat(isApplied("{'a':1}", "[{" + entry + "," + FIELDS + "}]", "{'a':1}"))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"u, true", "v, false"})
    void uidWhenGivenMustBeThatOfTheObject(String uid, boolean applied) throws Exception {
        ObjectNode tree = (ObjectNode) json("{'apiVersion':'v1','metadata':{'uid':'" + uid + "'},'spec':{'a':1}}");
        JsonNode live = json("{'metadata':{'uid':'u','managedFields':[{" + OWN + "," + FIELDS + "}]},'spec':{'a':1}}");
        assertThat(ManagedFieldsComparison.isApplied(tree, ApplyTrees.given(tree), live, "me"))
                .isEqualTo(applied);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a':1}|{'f:a':{}}|{'a':1,'b':2}|true",
                "{'a':1}|{'f:a':{}}|{'a':2}|false",
                "{'a':1}|{'f:a':{}}|{}|false",
                "{'a':1}|{'f:a':{},'f:b':{}}|{'a':1,'b':2}|false",
                "{'a':1,'b':2}|{'f:a':{}}|{'a':1,'b':2}|false",
                "{}|{'.':{}}|{}|true",
                "{'a':1}|{'.':{},'f:a':{}}|{'a':1}|true",
                "{'a':{'b':1}}|{'f:a':{'f:b':{}}}|{}|false",
                "{'a':{'b':1}}|{'f:a':{'f:b':{}}}|{'a':{'b':1}}|true",
                "{'a':'x'}|{'f:a':{'f:b':{}}}|{'a':'x'}|false",
                "{'a':1}|{'f:a':1}|{'a':1}|false",
            })
    void fieldsMustBeThoseThatAreOwnedAndHaveTheirValues(String wanted, String fields, String live, boolean applied)
            throws Exception {
        assertThat(isOwned(wanted, fields, live)).isEqualTo(applied);
    }

    /** Values that the manager owns as a whole. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1|1.0|true",
                "1|2|false",
                "1|'1'|false",
                "'1'|1|false",
                "'x'|'x'|true",
                "null|null|false",
                "{'b':1}|{'b':1.0}|true",
                "{'b':1}|{'b':2}|false",
                "{'b':1}|{'c':1}|false",
                "{'b':1}|{'b':1,'c':1}|false",
                "{'b':1,'c':1}|{'b':1}|false",
                "{'b':1}|[1]|false",
                "[1,2]|[1.0,2]|true",
                "[1,2]|[2,1]|false",
                "[1]|[1,2]|false",
                "[1,2]|[1]|false",
                "[1]|{'b':1}|false",
            })
    void wholeValueMustBeEqual(String wanted, String live, boolean applied) throws Exception {
        assertThat(isOwned("{'a':" + wanted + "}", "{'f:a':{}}", "{'a':" + live + "}"))
                .isEqualTo(applied);
    }

    private static final String PORTS = "{'k:{\\\"port\\\":1,\\\"protocol\\\":\\\"TCP\\\"}':{'.':{},'f:port':{}},"
            + "'k:{\\\"port\\\":2,\\\"protocol\\\":\\\"TCP\\\"}':{'.':{},'f:port':{}}}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[{'port':1},{'port':2}]|[{'port':1,'protocol':'TCP'},{'port':2,'protocol':'TCP'}]|true",
                "[{'port':2},{'port':1}]|[{'port':2,'protocol':'TCP'},{'port':1,'protocol':'TCP'}]|true",
                "[{'port':2},{'port':1}]|[{'port':1,'protocol':'TCP'},{'port':2,'protocol':'TCP'}]|false",
                "[{'port':1}]|[{'port':1,'protocol':'TCP'},{'port':2,'protocol':'TCP'}]|false",
                "[{'port':1},{'port':3}]|[{'port':1,'protocol':'TCP'},{'port':3,'protocol':'TCP'}]|false",
                "[{'port':1},{'port':2}]|[{'port':1,'protocol':'TCP'}]|false",
                "[{'port':1},{'port':2}]|[{'port':1,'protocol':'TCP'},{'port':2,'protocol':'UDP'}]|false",
                "[{'port':1},{'port':2}]|[{'port':1,'protocol':'TCP'},{'port':2}]|false",
                "[{'port':1},{}]|[{'port':1,'protocol':'TCP'},{'port':2,'protocol':'TCP'}]|false",
                "[{},{'port':1}]|[{'port':1,'protocol':'TCP'},{'port':2,'protocol':'TCP'}]|false",
                "[1,2]|[1,2]|false",
                "{'port':1}|[{'port':1,'protocol':'TCP'},{'port':2,'protocol':'TCP'}]|false",
            })
    void itemsWithKeysMustBeOwnedOneByOneAndInOrder(String wanted, String live, boolean applied) throws Exception {
        assertThat(isOwned("{'a':" + wanted + "}", "{'f:a':" + PORTS + "}", "{'a':" + live + "}"))
                .isEqualTo(applied);
    }

    /** An item on the server has all its keys, so another item that lacks one is not the same. */
    @ParameterizedTest
    @CsvSource({"x, true", "y, false"})
    void itemOnTheServerMustHaveAllKeys(String name, boolean applied) throws Exception {
        String fields = "{'f:a':{'k:{\\\"port\\\":1,\\\"protocol\\\":\\\"TCP\\\"}':{'f:port':{},'f:name':{}}}}";
        String live = "{'a':[{'port':1,'name':'y'},{'port':1,'protocol':'TCP','name':'x'}]}";
        assertThat(isOwned("{'a':[{'port':1,'name':'" + name + "'}]}", fields, live))
                .isEqualTo(applied);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "['x','y']|['x','y']|true",
                "['x','y']|['x','z','y']|true",
                "['y','x']|['x','y']|false",
                "['x','y']|['x']|false",
                "['x','y']|['y']|false",
                "['x']|['x','y']|false",
                "['x','x']|['x','y']|false",
            })
    void itemsOfASetMustBeOwnedAndInOrder(String wanted, String live, boolean applied) throws Exception {
        String fields = "{'f:a':{'v:\\\"x\\\"':{},'v:\\\"y\\\"':{}}}";
        assertThat(isOwned("{'a':" + wanted + "}", fields, "{'a':" + live + "}"))
                .isEqualTo(applied);
    }

    @Test
    void itemOfASetWhenTheServerHasAnotherIsNotApplied() throws Exception {
        String fields = "{'f:a':{'v:\\\"x\\\"':{}}}";
        assertThat(isOwned("{'a':['x']}", fields, "{'a':['x']}")).isTrue();
        assertThat(isOwned("{'a':['x']}", fields, "{'a':['y']}")).isFalse();
    }

    /** Names of items that this version does not know are in doubt. */
    @ParameterizedTest
    @ValueSource(strings = {"i:0", "k:{", "v:", "x:1"})
    void itemWhenItsNameIsUnknownIsNotApplied(String name) throws Exception {
        assertThat(isOwned("{'a':[{'b':1}]}", "{'f:a':{'" + name + "':{'f:b':{}}}}", "{'a':[{'b':1}]}"))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"{'f:a':{}}|true", "{'f:a':{'f:k':{}}}|false", "{'f:a':1}|true", "{}|true"})
    void wholeValueOfWhichOthersOwnPartsIsNotApplied(String ofOthers, boolean applied) throws Exception {
        String other = "{'manager':'other','operation':'Update','fieldsV1':{'f:spec':" + ofOthers + "}}";
        String own = "{" + OWN + "," + FIELDS + "}";
        assertThat(isApplied("{'a':{'k':1}}", "[" + own + "," + other + "]", "{'a':{'k':1}}"))
                .isEqualTo(applied);
        assertThat(isApplied("{'a':{}}", "[" + own + "," + other + "]", "{'a':{}}"))
                .isTrue();
    }
}
