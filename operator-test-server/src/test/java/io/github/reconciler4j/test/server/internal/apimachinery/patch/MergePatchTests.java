package io.github.reconciler4j.test.server.internal.apimachinery.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePatchTests {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{a: 1}           | {a: 2, b: 3}                 | {a: 2, b: 3}",
                "{a: 1, b: 2}     | {a: null}                    | {b: 2}",
                "{a: {b: 1, c: 2}}| {a: {b: null, d: 3}}         | {a: {c: 2, d: 3}}",
                "{a: [1, 2]}      | {a: [3]}                     | {a: [3]}",
                "{a: 1}           | {a: {b: null, c: 1}}         | {a: {c: 1}}",
                "{}               | {a: {b: {c: null}}}          | {a: {b: {}}}",
                "{}               | {a: [{b: null}, null, 1]}    | {a: [{}, null, 1]}",
                "{a: {}}          | {a: [{b: null}]}             | {a: [{b: null}]}",
                "{a: null}        | {a: {b: null}}               | {a: {}}",
                "{a: 1}           | {}                           | {a: 1}",
                "[1]              | {a: null, b: 1}              | {b: 1}",
            })
    void applyWhenPatchIsAnObjectMergesIt(String doc, String patch, String expected) {
        assertThat(MergePatch.apply(TestJson.of(doc), TestJson.of(patch))).isEqualTo(TestJson.of(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "null | Invalid JSON Patch",
                "[]   | error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}",
                "'x'  | error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}",
                "true | error decoding patch: json: cannot unmarshal bool into Go value of type map[string]interface {}",
            })
    void applyWhenPatchIsNotAnObjectAnswers400(String patch, String message) {
        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(() -> MergePatch.apply(TestJson.of("{}"), TestJson.of(patch)))
                .withMessage(message)
                .satisfies(e -> assertThat(e.code()).isEqualTo(400));
    }

    @Test
    void applyWhenDoneLeavesItsArgumentsAsTheyWere() {
        JsonNode doc = TestJson.of("{a: {b: 1}}");
        JsonNode patch = TestJson.of("{a: {b: null}, c: {d: null}}");
        MergePatch.apply(doc, patch);
        assertThat(doc).isEqualTo(TestJson.of("{a: {b: 1}}"));
        assertThat(patch).isEqualTo(TestJson.of("{a: {b: null}, c: {d: null}}"));
    }
}
