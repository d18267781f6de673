package io.github.reconciler4j.installer;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionSpec;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds what a definition must have before anything can be done with it. The API server checks everything else. */
final class DefinitionCheck {

    private DefinitionCheck() {}

    /** Throws an exception for the first definition that cannot be installed. */
    static void check(List<CustomResourceDefinition> definitions) {
        Set<String> names = new HashSet<>();
        for (CustomResourceDefinition definition : definitions) {
            String problem = problem(definition);
            String name = definition.getMetadata() == null
                    ? null
                    : definition.getMetadata().getName();
            if (!problem.isEmpty()) {
                throw new IllegalArgumentException("'definitions' must be complete, but "
                        + (isBlank(name) ? "one" : name) + " has a fault: " + problem);
            }
            if (!names.add(CrdInstaller.name(definition))) {
                throw new IllegalArgumentException("'definitions' must have different names, but two have " + name);
            }
        }
    }

    /** Returns what is wrong with a definition, empty if nothing is. */
    static String problem(CustomResourceDefinition definition) {
        if (definition.getMetadata() == null || isBlank(definition.getMetadata().getName())) {
            return "metadata.name is missing";
        }
        CustomResourceDefinitionSpec spec = definition.getSpec();
        if (spec == null || isBlank(spec.getGroup())) {
            return "spec.group is missing";
        }
        if (spec.getNames() == null
                || isBlank(spec.getNames().getKind())
                || isBlank(spec.getNames().getPlural())) {
            return "spec.names must have a kind and a plural";
        }
        return problemOfVersions(spec.getVersions());
    }

    private static String problemOfVersions(@Nullable List<CustomResourceDefinitionVersion> versions) {
        if (versions == null || versions.stream().anyMatch(version -> version == null || isBlank(version.getName()))) {
            return "spec.versions must have a name each";
        }
        long stored = versions.stream()
                .filter(version -> Boolean.TRUE.equals(version.getStorage()))
                .count();
        return stored == 1 ? "" : "one of spec.versions must have 'storage: true', " + stored + " have";
    }

    private static boolean isBlank(@Nullable String text) {
        return text == null || text.isBlank();
    }
}
