package io.github.reconciler4j.cache;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Selects the namespaces in which a kind is watched. Has no effect on cluster-scoped kinds. Immutable.
 *
 * <p>{@link #all} and {@link #allExcept} take one watch for all namespaces; every namespace that is named or matched by
 * its labels takes a watch of its own.
 *
 * <!-- snippet: CacheSettings -->
 * <pre>{@code
 * return CachedNamespaces.allExcept(Set.of("kube-system"))
 *         .with("shop", ObjectSelector.everything().withLabels("app=shop"));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class CachedNamespaces {

    private static final CachedNamespaces NONE = new CachedNamespaces(false, "", Set.of(), Set.of(), Map.of());
    private static final CachedNamespaces ALL = new CachedNamespaces(true, "", Set.of(), Set.of(), Map.of());

    private final boolean others;
    private final String labelSelector;
    private final Set<String> named;
    private final Set<String> excluded;
    private final Map<String, ObjectSelector> selectors;

    private CachedNamespaces(
            boolean others,
            String labelSelector,
            Set<String> named,
            Set<String> excluded,
            Map<String, ObjectSelector> selectors) {
        this.others = others;
        this.labelSelector = labelSelector;
        this.named = Set.copyOf(named);
        this.excluded = Set.copyOf(excluded);
        this.selectors = Map.copyOf(selectors);
        if (named.stream().anyMatch(String::isBlank) || excluded.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException(
                    "'namespaces' must not contain a blank name; use CachedNamespaces.all() for all namespaces");
        }
    }

    /** Return a selection of all namespaces, which takes one watch. */
    public static CachedNamespaces all() {
        return ALL;
    }

    /** Return a selection of no namespace, to be changed later ({@link Cache#changeNamespaces}); it takes no watch. */
    public static CachedNamespaces none() {
        return NONE;
    }

    /**
     * Return a selection of the given namespaces, which takes a watch for each.
     *
     * @throws IllegalArgumentException if there is no name, or one is blank
     */
    public static CachedNamespaces only(Set<String> names) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException(
                    "'namespaces' must not be empty; use CachedNamespaces.all() or CachedNamespaces.none()");
        }
        return new CachedNamespaces(false, "", names, Set.of(), Map.of());
    }

    /** Return a selection of all namespaces except the given ones, which takes one watch; the API server filters. */
    public static CachedNamespaces allExcept(Set<String> names) {
        return ALL.without(names);
    }

    /**
     * Return a selection of the namespaces whose labels match, which takes a watch for each. Namespaces are watched as well,
     * and the selection follows them as they are created, deleted and relabeled. The operator needs the permission to list
     * and watch namespaces.
     *
     * @throws IllegalArgumentException if the selector is blank
     */
    public static CachedNamespaces matchingLabels(String labelSelector) {
        if (labelSelector.isBlank()) {
            throw new IllegalArgumentException(
                    "'labelSelector' must not be blank; use CachedNamespaces.all() for all namespaces");
        }
        return new CachedNamespaces(false, labelSelector, Set.of(), Set.of(), Map.of());
    }

    /**
     * Return a copy of this selection that excludes the given namespaces, even if something else selects them.
     *
     * @throws IllegalArgumentException if a name is blank
     */
    public CachedNamespaces without(Set<String> names) {
        Set<String> more = new HashSet<>(excluded);
        more.addAll(names);
        return new CachedNamespaces(others, labelSelector, named, more, selectors);
    }

    /**
     * Return a copy of this selection that includes the given namespace too, with a selector that replaces the one of the
     * kind there.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public CachedNamespaces with(String namespace, ObjectSelector selector) {
        Set<String> moreNamed = new HashSet<>(named);
        moreNamed.add(namespace);
        Map<String, ObjectSelector> moreSelectors = new HashMap<>(selectors);
        moreSelectors.put(namespace, selector);
        return new CachedNamespaces(others, labelSelector, moreNamed, excluded, moreSelectors);
    }

    /** Return the namespaces that are selected by their names. */
    public Set<String> named() {
        return named;
    }

    /** Return whether all namespaces that are not named are selected too. */
    public boolean others() {
        return others;
    }

    /** Return the namespaces that are never selected. */
    public Set<String> excluded() {
        return excluded;
    }

    /** Return the selector for labels of namespaces; {@code ""} selects none. */
    public String labelSelector() {
        return labelSelector;
    }

    /** Return the selectors that replace the one of the kind, by namespace. */
    public Map<String, ObjectSelector> selectors() {
        return selectors;
    }

    /** Return whether the selection depends on the labels of namespaces. */
    public boolean isFollowed() {
        return !labelSelector.isBlank();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CachedNamespaces that
                && others == that.others
                && labelSelector.equals(that.labelSelector)
                && named.equals(that.named)
                && excluded.equals(that.excluded)
                && selectors.equals(that.selectors);
    }

    @Override
    public int hashCode() {
        return Objects.hash(others, labelSelector, named, excluded, selectors);
    }

    @Override
    public String toString() {
        return "CachedNamespaces[" + (others ? "all" : "") + new TreeSet<>(named)
                + (isFollowed() ? ", labels " + labelSelector : "")
                + (excluded.isEmpty() ? "" : ", without " + new TreeSet<>(excluded))
                + (selectors.isEmpty() ? "" : ", " + new TreeMap<>(selectors)) + "]";
    }
}
