package io.github.reconciler4j.controllers.internal.support;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Applies the label selectors in the specs of objects.
 *
 * @since 0.1.0
 */
public final class Selectors {

    private Selectors() {}

    /**
     * Return whether a selector selects an object. One that is absent selects nothing, one without requirements selects
     * everything.
     *
     * @throws IllegalArgumentException if the selector is not valid
     */
    public static boolean matches(@Nullable LabelSelector selector, HasMetadata object) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return matches(selector, labels == null ? Map.of() : labels);
    }

    /**
     * Return whether a selector selects objects with these labels.
     *
     * @throws IllegalArgumentException if the selector is not valid
     */
    public static boolean matches(@Nullable LabelSelector selector, Map<String, String> labels) {
        return selector != null
                && io.github.reconciler4j.scheme.LabelMatcher.of(selector).matches(labels);
    }

    /** Return whether a selector has no requirement at all, so that it selects everything. */
    public static boolean isEmpty(@Nullable LabelSelector selector) {
        return selector != null
                && (selector.getMatchLabels() == null
                        || selector.getMatchLabels().isEmpty())
                && selector.getMatchExpressions().isEmpty();
    }

    /**
     * Return those owners whose selector selects an object with these labels. An object without labels has none, and
     * selectors that are empty or not valid select nothing.
     */
    public static <T> List<T> matching(
            Collection<T> owners, Function<T, @Nullable LabelSelector> selector, Map<String, String> labels) {
        return labels.isEmpty()
                ? List.of()
                : owners.stream()
                        .filter(owner ->
                                !isEmpty(selector.apply(owner)) && isValidAndMatches(selector.apply(owner), labels))
                        .toList();
    }

    private static boolean isValidAndMatches(@Nullable LabelSelector selector, Map<String, String> labels) {
        try {
            return matches(selector, labels);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
