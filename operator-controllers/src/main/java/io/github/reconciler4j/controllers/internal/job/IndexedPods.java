package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads what the annotations of pods say about their completion index and the failures that it has had. */
final class IndexedPods {

    static final String INDEX = "batch.kubernetes.io/job-completion-index";
    static final String FAILURES = "batch.kubernetes.io/job-index-failure-count";
    static final String IGNORED_FAILURES = "batch.kubernetes.io/job-index-ignored-failure-count";

    /** What {@link #index} returns for a pod without a valid index. */
    static final int UNKNOWN = -1;

    private IndexedPods() {}

    static int index(Pod pod) {
        return number(pod, INDEX, UNKNOWN);
    }

    /** Whether a pod has an index that its Job counts. */
    static boolean hasIndexBelow(Pod pod, int completions) {
        int index = index(pod);
        return index != UNKNOWN && index < completions;
    }

    static Set<Integer> indexes(Collection<Pod> pods) {
        return pods.stream()
                .map(IndexedPods::index)
                .filter(index -> index != UNKNOWN)
                .collect(Collectors.toSet());
    }

    /** How often pods of the index have failed before this one, failures that a policy ignores excluded. */
    static int failures(Pod pod) {
        return number(pod, FAILURES, 0);
    }

    static int ignoredFailures(Pod pod) {
        return number(pod, IGNORED_FAILURES, 0);
    }

    static int allFailures(Pod pod) {
        return failures(pod) + ignoredFailures(pod);
    }

    /** Anyone can change annotations: a value that is no number, or a negative one, counts as none. */
    private static int number(Pod pod, String annotation, int otherwise) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        Integer number = annotations == null ? null : parse(annotations.get(annotation));
        return number == null || number < 0 ? otherwise : number;
    }

    private static @Nullable Integer parse(@Nullable String text) {
        try {
            return text == null ? null : Integer.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
