package io.github.reconciler4j.client.internal.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.internal.write.ApplyTrees;
import io.github.reconciler4j.test.KubernetesServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On the server in the JVM. */
class ManagedFieldsComparisonTests extends ManagedFieldsComparisonPromises {

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
    void mapWhenAppliedEmptyAndFilledByOthersIsNotOwnedAsAWhole() throws Exception {
        assertThat(isApplied("{}")).as("the map as one value").isTrue();
        assertThat(isApplied("{\"f:k\":{}}")).as("a map to which others add").isFalse();
    }

    private static boolean isApplied(String ofOthers) throws JsonProcessingException {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode wanted = (ObjectNode) mapper.readTree(
                "{\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"x\"},\"spec\":{\"free\":{\"k\":\"a\"}}}");
        ObjectNode live = wanted.deepCopy();
        live.withObjectProperty("metadata")
                .set("managedFields", mapper.readTree("[" + entry("me", "{}") + "," + entry("other", ofOthers) + "]"));
        return ManagedFieldsComparison.isApplied(wanted, ApplyTrees.given(wanted), live, "me");
    }

    private static String entry(String manager, String free) {
        return "{\"manager\":\"" + manager + "\",\"operation\":\"Apply\",\"apiVersion\":\"v1\",\"fieldsV1\":"
                + "{\"f:spec\":{\"f:free\":" + free + "}}}";
    }
}
