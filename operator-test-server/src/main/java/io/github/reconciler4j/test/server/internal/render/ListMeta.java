package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;

/**
 * The metadata of a list.
 *
 * @param version the version at which it was read
 * @param continueToken the token of the next page, empty for the last page
 * @param remaining the number of objects on later pages, 0 if unknown
 */
public record ListMeta(long version, String continueToken, long remaining) {
    ObjectNode tree() {
        return tree(false);
    }

    /** Return the same; {@code always} is whether a list that is complete says so with an empty token. */
    ObjectNode tree(boolean always) {
        ObjectNode metadata = Json.object();
        metadata.put("resourceVersion", Long.toString(version));
        if (always || !continueToken.isEmpty()) {
            metadata.put("continue", continueToken);
        }
        if (remaining > 0) {
            metadata.put("remainingItemCount", remaining);
        }
        return metadata;
    }
}
