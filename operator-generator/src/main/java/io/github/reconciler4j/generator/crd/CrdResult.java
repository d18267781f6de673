package io.github.reconciler4j.generator.crd;

import java.util.List;
import java.util.Map;

/**
 * The generated definitions, and warnings about them. Immutable.
 *
 * @param definitions the definitions as trees, by name
 * @param warnings sentences for people
 * @since 0.1.0
 */
public record CrdResult(List<Map<String, Object>> definitions, List<String> warnings) {

    /** Copies the lists. */
    public CrdResult {
        definitions = List.copyOf(definitions);
        warnings = List.copyOf(warnings);
    }
}
