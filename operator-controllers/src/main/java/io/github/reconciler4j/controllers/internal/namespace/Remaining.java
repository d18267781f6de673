package io.github.reconciler4j.controllers.internal.namespace;

import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts what is left in a namespace, and the finalizers that hold it. Not thread-safe. */
final class Remaining {

    private final Map<String, Integer> resources = new TreeMap<>();
    private final Map<String, Integer> finalizers = new TreeMap<>();

    /** Count objects of a kind. */
    void add(KindInfo kind, Collection<ObjectHeader> objects) {
        add(name(kind), objects.size());
        objects.stream()
                .flatMap(object -> object.finalizers().stream())
                .forEach(finalizer -> addFinalizer(finalizer, 1));
    }

    /** Return the name of a resource in conditions, which ends with a dot in the core group. */
    static String name(KindInfo kind) {
        return kind.plural() + "." + kind.kind().group();
    }

    /** Count objects of a resource, such as {@code pods.}, which is in the core group, or {@code deployments.apps}. */
    void add(String resource, int count) {
        add(resources, resource, count);
    }

    void addFinalizer(String finalizer, int count) {
        add(finalizers, finalizer, count);
    }

    private static void add(Map<String, Integer> counts, String name, int count) {
        if (count > 0) {
            counts.merge(name, count, Integer::sum);
        }
    }

    boolean isEmpty() {
        return resources.isEmpty();
    }

    /** Return what is left, {@code ""} if nothing is. */
    String resourceText() {
        return text(resources, "Some resources are remaining: ", " has ");
    }

    /** Return which finalizers hold it, {@code ""} if none do. */
    String finalizerText() {
        return text(finalizers, "Some content in the namespace has finalizers remaining: ", " in ");
    }

    private static String text(Map<String, Integer> counts, String start, String verb) {
        return counts.isEmpty()
                ? ""
                : counts.entrySet().stream()
                        .map(each -> each.getKey() + verb + each.getValue() + " resource instances")
                        .sorted()
                        .collect(Collectors.joining(", ", start, ""));
    }
}
