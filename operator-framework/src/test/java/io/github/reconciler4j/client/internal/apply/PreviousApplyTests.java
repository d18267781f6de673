package io.github.reconciler4j.client.internal.apply;

import static io.github.reconciler4j.client.internal.AnsweringConnection.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.internal.AnsweringConnection;
import io.github.reconciler4j.client.internal.apply.ConditionalApply.ApplyIntent;
import io.github.reconciler4j.client.internal.write.ApplyTrees;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the server is asked whether a previous run has applied the same. */
class PreviousApplyTests {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String HEAD =
            "{'apiVersion':'apps.example/v1','kind':'Widget','metadata':{'name':'foo','namespace':'shop'";
    private static final KindInfo KIND = new KindInfo(KindName.of("apps.example/v1", "Widget"), "widgets", true);
    private static final String LIVE = HEAD + ",'uid':'u','managedFields':[{'manager':'me','operation':'Apply',"
            + "'apiVersion':'apps.example/v1','fieldsV1':{'f:spec':{'f:a':{}}}}]},'spec':{'a':1}}";

    private final AnsweringConnection server = new AnsweringConnection(request -> json(200, LIVE));

    private static <T> T read(String json, Class<T> type) throws Exception {
        return MAPPER.readValue(json.replace('\'', '"'), type);
    }

    private Optional<GenericKubernetesResource> find(String spec, @Nullable GenericKubernetesResource cached)
            throws Exception {
        ObjectNode tree = read(HEAD + "},'spec':" + spec + "}", ObjectNode.class);
        return new PreviousApply(server.core())
                .find(
                        new ApplyIntent<>(
                                KIND,
                                ObjectKey.of("shop", "foo"),
                                GenericKubernetesResource.class,
                                tree,
                                ApplyTrees.given(tree),
                                "me"),
                        cached);
    }

    private static GenericKubernetesResource cached(String metadata, String spec) throws Exception {
        return read(HEAD + metadata + "},'spec':" + spec + "}", GenericKubernetesResource.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a':1}|{'a':1}|true",
                "{'a':1}|{'a':1,'b':2}|true",
                "{'a':1}|{'a':'1'}|true", // numbers can be written in different ways
                "{'a':1}|{'b':1}|false",
                "{'a':[1]}|{'a':[2]}|true", // the server decides about lists
                "{'a':[1]}|{'b':[1]}|false",
                "{'a':'x'}|{'a':'x'}|true",
                "{'a':'x'}|{'a':'y'}|false",
                "{'a':'x'}|{'b':'x'}|false",
                "{'a':true}|{'a':true}|true",
                "{'a':true}|{'a':false}|false",
                "{'a':{}}|{'a':{}}|true",
                "{'a':{}}|{'a':1}|false",
                "{'a':{}}|{}|false",
                "{'a':{'b':'x'}}|{'a':{'b':'x'}}|true",
                "{'a':{'b':'x'}}|{'a':{'b':'y'}}|false",
            })
    void serverIsAskedOnlyIfTheCachedObjectMayHaveTheFields(String wanted, String cached, boolean asked)
            throws Exception {
        find(wanted, cached("", cached));
        assertThat(server.takeRequests()).hasSize(asked ? 1 : 0);
    }

    @Test
    void serverIsNotAskedForATerminatingObject() throws Exception {
        assertThat(find("{'a':1}", cached(",'deletionTimestamp':'2026-01-01T00:00:00Z'", "{'a':1}")))
                .isEmpty();
        assertThat(server.takeRequests()).isEmpty();
    }

    @Test
    void serverIsAskedForTheCachedVersionOrANewerOne() throws Exception {
        assertThat(find("{'a':1}", cached(",'resourceVersion':'7'", "{'a':1}"))).isPresent();
        assertThat(find("{'a':1}", cached("", "{'a':1}"))).isPresent();
        assertThat(find("{'a':1}", null)).isPresent();
        assertThat(server.requests())
                .extracting(ApiRequest::query)
                .containsExactly(Map.of("resourceVersion", List.of("7")), Map.of(), Map.of());
        assertThat(server.requests())
                .extracting(ApiRequest::timeout)
                .containsOnly(server.core().options().timeout());
    }

    @Test
    void objectIsThatOfTheServer() throws Exception {
        GenericKubernetesResource found = find("{'a':1}", null).orElseThrow();
        assertThat(found.getMetadata().getUid()).isEqualTo("u");
        assertThat(find("{'a':2}", null)).isEmpty();
    }
}
