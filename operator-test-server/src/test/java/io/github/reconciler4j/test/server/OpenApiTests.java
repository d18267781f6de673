package io.github.reconciler4j.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OpenApiTests {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final KubernetesServer server =
            KubernetesServer.builder().https(false).start();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void indexWhenAskedNamesADocumentForEachGroupAndVersion() throws Exception {
        JsonNode paths = get("/openapi/v3").path("paths");

        assertThat(paths.has("api/v1")).isTrue();
        assertThat(paths.has("apis/apps/v1")).isTrue();
        for (JsonNode document : paths) {
            String url = document.path("serverRelativeURL").asText();
            assertThat(get(url).path("paths")).as(url).isNotEmpty();
        }
    }

    @Test
    void documentWhenPatchIsDescribedSaysThatFieldsAreValidated() throws Exception {
        JsonNode patch = get("/openapi/v3/apis/apps/v1")
                .path("paths")
                .path("/apis/apps/v1/namespaces/{namespace}/deployments/{name}")
                .path("patch");

        assertThat(patch.path("parameters").findValuesAsText("name")).contains("fieldValidation");
        assertThat(patch.path("x-kubernetes-group-version-kind").path("kind").asText())
                .isEqualTo("Deployment");
    }

    @Test
    void documentWhenSchemasReferToOthersHoldsThemAll() throws Exception {
        JsonNode schemas = get("/openapi/v3/apis/apps/v1").path("components").path("schemas");

        assertThat(schemas.path("io.k8s.api.apps.v1.Deployment")
                        .path("description")
                        .asText())
                .contains("Deployment");
        schemas.findValues("$ref").stream()
                .filter(JsonNode::isTextual)
                .map(reference -> reference.asText().substring("#/components/schemas/".length()))
                .forEach(name -> assertThat(schemas.has(name)).as(name).isTrue());
    }

    @Test
    void documentWhenGroupIsUnknownIsNotFound() throws Exception {
        assertThat(answer("/openapi/v3/apis/nowhere/v1").statusCode()).isEqualTo(404);
    }

    @Test
    void documentOfVersion2WhenAskedHasNoKinds() throws Exception {
        HttpResponse<String> answer = answer("/openapi/v2");

        assertThat(answer.body()).isEqualTo("\n\u00032.0");
        assertThat(answer.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).contains("proto-openapi.spec.v2"));
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = answer(path);
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return MAPPER.readTree(answer.body());
    }

    private HttpResponse<String> answer(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(server.url() + path)).build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
