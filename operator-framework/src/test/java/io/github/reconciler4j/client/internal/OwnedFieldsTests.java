package io.github.reconciler4j.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.test.KubernetesServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On the server in the JVM. */
class OwnedFieldsTests extends OwnedFieldsPromises {

    private final KubernetesServer server = KubernetesServer.start();
    private final ApiConnection connection = ApiConnection.open(server.clientConfig());

    @Override
    ApiConnection connection() {
        return connection;
    }

    @AfterEach
    void close() {
        connection.close();
        server.close();
    }

    @Test
    void mapThatWasAppliedEmptyAndFilledByOthersIsNotOwnedWholly() throws Exception {
        assertThat(areThose("{}")).as("the map as one value").isTrue();
        assertThat(areThose("{\"f:k\":{}}")).as("a map to which others add").isFalse();
    }

    private static boolean areThose(String ofOthers) throws JsonProcessingException {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode wanted = (ObjectNode) mapper.readTree(
                "{\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"x\"},\"spec\":{\"free\":{\"k\":\"a\"}}}");
        ObjectNode live = wanted.deepCopy();
        live.withObjectProperty("metadata")
                .set("managedFields", mapper.readTree("[" + entry("me", "{}") + "," + entry("other", ofOthers) + "]"));
        return OwnedFields.areThose(wanted, live, "me", mapper);
    }

    private static String entry(String manager, String free) {
        return "{\"manager\":\"" + manager + "\",\"operation\":\"Apply\",\"apiVersion\":\"v1\",\"fieldsV1\":"
                + "{\"f:spec\":{\"f:free\":" + free + "}}}";
    }
}
