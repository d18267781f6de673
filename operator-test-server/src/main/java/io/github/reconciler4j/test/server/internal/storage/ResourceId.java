package io.github.reconciler4j.test.server.internal.storage;

/**
 * Which collection of objects: all versions of a resource share one.
 *
 * @param group the API group, empty for the core group
 * @param plural the lower-case plural, such as {@code deployments}
 */
public record ResourceId(String group, String plural) {
    @Override
    public String toString() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
