package io.github.reconciler4j.spring.autoconfigure;

import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks the names of namespaces, since the watch of a namespace that cannot exist never delivers anything. */
final class NamespaceNames {

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    private NamespaceNames() {}

    /** Throw an exception that names the property if the name is invalid. Without a name, the property has a default. */
    static void check(String property, @Nullable String name) {
        if (name != null && !name.isBlank()) {
            check(property, List.of(name));
        }
    }

    /** Throw an exception that names the property if a name is invalid. */
    static void check(String property, Collection<String> names) {
        for (String name : names) {
            if (!NAME.matcher(name).matches()) {
                throw OperatorConfigurationException.property(
                        property,
                        "contains '" + name + "', which is not a valid name of a namespace: use at most 63 lower-case"
                                + " letters, digits and hyphens, with a letter or digit at both ends",
                        null);
            }
        }
    }
}
