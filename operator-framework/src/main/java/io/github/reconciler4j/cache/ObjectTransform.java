package io.github.reconciler4j.cache;

import java.util.Map;

/**
 * Changes objects before the cache keeps them, for instance to leave out what nobody reads. Must not change
 * {@code metadata.name}, {@code namespace}, {@code uid} or {@code resourceVersion}. Called by several threads.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ObjectTransform {

    /**
     * Changes an object in place. If it throws, or changes those four, the object is kept as it came.
     *
     * @param object the object as maps, lists, strings, numbers and booleans; it belongs to the callee
     */
    void transform(Map<String, Object> object);
}
