package io.github.reconciler4j.paths;

import java.lang.annotation.Annotation;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The types that a path enters.
 *
 * @param types the names of all
 * @param files the names of the files that do something: those with an entered type that is no data, option or metric
 */
record TracedTypes(Set<String> types, Set<String> files) {

    private static final String ROOT = "io.github.reconciler4j.";

    static TracedTypes of(Set<String> types) {
        return new TracedTypes(
                new TreeSet<>(types),
                types.stream()
                        .filter(TracedTypes::doesSomething)
                        .map(TracedTypes::file)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    private static String file(String type) {
        int nested = type.indexOf('$');
        return (nested < 0 ? type : type.substring(0, nested)).substring(ROOT.length());
    }

    /** Values, settings, errors and metrics are read by their names; what a path does is elsewhere. */
    private static boolean doesSomething(String name) {
        Class<?> type = load(name);
        return !type.isRecord()
                && !Enum.class.isAssignableFrom(type)
                && !Throwable.class.isAssignableFrom(type)
                && !Annotation.class.isAssignableFrom(type)
                && !name.contains("Options")
                && !name.contains("Metrics")
                && !name.contains(".metrics.");
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, TracedTypes.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError("the type was entered", e);
        }
    }

    @Override
    public String toString() {
        return files.size() + " files (" + types.size() + " types):\n" + String.join("\n", files) + "\n-- types\n"
                + String.join("\n", types);
    }
}
