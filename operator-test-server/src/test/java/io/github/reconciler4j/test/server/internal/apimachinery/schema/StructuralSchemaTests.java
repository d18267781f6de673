package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import io.github.reconciler4j.test.server.internal.apimachinery.Things;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StructuralSchemaTests {

    private static final StructuralSchema SCHEMA =
            StructuralSchema.of(Things.read("checks.json").at("/spec/versions/0/schema/openAPIV3Schema"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "text: 'a'     | spec.text: Invalid value: \"a\": spec.text in body should be at least 2 chars long",
                "text: 'abcde' | spec.text: Too long: may not be more than 4 bytes",
                "text: 'AB'    | spec.text: Invalid value: \"AB\": spec.text in body should match '^[a-z]+$'",
                "text: 1       | spec.text: Invalid value: \"integer\": spec.text in body must be of type string: \"integer\"",
                "choice: 'b'   | spec.choice: Unsupported value: \"b\": supported values: \"red\", \"green\"",
                "level: 3      | spec.level: Unsupported value: 3: supported values: \"1\", \"2\"",
                "number: 12    | spec.number: Invalid value: 12: spec.number in body should be less than or equal to 10",
                "number: 3     | spec.number: Invalid value: 3: spec.number in body should be a multiple of 2",
                "open: 0.5     | spec.open: Invalid value: 0.5: spec.open in body should be greater than 0.5",
                "small: 1.5    | <nil>: Invalid value: \"\": Checked value must be of type integer with format int32 in"
                        + " spec.small",
                "list: []      | spec.list: Invalid value: 0: spec.list in body should have at least 1 items",
                "list: ['a','b','c'] | spec.list: Too many: 3: must have at most 2 items",
                "list: ['abcd'] | spec.list[0]: Too long: may not be more than 3 bytes",
                "set: ['a','a'] | spec.set[1]: Duplicate value: \"a\"",
                "objects: [{name: 'a', size: 1}, {name: 'a', size: 2}] | spec.objects[1]: Duplicate value: {\"name\":\"a\"}",
                "objects: [{name: 'a'}] | spec.objects[0].size: Required value",
                "map: {}       | spec.map: Invalid value: 0: spec.map in body should have at least 1 properties",
                "map: {a: 1}   | spec.map.a: Invalid value: 1: spec.map.a in body should be greater than or equal to 3",
                "either: true  | spec.either: Invalid value: \"boolean\": spec.either in body must be of type"
                        + " integer,string: \"boolean\"",
                "embedded: {kind: 'Pod'} | spec.embedded.apiVersion: Required value",
                "not: 'xa'     | <nil>: Invalid value: \"\": \"spec.not\" must not validate the schema (not)",
                "date: 'x'     | spec.date: Invalid value: \"x\": spec.date in body must be of type date: \"x\"",
            })
    void validateWhenValueIsWrongSaysWhatTheServerSays(String field, String message) {
        JsonNode object = CheckCases.of("{must: 'x', " + field + "}");
        assertThat(SCHEMA.validate(object)).extracting(FieldError::toString).contains(message.replace("\\\"", "\""));
    }

    @Test
    void validateWhenObjectIsRightFindsNothing() {
        assertThat(SCHEMA.validate(CheckCases.of("{must: 'x', text: 'ab', either: 1, any: [1], maybe: null}")))
                .isEmpty();
    }

    @Test
    void validateWhenWrongPartHasNotChangedForgivesIt() {
        JsonNode old = CheckCases.of("{must: 'x', text: 'a', objects: [{name: 'a', size: 9}]}");
        JsonNode changed =
                CheckCases.of("{must: 'y', text: 'a', objects: [{name: 'b', size: 9}, {name: 'a', size: 9}]}");
        assertThat(SCHEMA.validate(changed, old)).extracting(FieldError::path).containsExactly("spec.objects[0].size");
    }

    @Test
    void validateStatusWhenStatusIsWrongNamesItOnlyInThePath() {
        ObjectNode object = CheckCases.of("{}");
        object.set("status", TestJson.of("{phase: 'abcdefg', count: -1}"));
        assertThat(SCHEMA.validateStatus(object, CheckCases.of("{}")))
                .extracting(FieldError::toString)
                .containsExactlyInAnyOrder(
                        "status.phase: Too long: may not be more than 5 bytes",
                        "status.count: Invalid value: -1: count in body should be greater than or equal to 0");
    }

    @Test
    void pruneWhenFieldsAreUnknownRemovesAndNamesThem() {
        ObjectNode object = CheckCases.of("{must: 'x', foo: 1, half: {any: {x: 1}}, deep: {a: {z: 1}, q: [1]},"
                + " objects: [{name: 'a', bar: 1}], embedded: {metadata: {name: 'n'}, other: 1}}");
        assertThat(SCHEMA.prune(object))
                .containsExactly(
                        "spec.deep.a.z", "spec.deep.q", "spec.embedded.other", "spec.foo", "spec.objects[0].bar");
        assertThat(object.path("spec"))
                .isEqualTo(TestJson.of("{must: 'x', half: {any: {x: 1}}, deep: {a: {}}, objects: [{name: 'a'}],"
                        + " embedded: {metadata: {name: 'n'}}}"));
    }

    @Test
    void pruneWhenNullIsNotAllowedRemovesItUnlessADefaultTakesItsPlace() {
        ObjectNode object = CheckCases.of("{must: null, maybe: null, withDefault: null, any: {x: null}}");
        SCHEMA.reshape(object);
        assertThat(object.path("spec"))
                .isEqualTo(TestJson.of("{maybe: null, any: {x: null}, withDefault: 'given', nullableDefault: 7}"));
    }

    @Test
    void defaultsWhenListHasItemsFillsThemIn() {
        ObjectNode object =
                CheckCases.of("{must: 'x', objects: [{name: 'a'}], deep: {a: {b: 'b'}}, nullableDefault: null}");
        SCHEMA.addDefaults(object);
        assertThat(object.path("spec"))
                .isEqualTo(TestJson.of("{must: 'x', objects: [{name: 'a', note: 'n'}], deep: {a: {b: 'b', c: 'cc'}},"
                        + " nullableDefault: null, withDefault: 'given'}"));
    }

    @Test
    void blockedRulesWhenErrorsAreSeriousSaysSo() {
        assertThat(StructuralSchema.blockedRules(List.of(FieldError.required("spec.a", ""))))
                .hasToString("<nil>: Invalid value: null: some validation rules were not checked because the object was"
                        + " invalid; correct the existing errors to complete validation");
        assertThat(StructuralSchema.blockedRules(List.of(FieldError.invalid("spec.a", "x", "wrong"))))
                .isNull();
    }
}
