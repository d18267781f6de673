package io.github.reconciler4j.client.internal;

import io.github.reconciler4j.client.ListOptions;
import java.util.List;
import java.util.Map;

/** The query parameters that select objects. */
final class ListQueries {

    private ListQueries() {}

    static void addSelectors(Map<String, List<String>> query, ListOptions options) {
        if (!options.labelSelector().isEmpty()) {
            query.put("labelSelector", List.of(options.labelSelector()));
        }
        if (!options.fieldSelector().isEmpty()) {
            query.put("fieldSelector", List.of(options.fieldSelector()));
        }
    }
}
