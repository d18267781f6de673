package io.github.reconciler4j.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What test suites of other controllers ask for; the transcript {@code clients} compares it with a real server. */
class ClientSuiteTests {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String JSON = "application/json";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String METADATA = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

    private final KubernetesServer server =
            KubernetesServer.builder().https(false).start();

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpResponse<String> send(String verb, String path, String accept, String type, String body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .header("Accept", accept)
                .header("Content-Type", type)
                .method(verb, BodyPublishers.ofString(body.replace('\'', '"')))
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode create(String path, String object) throws IOException, InterruptedException {
        HttpResponse<String> response = send("POST", path, JSON, JSON, object);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        return MAPPER.readTree(response.body());
    }

    private HttpResponse<String> patch(String path, String patch) throws IOException, InterruptedException {
        return send("PATCH", path, JSON, "application/strategic-merge-patch+json", patch);
    }

    @Test
    void createWhenDryRunHasNoResourceVersionAndStoresNothing() throws Exception {
        JsonNode dry = create(MAPS + "?dryRun=All", "{'metadata':{'name':'a'}}");
        assertThat(dry.at("/metadata/uid").asText()).isNotEmpty();
        assertThat(dry.path("metadata").has("resourceVersion")).isFalse();
        assertThat(send("GET", MAPS + "/a", JSON, JSON, "").statusCode()).isEqualTo(404);
        assertThat(create(MAPS, "{'metadata':{'name':'a'}}").path("metadata").has("resourceVersion"))
                .isTrue();
    }

    @Test
    void listOfMetadataWhenItHasALimitHasPages() throws Exception {
        String namespace = "/api/v1/namespaces/pages/configmaps";
        create("/api/v1/namespaces", "{'metadata':{'name':'pages'}}");
        for (String name : new String[] {"a1", "a2", "a3"}) {
            create(namespace, "{'metadata':{'name':'" + name + "'}}");
        }
        JsonNode first = MAPPER.readTree(
                send("GET", namespace + "?limit=2", METADATA, JSON, "").body());
        assertThat(first.path("kind").asText()).isEqualTo("PartialObjectMetadataList");
        assertThat(first.path("items")).hasSize(2);
        assertThat(first.at("/metadata/remainingItemCount").asInt()).isPositive();
        String more = first.at("/metadata/continue").asText();
        assertThat(more).isNotEmpty();
        JsonNode second = MAPPER.readTree(send("GET", namespace + "?limit=2&continue=" + more, METADATA, JSON, "")
                .body());
        assertThat(second.findValuesAsText("name")).contains("a3").doesNotContain("a1", "a2");
    }

    @Test
    void getWhenOnlyProtobufIsAcceptedSaysThatThereIsNone() throws Exception {
        HttpResponse<String> refused = send("GET", MAPS, PROTOBUF, JSON, "");
        assertThat(refused.statusCode()).isEqualTo(406);
        assertThat(refused.body()).contains("the test server writes JSON and YAML, not protobuf");
        HttpResponse<String> either = send("GET", MAPS, PROTOBUF + "," + JSON, JSON, "");
        assertThat(either.statusCode()).isEqualTo(200);
        assertThat(MAPPER.readTree(either.body()).path("kind").asText()).isEqualTo("ConfigMapList");
    }

    @Test
    void updateOfPodWhenItsDeadlineGrowsOrEndsIsInvalid() throws Exception {
        create(
                PODS,
                "{'metadata':{'name':'a'},'spec':{'activeDeadlineSeconds':10,"
                        + "'containers':[{'name':'c','image':'i'}]}}");
        HttpResponse<String> longer = patch(PODS + "/a", "{'spec':{'activeDeadlineSeconds':20}}");
        assertThat(longer.statusCode()).isEqualTo(422);
        assertThat(longer.body()).contains("must be less than or equal to previous value");
        HttpResponse<String> none = patch(PODS + "/a", "{'spec':{'activeDeadlineSeconds':null}}");
        assertThat(none.statusCode()).isEqualTo(422);
        assertThat(none.body()).contains("must not update from a positive integer to nil value");
        assertThat(patch(PODS + "/a", "{'spec':{'activeDeadlineSeconds':5}}").statusCode())
                .isEqualTo(200);
        assertThat(patch(PODS + "/a", "{'spec':{'hostNetwork':true}}").body())
                .contains("pod updates may not change fields other than");
    }

    @Test
    void resizeOfPodWhenItsQualityOfServiceChangesIsInvalid() throws Exception {
        create(
                PODS,
                "{'metadata':{'name':'a'},'spec':{'containers':[{'name':'c','image':'i',"
                        + "'resources':{'requests':{'cpu':'100m','memory':'10Mi'}}}]}}");
        String resize = PODS + "/a/resize";
        HttpResponse<String> guaranteed = patch(
                resize,
                "{'spec':{'containers':[{'name':'c','resources':" + "{'limits':{'cpu':'100m','memory':'10Mi'}}}]}}");
        assertThat(guaranteed.statusCode()).isEqualTo(422);
        assertThat(guaranteed.body()).contains("Pod QOS Class may not change as a result of resizing");
        assertThat(patch(resize, "{'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':'200m'}}}]}}")
                        .statusCode())
                .isEqualTo(200);
    }
}
