package io.github.reconciler4j.cache;

import java.util.Map;

/**
 * Changes objects before the cache stores them, for instance to remove fields that are never read. Implementations are
 * thread-safe and must not change {@code metadata.name}, {@code namespace}, {@code uid} or {@code resourceVersion}.
 *
 * <!-- snippet: CacheSettings -->
 * <pre>{@code
 * ObjectTransform transform = secret -> secret.computeIfPresent("data", (field, data) -> Map.of());
 * return KindCacheOptions.defaults().withTransform(transform);
 * }</pre>
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
