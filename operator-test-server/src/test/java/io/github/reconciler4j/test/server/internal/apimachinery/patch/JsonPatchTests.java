package io.github.reconciler4j.test.server.internal.apimachinery.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPatchTests {

    private static final String DOC = "{a: 1, b: {c: [1, 2, 3]}, 'x/y': {'~': true}, n: null}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{op: 'add', path: '/d', value: 2}] | {a: 1, b: {c: [1, 2, 3]}, 'x/y': {'~': true}, n: null, d: 2}",
                "[{op: 'add', path: '/b/c/1', value: 9}] | {a: 1, b: {c: [1,9,2,3]}, 'x/y': {'~': true}, n: null}",
                "[{op: 'add', path: '/b/c/-', value: 9}] | {a: 1, b: {c: [1,2,3,9]}, 'x/y': {'~': true}, n: null}",
                "[{op: 'add', path: '/b/c/3', value: 9}] | {a: 1, b: {c: [1,2,3,9]}, 'x/y': {'~': true}, n: null}",
                "[{op: 'add', path: '/b/c/-1', value: 9}] | {a: 1, b: {c: [1,2,3,9]}, 'x/y': {'~': true}, n: null}",
                "[{op: 'remove', path: '/b/c/0'}] | {a: 1, b: {c: [2,3]}, 'x/y': {'~': true}, n: null}",
                "[{op: 'remove', path: '/b/c/-1'}] | {a: 1, b: {c: [1,2]}, 'x/y': {'~': true}, n: null}",
                "[{op: 'remove', path: '/x~1y/~0'}] | {a: 1, b: {c: [1,2,3]}, 'x/y': {}, n: null}",
                "[{op: 'replace', path: '/b', value: 1}] | {a: 1, b: 1, 'x/y': {'~': true}, n: null}",
                "[{op: 'replace', path: '/new', value: 1}] | {a: 1, b: {c: [1,2,3]}, 'x/y': {'~': true}, n: null, new: 1}",
                "[{op: 'replace', path: '', value: {z: 1}}] | {z: 1}",
                "[{op: 'move', from: '/b/c', path: '/c'}] | {a: 1, b: {}, 'x/y': {'~': true}, n: null, c: [1,2,3]}",
                "[{op: 'copy', from: '/a', path: '/b/c/0'}] | {a: 1, b: {c: [1,1,2,3]}, 'x/y': {'~': true}, n: null}",
                "[{op: 'copy', from: '/zz', path: '/a'}] | {a: null, b: {c: [1,2,3]}, 'x/y': {'~': true}, n: null}",
                "[{op: 'test', path: '/b/c', value: [1,2,3]}] | {a: 1, b: {c: [1,2,3]}, 'x/y': {'~': true}, n: null}",
                "[{op: 'test', path: '/zz', value: null}] | {a: 1, b: {c: [1,2,3]}, 'x/y': {'~': true}, n: null}",
                "[{op: 'test', path: '/zz'}, {op: 'remove', path: '/b'}] | {a: 1, 'x/y': {'~': true}, n: null}",
                "[] | {a: 1, b: {c: [1,2,3]}, 'x/y': {'~': true}, n: null}",
            })
    void applyWhenOperationFitsChangesTheDocument(String patch, String expected) {
        assertThat(JsonPatch.apply(TestJson.of(DOC), TestJson.of(patch))).isEqualTo(TestJson.of(expected));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{op: 'add', path: '', value: {}}]",
                "[{op: 'add', path: 'a', value: 1}]",
                "[{op: 'add', path: '/zz/a', value: 1}]",
                "[{op: 'add', path: '/n/a', value: 1}]",
                "[{op: 'add', path: '/a/b', value: 1}]",
                "[{op: 'add', path: '/b/c/4', value: 1}]",
                "[{op: 'add', path: '/b/c/x', value: 1}]",
                "[{op: 'add', value: 1}]",
                "[{op: 'remove', path: '/zz'}]",
                "[{op: 'remove', path: '/b/c/3'}]",
                "[{op: 'remove', path: '/b/c/-4'}]",
                "[{op: 'replace', path: '/b/c/3', value: 1}]",
                "[{op: 'replace', path: '', value: 1}]",
                "[{op: 'move', from: '/zz', path: '/a'}]",
                "[{op: 'move', path: '/a'}]",
                "[{op: 'test', path: '/a', value: 2}]",
                "[{op: 'test', path: '/a', value: 1.0}]",
                "[{op: 'test', path: '/b/c', value: [1, 2]}]",
                "[{op: 'test', path: '/a'}]",
                "[{op: 'explode', path: '/a'}]",
                "[{path: '/a'}]",
                "[null]",
            })
    void applyWhenOperationFailsAnswers422(String patch) {
        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(() -> JsonPatch.apply(TestJson.of(DOC), TestJson.of(patch)))
                .withMessage("the server rejected our request due to an error in our request")
                .satisfies(e -> assertThat(e.code()).isEqualTo(422))
                .satisfies(e -> assertThat(e.reason()).isEqualTo("Invalid"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "'x'", "[1]", "[{op: 1}]"})
    void applyWhenPatchIsNotAListOfOperationsAnswers400(String patch) {
        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(() -> JsonPatch.apply(TestJson.of(DOC), TestJson.of(patch)))
                .withMessageContaining("error decoding patch")
                .satisfies(e -> assertThat(e.code()).isEqualTo(400));
    }

    @Test
    void applyWhenTooManyOperationsAnswers413() {
        JsonNode patch = TestJson.of(
                "[" + String.join(",", Collections.nCopies(10_001, "{op: 'test', path: '/a', value: 1}")) + "]");
        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(() -> JsonPatch.apply(TestJson.of(DOC), patch))
                .withMessage("The allowed maximum operations in a JSON patch is 10000, got 10001")
                .satisfies(e -> assertThat(e.code()).isEqualTo(413));
    }

    @Test
    void applyWhenDoneLeavesItsArgumentsAsTheyWere() {
        JsonNode doc = TestJson.of(DOC);
        JsonNode patch = TestJson.of("[{op: 'add', path: '/d', value: {}}, {op: 'add', path: '/d/e', value: 1},"
                + " {op: 'remove', path: '/b/c'}]");
        JsonPatch.apply(doc, patch);
        assertThat(doc).isEqualTo(TestJson.of(DOC));
        assertThat(patch.at("/0/value")).isEmpty();
    }
}
