package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.kubernetes.NeedsKubernetes;
import io.github.reconciler4j.test.kubernetes.NewestKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import io.github.reconciler4j.test.server.internal.apimachinery.RealApi;
import io.github.reconciler4j.test.server.internal.apimachinery.RealApi.Answer;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import io.github.reconciler4j.test.server.internal.apimachinery.Things;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Right and wrong custom resources, judged by a real API server and by our functions. */
@RealKubernetesTest(components = {})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StructuralSchemaIntegrationTests {

    private static final String PATH = "/apis/trees.example.com/v1/namespaces/default/checks";
    private static final JsonNode DEFINITION = Things.read("checks.json");
    private static final StructuralSchema SCHEMA =
            StructuralSchema.of(DEFINITION.at("/spec/versions/0/schema/openAPIV3Schema"));

    private RealApi api;

    @BeforeAll
    void start(RealKubernetes kubernetes) {
        api = new RealApi(kubernetes);
        Things.define(api, DEFINITION, PATH);
    }

    @AfterAll
    void stop() {
        api.close();
    }

    @Test
    @NewestKubernetes
    void newObjectsWhenCheckedGetTheSameAnswer() {
        List<String> differences = new ArrayList<>();
        for (JsonNode object : CheckCases.all()) {
            Answer answer = api.create(PATH + "?dryRun=All&fieldValidation=Warn", object);
            ObjectNode decoded = decoded(object);
            compareErrors(object.toString(), answer, SCHEMA.validate(decoded), differences);
            if (answer.status() == 201
                    && !JsonValues.equal(contents(answer.body()), JsonValues.stored(contents(decoded)))) {
                differences.add(object + "\n  server: " + contents(answer.body()) + "\n  ours:   " + contents(decoded));
            }
            List<String> unknown = SCHEMA.prune(object.deepCopy()).stream()
                    .map(field -> "unknown field \"" + field + "\"")
                    .toList();
            if (answer.status() == 201 && !answer.warnings().equals(unknown)) {
                differences.add(object + "\n  server: " + answer.warnings() + "\n  ours:   " + unknown);
            }
        }
        assertThat(differences).isEmpty();
    }

    @Test
    @NewestKubernetes
    void updatesWhenCheckedForgiveTheSame() {
        List<String> differences = new ArrayList<>();
        Random random = new Random(6);
        for (int i = 0; i < 40; i++) {
            tighten(false);
            JsonNode created = createValid("u-" + i, random);
            tighten(true);
            for (int j = 0; created != null && j < 4; j++) {
                ObjectNode changed = created.deepCopy();
                ObjectNode spec = (ObjectNode) changed.get("spec");
                CheckCases.of(CheckCases.generated(random))
                        .path("spec")
                        .properties()
                        .forEach(field -> spec.set(field.getKey(), field.getValue()));
                Answer answer = api.replace(PATH + "/u-" + i + "?dryRun=All", changed);
                StructuralSchema tight = StructuralSchema.of(tightened());
                tight.reshape(changed);
                compareErrors(
                        created.path("spec") + "\n  -> " + spec, answer, tight.validate(changed, created), differences);
            }
        }
        assertThat(differences).isEmpty();
    }

    /** Creates an object under the loose schema; null if the generated one is not valid. */
    private JsonNode createValid(String name, Random random) {
        for (int i = 0; i < 20; i++) {
            ObjectNode object = CheckCases.of(CheckCases.generated(random));
            ((ObjectNode) object.get("metadata")).put("name", name);
            Answer answer = api.create(PATH, object);
            if (answer.status() == 201) {
                return answer.body();
            }
        }
        return null;
    }

    /** Makes the schema stricter, so that stored objects become wrong, or as it was. */
    private void tighten(boolean tight) {
        String path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/checks.trees.example.com";
        ObjectNode definition = api.get(path).body().deepCopy();
        JsonNode schema = tight ? tightened() : DEFINITION.at("/spec/versions/0/schema/openAPIV3Schema");
        ((ObjectNode) definition.at("/spec/versions/0/schema")).set("openAPIV3Schema", schema);
        Answer answer = api.replace(path, definition);
        assertThat(answer.status()).as(answer.message()).isEqualTo(200);
        await("the new schema is used").atMost(Duration.ofSeconds(30)).until(() -> {
            ObjectNode probe = CheckCases.of("{must: 'x', text: 'abcd'}");
            return (api.create(PATH + "?dryRun=All", probe).status() == 201) != tight;
        });
    }

    private static JsonNode tightened() {
        ObjectNode schema =
                DEFINITION.at("/spec/versions/0/schema/openAPIV3Schema").deepCopy();
        ObjectNode spec = (ObjectNode) schema.at("/properties/spec/properties");
        ((ObjectNode) spec.get("text")).put("maxLength", 3);
        ((ObjectNode) spec.get("must")).put("minLength", 2);
        ((ObjectNode) spec.get("number")).put("maximum", 3);
        ((ObjectNode) spec.get("list")).put("maxItems", 1);
        ((ObjectNode) spec.at("/list/items")).put("maxLength", 0);
        ((ObjectNode) spec.at("/objects/items/properties/size")).put("maximum", 0);
        ((ObjectNode) spec.get("map")).put("maxProperties", 1);
        ((ObjectNode) spec.at("/map/additionalProperties")).put("minimum", 4);
        ((ObjectNode) spec.get("choice")).putArray("enum").add("green");
        ((ObjectNode) spec.at("/deep/properties/a/properties/b")).put("minLength", 5);
        ((ObjectNode) spec.get("oneOf")).putArray("oneOf");
        ((ObjectNode) spec.get("oneOf")).remove("oneOf");
        ((ObjectNode) spec.get("oneOf")).putArray("required").add("b");
        return schema;
    }

    @Test
    @NeedsKubernetes("1.31") // before, the paths of errors did not start with the status
    void statusUpdatesWhenCheckedGetTheSameAnswer() {
        List<String> differences = new ArrayList<>();
        tighten(false);
        JsonNode created =
                api.create(PATH, named("s", CheckCases.of("{must: 'x'}"))).body();
        for (String status : List.of(
                "{phase: 'a'}", "{}", "{phase: 'abcdefg'}", "{phase: 1, count: -1}", "1", "{phase: 'a', zz: 1}")) {
            ObjectNode changed = created.deepCopy();
            changed.set("status", TestJson.of(status));
            Answer answer = api.replace(PATH + "/s/status?dryRun=All", changed);
            compareErrors(status, answer, SCHEMA.validateStatus(decoded(changed), created), differences);
        }
        assertThat(differences).isEmpty();
    }

    private static JsonNode named(String name, ObjectNode object) {
        ((ObjectNode) object.get("metadata")).put("name", name);
        return object;
    }

    private static ObjectNode decoded(JsonNode object) {
        ObjectNode decoded = object.deepCopy();
        SCHEMA.reshape(decoded);
        if (decoded.at("/metadata/resourceVersion").isMissingNode()) {
            decoded.remove("status");
        }
        return decoded;
    }

    private static JsonNode contents(JsonNode object) {
        return ((ObjectNode) object.deepCopy()).retain("spec", "status", "other");
    }

    private static void compareErrors(String title, Answer answer, List<FieldError> ours, List<String> differences) {
        TreeSet<String> theirs = new TreeSet<>();
        for (JsonNode cause : answer.body().at("/details/causes")) {
            theirs.add(
                    cause.path("field").asText() + ": " + cause.path("reason").asText());
        }
        TreeSet<String> found = new TreeSet<>();
        ours.forEach(error -> found.add(error.path() + ": " + error.reason()));
        boolean accepted = answer.status() < 300;
        if (accepted ? !ours.isEmpty() : answer.status() == 422 && !theirs.equals(found)) {
            differences.add(title + "\n  server: " + answer.status() + " " + theirs + "\n  ours:   " + found);
        } else if (!accepted && answer.status() != 422) {
            differences.add(title + "\n  server: " + answer.status() + " " + answer.message());
        }
    }
}
