package io.github.reconciler4j.sample.controllers.support;

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
        return selector != null
                && io.github.reconciler4j.scheme.LabelSelector.of(selector).matches(labels(object));
    }

    /** Return whether a selector has no requirement at all, so that it selects everything. */
    public static boolean isEmpty(@Nullable LabelSelector selector) {
        return selector != null
                && (selector.getMatchLabels() == null
                        || selector.getMatchLabels().isEmpty())
                && selector.getMatchExpressions().isEmpty();
    }

    /**
     * Return those owners whose selector selects an object. An object without labels has none, nor has a selector that
     * is empty or not valid any say.
     */
    public static <T> List<T> matching(
            Collection<T> owners, Function<T, @Nullable LabelSelector> selector, HasMetadata object) {
        return labels(object).isEmpty()
                ? List.of()
                : owners.stream()
                        .filter(owner ->
                                !isEmpty(selector.apply(owner)) && isValidAndMatches(selector.apply(owner), object))
                        .toList();
    }

    private static boolean isValidAndMatches(@Nullable LabelSelector selector, HasMetadata object) {
        try {
            return matches(selector, object);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static Map<String, String> labels(HasMetadata object) {
        return object.getMetadata().getLabels() == null
                ? Map.of()
                : object.getMetadata().getLabels();
    }
}
