package io.github.reconciler4j.cache;

import java.util.Map;

/**
 * Changes objects before the cache stores them, for instance to remove fields that are never read. Implementations are
 * thread-safe and must not change {@code metadata.name}, {@code namespace}, {@code uid} or {@code resourceVersion}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ObjectTransform {

    /**
     * Change an object in place. If this throws or changes one of those four fields, the cache stores the original object.
     *
     * @param object the object as maps, lists, strings, numbers and booleans; the cache does not use it for anything else
     */
    void transform(Map<String, Object> object);
}
