package io.github.reconciler4j.test.server.internal.apimachinery.patch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import io.github.reconciler4j.test.server.internal.apimachinery.RealApi;
import io.github.reconciler4j.test.server.internal.apimachinery.RealApi.Answer;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import io.github.reconciler4j.test.server.internal.apimachinery.Things;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.BuiltInTypes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Patches, carried out by a real API server and by our functions. */
@RealKubernetesTest(components = {})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PatchIntegrationTests {

    private static final String DEPLOYMENT_PATH = "/apis/apps/v1/namespaces/default/deployments/patched";
    private static final TypeSchema DEPLOYMENT =
            BuiltInTypes.get().typeSchema("apps/v1", "Deployment").orElseThrow();

    private RealApi api;
    private JsonNode thing;
    private JsonNode deployment;

    @BeforeAll
    void createObjects(RealKubernetes kubernetes) {
        api = new RealApi(kubernetes);
        Things.install(api);
        ObjectNode newThing = Things.of(
                "patched",
                "text: 'a', number: 1, free: {a: 1, b: {c: [1, 2, 3]}, 'x/y': {'~': true}, n: null, e: {}, f: 1.5},"
                        + " set: ['a', 'b'], items: [{name: 'a', sub: {x: '1'}}, {name: 'b'}], map: {a: 'b'}");
        thing = created(Things.PATH, newThing);
        deployment = created("/apis/apps/v1/namespaces/default/deployments", PatchCases.deployment());
    }

    private JsonNode created(String path, JsonNode object) {
        Answer answer = api.create(path, object);
        assertThat(answer.status()).as(answer.message()).isEqualTo(201);
        return answer.body();
    }

    @AfterAll
    void close() {
        api.close();
    }

    static List<String> jsonPatches() throws IOException {
        return PatchCases.jsonPatches();
    }

    @ParameterizedTest
    @MethodSource("jsonPatches")
    void jsonPatchWhenAppliedDoesWhatTheServerDoes(String patch) {
        JsonNode content = TestJson.of(patch);
        compare(Things.PATH + "/patched", "json", thing, content, live -> JsonPatch.apply(live, content));
    }

    static List<String> mergePatches() {
        return PatchCases.mergePatches();
    }

    @ParameterizedTest
    @MethodSource("mergePatches")
    void mergePatchWhenAppliedDoesWhatTheServerDoes(String patch) {
        JsonNode content = TestJson.of(patch);
        compare(Things.PATH + "/patched", "merge", thing, content, live -> MergePatch.apply(live, content));
    }

    static List<String> strategicPatches() throws IOException {
        return PatchCases.strategicPatches();
    }

    @ParameterizedTest
    @MethodSource("strategicPatches")
    void strategicMergePatchWhenAppliedDoesWhatTheServerDoes(String patch) {
        JsonNode content = TestJson.of(patch);
        compare(
                DEPLOYMENT_PATH,
                "strategic-merge",
                deployment,
                content,
                live -> StrategicMergePatch.apply(live, content, DEPLOYMENT));
    }

    /** Sends the patch, and in its place what we make of the object; both must leave the same, or fail the same way. */
    private void compare(String path, String kind, JsonNode live, JsonNode patch, UnaryOperator<JsonNode> function) {
        Answer patched = api.patch(path + "?dryRun=All", kind, patch);
        JsonNode ours;
        try {
            ours = function.apply(live);
        } catch (StatusException e) {
            assertThat(e.code() + " " + e.reason())
                    .isEqualTo(patched.status() + " "
                            + patched.body().path("reason").asText());
            return;
        }
        Answer replaced = api.replace(path + "?dryRun=All", ours);
        if (patched.status() == 200) {
            // kube-apiserver orders items that it deletes and adds at once by their place in a reused array
            boolean isOrdered = !patch.toString().contains("$setElementOrder");
            assertThat(contents(replaced, isOrdered)).isEqualTo(contents(patched, isOrdered));
        } else {
            assertThat(replaced.status()).as(patched.message()).isEqualTo(patched.status());
        }
    }

    private static Object contents(Answer answer, boolean isOrdered) {
        if (answer.status() != 200) {
            return answer.status();
        }
        ObjectNode copy = answer.body().deepCopy();
        ((ObjectNode) copy.get("metadata")).remove(List.of("resourceVersion", "managedFields"));
        if (!isOrdered) {
            sort(copy);
        }
        List<Object> parts = new ArrayList<>();
        copy.properties().forEach(field -> parts.add(field.getKey() + ": " + field.getValue()));
        return String.join("\n", parts.stream().map(Object::toString).sorted().toList());
    }

    private static void sort(JsonNode node) {
        node.forEach(PatchIntegrationTests::sort);
        if (node instanceof ArrayNode list) {
            List<JsonNode> items = new ArrayList<>();
            list.forEach(items::add);
            items.sort(Comparator.comparing(JsonNode::toString));
            list.removeAll().addAll(items);
        }
    }
}
