package io.github.reconciler4j.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.server.HttpUser.Reply;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CustomResourceTests {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String BEANS = "/apis/example.com/v1/namespaces/default/beans";
    private static final String DEFINITION = """
            {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: {name: 'beans.example.com'},
             spec: {group: 'example.com', scope: 'Namespaced', names: {plural: 'beans', kind: 'Bean'}, versions: [
              {name: 'v1', served: true, storage: true, subresources: {status: {}, scale: {specReplicasPath: '.spec.replicas',
               statusReplicasPath: '.status.replicas'}}, schema: {openAPIV3Schema: {type: 'object', required: ['spec'],
               properties: {spec: {type: 'object', properties: {size: {type: 'integer', maximum: 3, default: 2},
               replicas: {type: 'integer'}}}, status: {type: 'object', properties: {phase: {type: 'string', maxLength: 3},
               replicas: {type: 'integer'}}}}}}},
              {name: 'v2', served: true, storage: false, schema: {openAPIV3Schema: {type: 'object', properties: {
               spec: {type: 'object', properties: {size: {type: 'integer'}, color: {type: 'string', default: 'red'}}}}}}}]}}
            """;

    private KubernetesServer server;
    private HttpUser user;

    @BeforeEach
    void startServer() throws IOException {
        server = KubernetesServer.builder().https(false).start();
        user = new HttpUser(server.url());
        assertThat(user.post(DEFINITIONS, json(DEFINITION)).status()).isEqualTo(201);
    }

    @AfterEach
    void stopServer() {
        server.close();
    }

    private static String json(String lenient) {
        return TestJson.of(lenient).toString();
    }

    private static String bean(String name, String spec) {
        return json(
                "{apiVersion: 'example.com/v1', kind: 'Bean', metadata: {name: '" + name + "'}, spec: {" + spec + "}}");
    }

    @Test
    void createWhenFieldsAreUnknownOrMissingPrunesWarnsAndFillsIn() throws IOException {
        Reply reply = user.post(BEANS, bean("b", "color: 'red'"));

        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.body().path("spec")).isEqualTo(TestJson.of("{size: 2}"));
        assertThat(reply.response().headers().allValues("warning"))
                .containsExactly("299 - \"unknown field \\\"spec.color\\\"\"");
        assertThat(user.get(BEANS + "/b").body().path("spec")).isEqualTo(TestJson.of("{size: 2}"));
    }

    @Test
    void createWhenStrictRefusesUnknownFields() throws IOException {
        Reply reply = user.post(BEANS + "?fieldValidation=Strict", bean("b", "size: 1, color: 'red'"));

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.message())
                .isEqualTo("Bean in version \"v1\" cannot be handled as a Bean: strict decoding error:"
                        + " unknown field \"spec.color\"");
    }

    @Test
    void writesWhenSchemaIsBrokenAreInvalid() throws IOException {
        assertThat(user.post(BEANS, bean("b", "size: 1")).status()).isEqualTo(201);

        Reply created = user.post(BEANS, bean("c", "size: 4"));
        Reply patched = user.send(
                "PATCH", BEANS + "/b", "{\"spec\":{\"size\":\"x\"}}", "Content-Type", "application/merge-patch+json");
        Reply status = user.send(
                "PATCH",
                BEANS + "/b/status",
                "{\"status\":{\"phase\":\"long\"}}",
                "Content-Type",
                "application/merge-patch+json");

        assertThat(created.status()).isEqualTo(422);
        assertThat(created.message())
                .isEqualTo("Bean.example.com \"c\" is invalid: spec.size: Invalid value: 4:"
                        + " spec.size in body should be less than or equal to 3");
        assertThat(patched.status()).isEqualTo(422);
        assertThat(status.message()).contains("status.phase: Too long: may not be more than 3 bytes");
        assertThat(user.get(BEANS + "/b").body().path("spec")).isEqualTo(TestJson.of("{size: 1}"));
    }

    @Test
    void readsWhenVersionOrSchemaDiffersPruneAndFillIn() throws IOException {
        assertThat(user.post(BEANS, bean("b", "size: 1, replicas: 5")).status()).isEqualTo(201);

        JsonNode second = user.get(BEANS.replace("v1", "v2") + "/b").body();
        ObjectNode definition =
                (ObjectNode) user.get(DEFINITIONS + "/beans.example.com").body();
        ((ObjectNode) definition.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties"))
                .putObject("shape")
                .put("type", "string")
                .put("default", "round");
        assertThat(user.send("PUT", DEFINITIONS + "/beans.example.com", definition.toString())
                        .status())
                .isEqualTo(200);

        assertThat(second.path("spec")).isEqualTo(TestJson.of("{size: 1}"));
        assertThat(user.get(BEANS + "/b").body().path("spec"))
                .isEqualTo(TestJson.of("{size: 1, replicas: 5, shape: 'round'}"));
        assertThat(user.get(BEANS).body().at("/items/0/spec/shape").asText()).isEqualTo("round");
    }

    @Test
    void writesWhenInAnotherVersionThanTheStoredOneKeepWhatBothKnow() throws IOException {
        String second = BEANS.replace("v1", "v2");
        ObjectNode object = (ObjectNode) TestJson.of(bean("b", "color: 'blue'"));
        object.put("apiVersion", "example.com/v2");

        Reply tried = user.post(second + "?dryRun=All", object.toString());
        Reply created = user.post(second, object.toString());
        Reply patched = user.send(
                "PATCH",
                second + "/b",
                "{\"spec\":{\"color\":\"red\"}}",
                "Content-Type",
                "application/merge-patch+json");

        for (Reply reply : new Reply[] {tried, created, patched, user.get(second + "/b")}) {
            assertThat(reply.body().path("spec")).isEqualTo(TestJson.of("{size: 2}"));
        }
        assertThat(user.get(second).body().at("/items/0/spec")).isEqualTo(TestJson.of("{size: 2}"));
        assertThat(user.get(BEANS + "/b").body().path("spec")).isEqualTo(TestJson.of("{size: 2}"));
    }

    @Test
    void applyWhenNullIsNotAllowedIsInvalidUnlessADefaultTakesItsPlace() throws IOException {
        Reply refused = apply("c", bean("c", "replicas: null"));
        Reply accepted = apply("d", bean("d", "size: null"));

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.message())
                .isEqualTo("Bean.example.com \"c\" is invalid: spec.replicas: Invalid value: \"null\":"
                        + " spec.replicas in body must be of type integer: \"null\"");
        assertThat(accepted.status()).isEqualTo(201);
        assertThat(accepted.body().path("spec")).isEqualTo(TestJson.of("{size: 2}"));
    }

    @Test
    void applyWhenCharactersAreEscapedRefusesHalvesOfPairs() throws IOException {
        String object =
                "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Bean\",\"metadata\":{\"name\":\"b\",\"annotations\":{"
                        + "\"a\":\"%s\"}},\"spec\":{}}";

        assertThat(apply("b", object.formatted("\\ud83d\\ude00")).status()).isEqualTo(400);
        assertThat(apply("b", object.formatted("\\\\\\ud83d")).status()).isEqualTo(400);
        for (String text : new String[] {"\\\\ud83d", "\ud83d\ude00", "\\\\ud83d \ud83d\ude00", "\\U0001F600"}) {
            assertThat(apply("b", object.formatted(text)).status()).as(text).isIn(200, 201);
        }
    }

    private Reply apply(String name, String object) throws IOException {
        String path = BEANS + "/" + name + "?fieldManager=me";
        return user.send("PATCH", path, object, "Content-Type", "application/apply-patch+yaml");
    }

    @Test
    void statusWriteWhenTheVersionHasNoStatusSubresourceIsNotFound() throws IOException {
        assertThat(user.post(BEANS, bean("b", "size: 1")).status()).isEqualTo(201);

        for (String version : new String[] {"v1", "v2"}) {
            Reply reply = user.send(
                    "PATCH",
                    BEANS.replace("v1", version) + "/b/status",
                    "{\"status\":{\"phase\":\"ok\"}}",
                    "Content-Type",
                    "application/merge-patch+json");

            assertThat(reply.status()).as(version).isEqualTo(version.equals("v1") ? 200 : 404);
        }
    }

    @Test
    void scaleWhenTheObjectHasNoReplicasIsAnErrorUntilOneSetsThem() throws IOException {
        assertThat(user.post(BEANS, bean("b", "size: 1")).status()).isEqualTo(201);

        Reply read = user.get(BEANS + "/b/scale");
        Reply other = user.send(
                "PATCH",
                BEANS + "/b/scale",
                "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}",
                "Content-Type",
                "application/merge-patch+json");
        Reply scaled = user.send(
                "PATCH",
                BEANS + "/b/scale",
                "{\"spec\":{\"replicas\":2}}",
                "Content-Type",
                "application/merge-patch+json");

        assertThat(read.status()).isEqualTo(500);
        assertThat(read.message())
                .isEqualTo("Internal error occurred: the spec replicas field \".spec.replicas\" does not exist");
        assertThat(other.status()).isEqualTo(400);
        assertThat(other.message()).isEqualTo("the spec replicas field \".spec.replicas\" cannot be empty");
        assertThat(scaled.status()).isEqualTo(200);
        assertThat(user.get(BEANS + "/b/scale").body().path("spec")).isEqualTo(TestJson.of("{replicas: 2}"));
    }

    @Test
    void createWhenBuiltInHasWrongTypeNamesTheField() throws IOException {
        Reply reply = user.post(
                "/apis/apps/v1/namespaces/default/deployments",
                json("{metadata: {name: 'd'}, spec: {replicas: 'many'}}"));

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.message())
                .isEqualTo(
                        "Deployment in version \"v1\" cannot be handled as a Deployment: cannot decode string into field"
                                + " spec.replicas of type integer");
    }

    @Test
    void createWhenBuiltInGetsTheServersDefaults() throws IOException {
        Reply service = user.post(
                "/api/v1/namespaces/default/services", json("{metadata: {name: 's'}, spec: {ports: [{port: 80}]}}"));

        assertThat(service.body().at("/spec/clusterIP").asText()).startsWith("10.96.");
        assertThat(service.body().at("/spec/ports/0"))
                .isEqualTo(TestJson.of("{port: 80, protocol: 'TCP', targetPort: 80}"));
        assertThat(service.body().at("/spec/sessionAffinity").asText()).isEqualTo("None");
    }
}
