package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.scheme.KindName;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds the kinds that properties name: {@code apps/v1/Deployment} is any kind, {@code Deployment} a kind that a reconciler
 * declares. Immutable.
 */
final class KindNames {

    private final Set<KindName> declared;

    KindNames(Collection<KindName> declared) {
        this.declared = Set.copyOf(declared);
    }

    Set<KindName> findAll(String property, Collection<String> names) {
        return names.stream().map(name -> find(property, name)).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * Return the kind of a name.
     *
     * @param property the property that names it, for errors
     */
    KindName find(String property, String name) {
        int slash = name.lastIndexOf('/');
        if (slash >= 0) {
            return OperatorConfigurationException.fromProperty(
                    property, () -> KindName.of(name.substring(0, slash), name.substring(slash + 1)));
        }
        List<KindName> found = declared.stream()
                .filter(kind -> kind.kind().equalsIgnoreCase(name))
                .toList();
        if (found.size() != 1) {
            throw notOne(property, name, found.isEmpty());
        }
        return found.get(0);
    }

    private OperatorConfigurationException notOne(String property, String name, boolean none) {
        return OperatorConfigurationException.property(
                property,
                "names the kind '" + name + "', which "
                        + (none ? "no reconciler declares" : "several reconcilers declare in different groups")
                        + ": write group, version and kind, such as 'v1/Secret' or 'apps/v1/Deployment', in brackets if it is"
                        + " part of a property's name, such as 'reconciler4j.cache.kinds[v1/Secret]'. Declared kinds are "
                        + text(),
                null);
    }

    /** Return whether a name stands for a declared kind. */
    static boolean isNameOf(String name, KindName kind) {
        return name.equalsIgnoreCase(kind.kind()) || name.equals(kind.apiVersion() + "/" + kind.kind());
    }

    private Set<String> text() {
        return declared.stream().map(KindName::kind).collect(Collectors.toCollection(TreeSet::new));
    }
}
