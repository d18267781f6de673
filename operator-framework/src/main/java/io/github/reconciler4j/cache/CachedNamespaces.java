package io.github.reconciler4j.cache;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * In which namespaces a kind is watched, and what is watched there. Means nothing for cluster-scoped kinds. Immutable.
 *
 * @param named namespaces with a watch each
 * @param others whether all namespaces that are not named are watched too, by one watch together
 * @param excluded namespaces that are not watched, whatever else is said
 * @param labelSelector selects further namespaces by their labels, with a watch each; they are followed as namespaces
 *     come, go and change, which needs the right to list and watch namespaces. {@code ""} selects none
 * @param selectors what to watch in a namespace instead of what the kind's settings say; only for named ones
 * @since 0.1.0
 */
public record CachedNamespaces(
        Set<String> named,
        boolean others,
        Set<String> excluded,
        String labelSelector,
        Map<String, ObjectSelector> selectors) {

    private static final CachedNamespaces ALL = new CachedNamespaces(Set.of(), true, Set.of(), "", Map.of());

    /** Checks that no name is blank and that selectors are for named namespaces. */
    public CachedNamespaces {
        named = Set.copyOf(named);
        excluded = Set.copyOf(excluded);
        selectors = Map.copyOf(selectors);
        if (named.stream().anyMatch(String::isBlank) || excluded.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException(
                    "'namespaces' must not contain a blank name; use CachedNamespaces.all() for all");
        }
        if (!named.containsAll(selectors.keySet())) {
            throw new IllegalArgumentException("'selectors' must be for named namespaces, were for "
                    + new TreeSet<>(selectors.keySet()) + " with " + new TreeSet<>(named) + " named");
        }
    }

    /** All namespaces, with one watch. */
    public static CachedNamespaces all() {
        return ALL;
    }

    /** These namespaces, with a watch each. */
    public static CachedNamespaces only(Set<String> names) {
        return new CachedNamespaces(names, false, Set.of(), "", Map.of());
    }

    /** All namespaces but these, with one watch; the server leaves them out. */
    public static CachedNamespaces allExcept(Set<String> names) {
        return new CachedNamespaces(Set.of(), true, names, "", Map.of());
    }

    /** The namespaces whose labels match at the time, with a watch each. */
    public static CachedNamespaces matchingLabels(String labelSelector) {
        return new CachedNamespaces(Set.of(), false, Set.of(), labelSelector, Map.of());
    }

    /** The same without some namespaces. */
    public CachedNamespaces without(Set<String> names) {
        Set<String> more = new HashSet<>(excluded);
        more.addAll(names);
        return new CachedNamespaces(named, others, more, labelSelector, selectors);
    }

    /** The same, with a namespace in which something else is watched than in the others. */
    public CachedNamespaces with(String namespace, ObjectSelector selector) {
        Set<String> moreNamed = new HashSet<>(named);
        moreNamed.add(namespace);
        Map<String, ObjectSelector> moreSelectors = new HashMap<>(selectors);
        moreSelectors.put(namespace, selector);
        return new CachedNamespaces(moreNamed, others, excluded, labelSelector, moreSelectors);
    }

    /** Whether which namespaces there are depends on their labels. */
    public boolean isFollowed() {
        return !labelSelector.isBlank();
    }
}
