package io.github.reconciler4j.client.internal.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.TimeSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes from an object what must not or need not be applied.
 *
 * @since 0.1.0
 */
public final class ApplyTrees {

    private static final Logger LOG = LoggerFactory.getLogger(ApplyTrees.class);
    private static final LogLimiter READ = new LogLimiter(Duration.ofHours(1), TimeSource.system());

    private ApplyTrees() {}

    /** Return the object in the form that is applied; changes the given tree. */
    public static ObjectNode forObject(ObjectNode tree, ApplyOptions options) {
        ObjectNode metadata = tree.withObjectProperty("metadata");
        if (metadata.hasNonNull("creationTimestamp")) {
            String kind = tree.path("kind").asText();
            READ.log(
                    kind,
                    occurrence -> LOG.warn(
                            "An applied {} was read from the server, so this operator now owns all its fields, also those"
                                    + " of users: apply an object with your fields alone, or use edit or update (R4J-117){}",
                            kind,
                            occurrence.suffix()));
        }
        metadata.remove(List.of("managedFields", "creationTimestamp", "generation", "selfLink"));
        if (!options.optimisticLock()) {
            metadata.remove("resourceVersion");
        }
        return tree;
    }

    /**
     * Return what an apply of a tree sets, in the form in which the server returns it: the object without the fields that only
     * identify it, and of a Secret {@code data} instead of {@code stringData}. The result shares its values with the tree.
     */
    public static ObjectNode given(ObjectNode tree) {
        ObjectNode given = KubernetesJson.mapper().createObjectNode();
        given.setAll(tree);
        given.remove(List.of("apiVersion", "kind"));
        if (given.get("metadata") instanceof ObjectNode metadata) {
            ObjectNode rest = given.putObject("metadata");
            rest.setAll(metadata);
            rest.remove(List.of("name", "namespace", "uid", "resourceVersion"));
            if (rest.isEmpty()) {
                given.remove("metadata");
            }
        }
        if (given.path("stringData").isObject()
                && tree.path("kind").asText().equals("Secret")
                && tree.path("apiVersion").asText().equals("v1")) {
            return withData(given);
        }
        return given;
    }

    /** Return a tree without the uid and the version of an object that it may be for. The result shares its values with the tree. */
    public static ObjectNode content(ObjectNode tree) {
        JsonNode metadata = tree.path("metadata");
        if (!metadata.has("uid") && !metadata.has("resourceVersion")) {
            return tree;
        }
        ObjectNode content = KubernetesJson.mapper().createObjectNode();
        content.setAll(tree);
        ObjectNode rest = content.putObject("metadata");
        rest.setAll((ObjectNode) metadata);
        rest.remove(List.of("uid", "resourceVersion"));
        return content;
    }

    private static ObjectNode withData(ObjectNode secret) {
        ObjectNode data = KubernetesJson.mapper().createObjectNode();
        if (secret.get("data") instanceof ObjectNode given) {
            data.setAll(given);
        }
        for (Map.Entry<String, JsonNode> text : secret.path("stringData").properties()) {
            byte[] bytes = text.getValue().asText("").getBytes(StandardCharsets.UTF_8);
            data.put(text.getKey(), Base64.getEncoder().encodeToString(bytes));
        }
        secret.remove("stringData");
        secret.set("data", data);
        return secret;
    }

    /** Return the object in the form that is applied to its status; changes the given tree. */
    static ObjectNode forStatus(ObjectNode tree, ApplyOptions options) {
        ObjectNode metadata = tree.withObjectProperty("metadata");
        metadata.retain("name", "namespace", "uid", options.optimisticLock() ? "resourceVersion" : "name");
        tree.retain("apiVersion", "kind", "metadata", "status");
        JsonNode status = tree.get("status");
        if (status == null || status.isNull()) {
            tree.putObject("status");
        }
        return tree;
    }
}
