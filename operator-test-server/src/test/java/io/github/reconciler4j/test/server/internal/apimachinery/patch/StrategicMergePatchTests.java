package io.github.reconciler4j.test.server.internal.apimachinery.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.FieldType;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.ListType;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.MapType;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.ScalarKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrategicMergePatchTests {

    private static final TypeSchema STRING = TypeSchema.scalarOf(ScalarKind.STRING);

    /** A container: name, image, args (replaced), env (merged by name). */
    private static final TypeSchema CONTAINER = struct(
            "Container",
            Map.of(
                    "name", field(STRING),
                    "image", field(STRING),
                    "args", field(list(STRING)),
                    "env",
                            merged(
                                    list(struct("EnvVar", Map.of("name", field(STRING), "value", field(STRING)))),
                                    "name")));

    private static final TypeSchema POD = struct(
            "PodSpec",
            Map.of(
                    "containers", merged(list(CONTAINER), "name"),
                    "finalizers", merged(list(STRING), ""),
                    "strategy", new FieldType(() -> strategy(), null, List.of("retainKeys"), "", null),
                    "labels", field(new TypeSchema("", null, null, new MapType(Map.of(), () -> STRING, false))),
                    "selector", new FieldType(() -> strategy(), null, List.of("replace"), "", null),
                    "args", field(list(STRING))));

    private static TypeSchema strategy() {
        return struct("Strategy", Map.of("type", field(STRING), "rollingUpdate", field(CONTAINER)));
    }

    private static TypeSchema struct(String name, Map<String, FieldType> fields) {
        return new TypeSchema(name, null, null, new MapType(fields, null, false));
    }

    private static TypeSchema list(TypeSchema element) {
        return new TypeSchema("", null, new ListType(() -> element, true, List.of()), null);
    }

    private static FieldType field(TypeSchema type) {
        return new FieldType(() -> type, null, List.of(), "", null);
    }

    private static FieldType merged(TypeSchema type, String key) {
        return new FieldType(() -> type, null, List.of("merge"), key, null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{labels: {a: '1'}} | {labels: {b: '2'}} | {labels: {a: '1', b: '2'}}",
                "{labels: {a: '1', b: '2'}} | {labels: {a: null, c: null}} | {labels: {b: '2'}}",
                "{labels: {a: '1'}} | {labels: {$patch: 'replace', b: '2'}} | {labels: {b: '2'}}",
                "{labels: {a: '1'}} | {labels: {$patch: 'delete'}} | {labels: {}}",
                "{} | {labels: {a: null, b: '1'}} | {labels: {b: '1'}}",
                "{} | {labels: {$patch: 'delete'}} | {}",
                "{args: ['a']} | {args: ['b']} | {args: ['b']}",
                "{finalizers: ['a', 'b']} | {finalizers: ['c', 'a']} | {finalizers: ['c', 'a', 'b']}",
                "{finalizers: ['a', 'b']} | {'$deleteFromPrimitiveList/finalizers': ['a']} | {finalizers: ['b']}",
                "{} | {'$deleteFromPrimitiveList/finalizers': ['a']} | {}",
                "{finalizers: ['a', 'b', 'c']} | {'$setElementOrder/finalizers': ['c', 'a']} | {finalizers: ['b', 'c', 'a']}",
                "{containers: [{name: 'a', image: 'x'}]} | {containers: [{name: 'a', image: 'y'}]}"
                        + " | {containers: [{name: 'a', image: 'y'}]}",
                "{containers: [{name: 'a'}, {name: 'b'}]} | {containers: [{name: 'c'}]}"
                        + " | {containers: [{name: 'c'}, {name: 'a'}, {name: 'b'}]}",
                "{containers: [{name: 'a'}, {name: 'b'}]} | {containers: [{name: 'a', $patch: 'delete'}]}"
                        + " | {containers: [{name: 'b'}]}",
                "{containers: [{name: 'a'}, {name: 'b'}]} | {containers: [{name: 'c'}, {$patch: 'replace'}]}"
                        + " | {containers: [{name: 'c'}]}",
                "{containers: [{name: 'a'}, {name: 'b'}]}"
                        + " | {'$setElementOrder/containers': [{name: 'b'}, {name: 'a'}], containers: [{name: 'a', image: 'z'}]}"
                        + " | {containers: [{name: 'b'}, {name: 'a', image: 'z'}]}",
                "{containers: [{name: 'a', env: [{name: 'E', value: '1'}]}]}"
                        + " | {containers: [{name: 'a', env: [{name: 'E', value: null}, {name: 'F', value: '2'}]}]}"
                        + " | {containers: [{name: 'a', env: [{name: 'E'}, {name: 'F', value: '2'}]}]}",
                "{strategy: {type: 'R', rollingUpdate: {name: 'x'}}} | {strategy: {$retainKeys: ['type'], type: 'S'}}"
                        + " | {strategy: {type: 'S'}}",
                "{selector: {type: 'a', rollingUpdate: {}}} | {selector: {type: 'b'}} | {selector: {type: 'b'}}",
                "{labels: {a: '1'}} | null | {labels: {a: '1'}}",
            })
    void applyWhenPatchFitsMergesIt(String doc, String patch, String expected) {
        assertThat(StrategicMergePatch.apply(TestJson.of(doc), TestJson.of(patch), POD))
                .isEqualTo(TestJson.of(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "[] | 400 | not an object but of the type array",
                "{labels: {$patch: 'x'}} | 500 | unknown patch type",
                "{containers: [{image: 'x'}]} | 500 | does not contain declared merge key: name",
                "{containers: ['x']} | 500 | list element types are not identical",
                "{finalizers: [['x']]} | 500 | list element types are not identical",
                "{strategy: {$retainKeys: ['a'], type: 'x'}} | 400 | invalid patch format of retainKeys",
                "{strategy: {$retainKeys: 'a'}} | 400 | invalid patch format of retainKeys",
                "{$setElementOrder: ['a']} | 400 | names no list",
                "{$deleteFromPrimitiveList: ['a']} | 400 | names no list",
                "{zz: {a: 1}} | 500 | unable to find the field",
            })
    void applyWhenPatchIsWrongAnswersAsTheServer(String patch, int status, String message) {
        JsonNode doc = TestJson.of(
                "{labels: {a: '1'}, containers: [{name: 'a'}], finalizers: ['f'], strategy: {type: 'R'}, zz: {}}");
        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(() -> StrategicMergePatch.apply(doc, TestJson.of(patch.replace("\\\"", "\"")), POD))
                .withMessageContaining(message)
                .satisfies(e -> assertThat(e.code()).isEqualTo(status));
    }

    @Test
    void applyWhenOrderOfPatchContradictsItsDirectiveAnswers500() {
        JsonNode patch = TestJson.of("{'$setElementOrder/finalizers': ['a', 'b'], finalizers: ['b', 'a']}");
        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(() -> StrategicMergePatch.apply(TestJson.of("{}"), patch, POD))
                .withMessageContaining("doesn't match $setElementOrder list");
    }

    @Test
    void applyWhenDoneLeavesItsArgumentsAsTheyWere() {
        JsonNode doc = TestJson.of("{containers: [{name: 'a', image: 'x'}]}");
        JsonNode patch = TestJson.of("{containers: [{name: 'a', image: null}, {name: 'b', image: null}]}");
        StrategicMergePatch.apply(doc, patch, POD);
        assertThat(doc).isEqualTo(TestJson.of("{containers: [{name: 'a', image: 'x'}]}"));
        assertThat(patch).isEqualTo(TestJson.of("{containers: [{name: 'a', image: null}, {name: 'b', image: null}]}"));
    }
}
