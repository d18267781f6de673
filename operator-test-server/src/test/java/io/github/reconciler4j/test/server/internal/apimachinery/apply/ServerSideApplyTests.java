package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.BuiltInTypes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ServerSideApplyTests {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00.5Z");
    private static final TypeSchema CONFIG_MAP =
            BuiltInTypes.get().typeSchema("v1", "ConfigMap").orElseThrow();
    private static final TypeSchema SERVICE =
            BuiltInTypes.get().typeSchema("v1", "Service").orElseThrow();

    private static ApplyResult apply(@Nullable JsonNode live, String manager, boolean force, String rest) {
        return applyAt(NOON, live, manager, force, rest);
    }

    private static ApplyResult applyAt(
            Instant time, @Nullable JsonNode live, String manager, boolean force, String rest) {
        JsonNode applied = TestJson.of("{apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a'}, " + rest + "}");
        return ServerSideApply.apply(live, applied, new ApplyRequest(manager, force, "v1", "", time), CONFIG_MAP);
    }

    @Test
    void applyWhenObjectIsNewMakesItAndOwnsItsFields() {
        ApplyResult result = apply(null, "one", false, "data: {a: '1'}");
        assertThat(result.changed()).isTrue();
        assertThat(result.object()).isEqualTo(TestJson.of("""
                {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a', managedFields: [{manager: 'one',
                operation: 'Apply', apiVersion: 'v1', time: '2026-01-01T12:00:00Z', fieldsType: 'FieldsV1',
                fieldsV1: {'f:data': {'f:a': {}}}}]}, data: {a: '1'}}"""));
    }

    @Test
    void applyWhenAnotherOwnsAFieldWithAnotherValueAnswers409() {
        JsonNode live = apply(null, "one", false, "data: {a: '1', b: '1'}").object();
        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(() -> apply(live, "two", false, "data: {a: '2'}"))
                .withMessage("Apply failed with 1 conflict: conflict with \"one\": .data.a")
                .satisfies(e -> assertThat(e.code()).isEqualTo(409))
                .satisfies(e -> assertThat(e.toStatus().at("/details/causes/0").toString())
                        .isEqualTo("{\"reason\":\"FieldManagerConflict\",\"message\":\"conflict with \\\"one\\\"\","
                                + "\"field\":\".data.a\"}"));
        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(() -> apply(live, "two", false, "data: {a: '2', b: '2'}"))
                .withMessage("Apply failed with 2 conflicts: conflicts with \"one\":\n- .data.a\n- .data.b");
    }

    @Test
    void applyWhenForcedTakesTheField() {
        JsonNode live = apply(null, "one", false, "data: {a: '1', b: '1'}").object();
        JsonNode taken = apply(live, "two", true, "data: {a: '2'}").object();
        assertThat(taken.at("/data/a").asText()).isEqualTo("2");
        assertThat(fieldsOf(taken, "one")).isEqualTo(TestJson.of("{'f:data': {'f:b': {}}}"));
        assertThat(fieldsOf(taken, "two")).isEqualTo(TestJson.of("{'f:data': {'f:a': {}}}"));
    }

    @Test
    void applyWhenFieldIsNotAppliedAnyMoreRemovesItUnlessAnotherOwnsIt() {
        JsonNode live = apply(null, "one", false, "data: {a: '1', b: '1'}").object();
        live = apply(live, "two", false, "data: {b: '1'}").object();
        live = apply(live, "one", false, "data: {c: '1'}").object();
        assertThat(live.path("data")).isEqualTo(TestJson.of("{b: '1', c: '1'}"));
        assertThat(fieldsOf(live, "one")).isEqualTo(TestJson.of("{'f:data': {'f:c': {}}}"));
        assertThat(fieldsOf(live, "two")).isEqualTo(TestJson.of("{'f:data': {'f:b': {}}}"));
    }

    @Test
    void applyWhenNothingChangesKeepsTheTimes() {
        JsonNode live = apply(null, "one", false, "data: {a: '1'}").object();
        ApplyResult again = applyAt(NOON.plusSeconds(60), live, "one", false, "data: {a: '1'}");
        assertThat(again.changed()).isFalse();
        assertThat(again.object()).isEqualTo(live);
    }

    @Test
    void applyWhenFieldWasUpdatedByAnotherNamesItsVersionInTheConflict() {
        JsonNode live = apply(null, "one", false, "data: {a: '1'}").object();
        ObjectNode edited = live.deepCopy();
        ((ObjectNode) edited.get("data")).put("a", "2");
        JsonNode updated =
                ServerSideApply.update(live, edited, new ApplyRequest("editor", true, "v1", "", NOON), CONFIG_MAP);
        assertThat(fieldsOf(updated, "editor")).isEqualTo(TestJson.of("{'f:data': {'f:a': {}}}"));
        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(() -> apply(updated, "one", false, "data: {a: '1'}"))
                .withMessage("Apply failed with 1 conflict: conflict with \"editor\" using v1: .data.a");
    }

    @Test
    void applyWhenItemsAreKeyedMergesThemByKeyWithDefaults() {
        String ports = "{apiVersion: 'v1', kind: 'Service', metadata: {name: 'a'}, spec: {ports: [%s]}}";
        ApplyRequest one = new ApplyRequest("one", false, "v1", "", NOON);
        JsonNode live = ServerSideApply.apply(
                        null, TestJson.of(ports.formatted("{port: 80, name: 'web'}, {port: 81}")), one, SERVICE)
                .object();
        assertThat(fieldsOf(live, "one").toString())
                .contains("k:{\\\"port\\\":80,\\\"protocol\\\":\\\"TCP\\\"}", "k:{\\\"port\\\":81");
        ApplyRequest two = new ApplyRequest("two", false, "v1", "", NOON);
        JsonNode merged = ServerSideApply.apply(
                        live, TestJson.of(ports.formatted("{port: 90}, {port: 80, protocol: 'TCP'}")), two, SERVICE)
                .object();
        assertThat(merged.at("/spec/ports").findValuesAsText("port")).containsExactly("90", "80", "81");
    }

    @Test
    void applyWhenItemIsThereTwiceAnswersThatItIs() {
        JsonNode applied = TestJson.of("{apiVersion: 'v1', kind: 'Service', metadata: {name: 'a', namespace: 'n'},"
                + " spec: {ports: [{port: 80}, {port: 80}]}}");
        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(() ->
                        ServerSideApply.apply(null, applied, new ApplyRequest("one", false, "v1", "", NOON), SERVICE))
                .withMessage("failed to create typed patch object (n/a; /v1, Kind=Service): .spec.ports: duplicate"
                        + " entries for key [port=80,protocol=\"TCP\"]")
                .satisfies(e -> assertThat(e.code()).isEqualTo(500));
    }

    @Test
    void applyWhenFieldIsUnknownAnswersThatItIsNotDeclared() {
        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(() -> apply(null, "one", false, "foo: 1"))
                .withMessage(
                        "failed to create typed patch object (/a; /v1, Kind=ConfigMap): .foo: field not declared in schema");
    }

    @Test
    void updateWhenObjectIsNewOwnsItsFields() {
        JsonNode created = ServerSideApply.update(
                null,
                TestJson.of(
                        "{apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a', labels: {x: 'y'}}, data: {a: '1'}}"),
                new ApplyRequest("creator", true, "v1", "", NOON),
                CONFIG_MAP);
        assertThat(fieldsOf(created, "creator"))
                .isEqualTo(TestJson.of(
                        "{'f:data': {'.': {}, 'f:a': {}}, 'f:metadata': {'f:labels': {'.': {}, 'f:x': {}}}}"));
    }

    @Test
    void updateWhenOwnersAreResetForgetsThem() {
        JsonNode live = apply(null, "one", false, "data: {a: '1'}").object();
        ObjectNode edited = live.deepCopy();
        ((ObjectNode) edited.get("metadata")).set("managedFields", TestJson.of("[{}]"));
        JsonNode reset =
                ServerSideApply.update(live, edited, new ApplyRequest("editor", true, "v1", "", NOON), CONFIG_MAP);
        assertThat(reset.at("/metadata/managedFields").isMissingNode()).isTrue();
    }

    private static JsonNode fieldsOf(JsonNode object, String manager) {
        for (JsonNode entry : object.at("/metadata/managedFields")) {
            if (entry.path("manager").asText().equals(manager)) {
                return entry.path("fieldsV1");
            }
        }
        return TestJson.of("null");
    }
}
