package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;

/** The content of bookmark events. */
final class Bookmarks {
    private Bookmarks() {}

    static ObjectNode metadata(long version, boolean initialEnd) {
        ObjectNode metadata = Json.object();
        metadata.put("resourceVersion", Long.toString(version));
        if (initialEnd) {
            metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
        }
        return metadata;
    }
}
