package io.github.reconciler4j.test.server.internal.render;

import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.HashMap;
import java.util.Map;

/** The columns of built-in kinds. */
final class BuiltInColumns {
    private static final Map<String, Columns> ALL = all();
    private static final Columns PLAIN = new PlainColumns();

    private BuiltInColumns() {}

    private static Map<String, Columns> all() {
        Map<String, Columns> all = new HashMap<>();
        all.put("pods", new PodColumns());
        WorkloadColumns.addTo(all);
        NetworkColumns.addTo(all);
        CoreColumns.addTo(all);
        OtherColumns.addTo(all);
        return all;
    }

    static Columns of(ResourceType type) {
        return ALL.getOrDefault(type.id().toString(), PLAIN);
    }
}
