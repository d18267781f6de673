package io.github.reconciler4j.client.internal.request;

import static io.github.reconciler4j.client.internal.AnsweringConnection.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.UnexpectedResponseException;
import io.github.reconciler4j.client.internal.AnsweringConnection;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which responses count as lists of a kind. */
class ResponseChecksTests {

    private static final String META = "'metadata':{'resourceVersion':'1'}";
    private static final KindInfo SHEEP = kind("apps.example/v1", "Sheep");

    /** Serves the kinds Sheep, Wolf and Wool of this group. */
    private final AnsweringConnection server = new AnsweringConnection(request -> json(
            200,
            "{'kind':'APIResourceList','resources':["
                    + "{'name':'sheep','kind':'Sheep','namespaced':true,'verbs':[]},"
                    + "{'name':'wolves','kind':'Wolf','namespaced':true,'verbs':[]},"
                    + "{'name':'wool','kind':'WoolList','namespaced':true,'verbs':[]}]}"));

    private final ClientCore core = server.core();

    private static KindInfo kind(String apiVersion, String kind) {
        return new KindInfo(KindName.of(apiVersion, kind), "things", true);
    }

    private static JsonNode tree(String text) throws Exception {
        return new ObjectMapper().readTree(text.replace('\'', '"'));
    }

    private static ClientCall call(KindInfo kind, String accept) {
        ApiRequest request = ApiRequest.of("list", "GET", "/apis/apps.example/v1/sheep");
        return Call.read(ClientCall.Verb.LIST, kind, Optional.empty(), "", request.withAccept(accept));
    }

    private boolean isList(KindInfo kind, String accept, String text) throws Exception {
        try {
            ResponseChecks.checkList(core, tree(text), call(kind, accept));
            return true;
        } catch (UnexpectedResponseException e) {
            assertThat(e).hasMessageContaining("is there a proxy");
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "SheepList, apps.example/v1, true",
        "SheepList, apps.example/v2, false",
        "SheepList, v1, false",
        "Flock, apps.example/v1, true",
        "FlockList, apps.example/v1, true",
        "Flock, v1, false",
        "Wolf, apps.example/v1, false",
        "WolfList, apps.example/v1, false",
        "WoolList, apps.example/v1, false",
        "List, apps.example/v1, true",
        "not-a-kind, apps.example/v1, false",
        "'', apps.example/v1, false",
        "PartialObjectMetadataList, meta.k8s.io/v1, false"
    })
    void listMayHaveAnyNameThatNoOtherKindOfTheGroupHas(String kind, String apiVersion, boolean isList)
            throws Exception {
        String head = "{'kind':'" + kind + "','apiVersion':'" + apiVersion + "',";
        assertThat(isList(SHEEP, ApiRequest.JSON, head + META + ",'items':[]}")).isEqualTo(isList);
    }

    /** Only definitions can name their lists. */
    @Test
    void listOfABuiltInKindHasItsName() throws Exception {
        KindInfo deployment = kind("apps/v1", "Deployment");
        String rest = ",'apiVersion':'apps/v1'," + META + ",'items':[]}";
        assertThat(isList(deployment, ApiRequest.JSON, "{'kind':'DeploymentList'" + rest))
                .isTrue();
        assertThat(isList(deployment, ApiRequest.JSON, "{'kind':'Deployments'" + rest))
                .isFalse();
    }

    @Test
    void listOfMetadataIsAcceptedIfItWasRequested() throws Exception {
        String partial = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
        String rest = ",'apiVersion':'meta.k8s.io/v1'," + META
                + ",'items':[{'kind':'PartialObjectMetadata','metadata':{'name':'a'}}]}";
        assertThat(isList(SHEEP, partial, "{'kind':'PartialObjectMetadataList'" + rest))
                .isTrue();
        assertThat(isList(SHEEP, partial, "{'kind':'Other'" + rest)).isFalse();
        assertThat(isList(
                        SHEEP, partial, "{'kind':'SheepList','apiVersion':'apps.example/v1'," + META + ",'items':[]}"))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'metadata':{'resourceVersion':'1'},'items':null|true",
                "'metadata':{'resourceVersion':'1'}|false",
                "'metadata':{'resourceVersion':'1'},'items':1|false",
                "'metadata':{},'items':[]|false",
                "'items':[]|false",
                "'metadata':{'resourceVersion':'1'},'items':[{'metadata':{'name':'a'}}]|true",
                "'metadata':{'resourceVersion':'1'},'items':[{'kind':'Sheep','metadata':{'name':'a'}}]|true",
                "'metadata':{'resourceVersion':'1'},'items':[{'kind':'Wolf','metadata':{'name':'a'}}]|false",
                "'metadata':{'resourceVersion':'1'},'items':[{'metadata':{'name':1}}]|false",
                "'metadata':{'resourceVersion':'1'},'items':[{'metadata':{'name':'a'}},{}]|false",
            })
    void listHasAVersionAndItemsOfItsKindWithNames(String rest, boolean isList) throws Exception {
        String head = "{'kind':'SheepList','apiVersion':'apps.example/v1',";
        assertThat(isList(SHEEP, ApiRequest.JSON, head + rest + "}")).isEqualTo(isList);
    }

    @Test
    void statusIsOneOfSuccess() throws Exception {
        ClientCall call = call(SHEEP, ApiRequest.JSON);
        assertThat(ResponseChecks.isStatusOfSuccess(tree("{'kind':'Status','status':'Success'}"), call))
                .isTrue();
        assertThat(ResponseChecks.isStatusOfSuccess(tree("{'kind':'Sheep','status':'Success'}"), call))
                .isFalse();
        assertThatThrownBy(() -> ResponseChecks.isStatusOfSuccess(tree("{'kind':'Status'}"), call))
                .isInstanceOf(UnexpectedResponseException.class);
    }
}
