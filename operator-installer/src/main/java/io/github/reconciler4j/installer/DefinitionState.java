package io.github.reconciler4j.installer;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionCondition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionNames;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionSpec;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersionBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a definition says, and how the one of the API server differs from the one of the operator. */
final class DefinitionState {

    private DefinitionState() {}

    static String name(CustomResourceDefinition definition) {
        return definition.getMetadata().getName();
    }

    static boolean isDeleted(CustomResourceDefinition live) {
        return live.getMetadata().getDeletionTimestamp() != null;
    }

    /** Returns an annotation, empty if the definition has none of this key. */
    static String annotation(CustomResourceDefinition definition, String key) {
        Map<String, String> annotations = definition.getMetadata().getAnnotations();
        @Nullable String value = annotations == null ? null : annotations.get(key);
        return Objects.requireNonNullElse(value, "");
    }

    /** Returns the version that new objects are stored in. */
    static String storageVersion(CustomResourceDefinition definition) {
        return definition.getSpec().getVersions().stream()
                .filter(version -> Boolean.TRUE.equals(version.getStorage()))
                .map(CustomResourceDefinitionVersion::getName)
                .findFirst()
                .orElseThrow();
    }

    /** Returns a version that objects can be read in, the storage version if it is served, empty if none is. */
    static String servedVersion(CustomResourceDefinition definition) {
        String storage = storageVersion(definition);
        List<String> served = definition.getSpec().getVersions().stream()
                .filter(version -> Boolean.TRUE.equals(version.getServed()))
                .map(CustomResourceDefinitionVersion::getName)
                .toList();
        return served.contains(storage) ? storage : served.stream().findFirst().orElse("");
    }

    /** Returns the versions that objects may be stored in according to the API server, which does not know it for certain. */
    static List<String> storedVersions(CustomResourceDefinition live) {
        return live.getStatus() == null
                ? List.of()
                : Objects.requireNonNullElse(live.getStatus().getStoredVersions(), List.of());
    }

    /**
     * Returns the versions of the API server's definition that the operator's does not have, not served. Objects may be stored
     * in each of them, whatever {@code status.storedVersions} says: a StorageVersionMigration that has failed shortens it, too.
     */
    static List<CustomResourceDefinitionVersion> formerVersions(
            CustomResourceDefinition definition, CustomResourceDefinition live) {
        Set<String> kept = definition.getSpec().getVersions().stream()
                .map(CustomResourceDefinitionVersion::getName)
                .collect(Collectors.toSet());
        return live.getSpec().getVersions().stream()
                .filter(version -> !kept.contains(version.getName()))
                .map(version -> new CustomResourceDefinitionVersionBuilder(version)
                        .withServed(false)
                        .withStorage(false)
                        .build())
                .toList();
    }

    static String names(List<CustomResourceDefinitionVersion> versions) {
        return versions.stream().map(CustomResourceDefinitionVersion::getName).collect(Collectors.joining(", "));
    }

    /** Returns what others have changed in the versions that the operator has applied, empty if nothing. */
    static String changedVersions(CustomResourceDefinition definition, CustomResourceDefinition live) {
        String unserved = unservedVersion(definition, live);
        if (!unserved.isEmpty()) {
            return unserved + " is not served";
        }
        for (CustomResourceDefinitionVersion version : definition.getSpec().getVersions()) {
            CustomResourceDefinitionVersion now = find(live, version.getName()).orElse(null);
            if (now == null) {
                return version.getName() + " is missing";
            }
            if (Boolean.TRUE.equals(now.getServed()) && !Boolean.TRUE.equals(version.getServed())) {
                return version.getName() + " is served";
            }
        }
        String storage = storageVersion(live);
        return storage.equals(storageVersion(definition)) ? "" : "objects are stored in " + storage;
    }

    /** Returns a version that the operator serves and the API server does not, empty if there is no such version. */
    static String unservedVersion(CustomResourceDefinition definition, CustomResourceDefinition live) {
        return definition.getSpec().getVersions().stream()
                .filter(version -> Boolean.TRUE.equals(version.getServed()))
                .map(CustomResourceDefinitionVersion::getName)
                .filter(name -> find(live, name)
                        .filter(now -> Boolean.TRUE.equals(now.getServed()))
                        .isEmpty())
                .findFirst()
                .orElse("");
    }

    private static Optional<CustomResourceDefinitionVersion> find(CustomResourceDefinition live, String version) {
        return live.getSpec().getVersions().stream()
                .filter(candidate -> version.equals(candidate.getName()))
                .findFirst();
    }

    /** Returns why a definition is not established. A new one has {@code conditions: null} for a moment. */
    static String notEstablished(CustomResourceDefinition live) {
        List<CustomResourceDefinitionCondition> listed = live.getStatus() == null
                ? List.of()
                : Objects.requireNonNullElse(live.getStatus().getConditions(), List.of());
        List<CustomResourceDefinitionCondition> conditions =
                listed.stream().filter(Objects::nonNull).toList();
        return conditions.stream()
                .filter(condition ->
                        "NamesAccepted".equals(condition.getType()) && "False".equals(condition.getStatus()))
                .findFirst()
                .map(condition -> "its names are taken: " + condition.getMessage())
                .orElseGet(() -> conditions.stream()
                                .anyMatch(condition -> "Established".equals(condition.getType())
                                        && "True".equals(condition.getStatus()))
                        ? ""
                        : "it is not established");
    }

    /** Returns what a definition lacks before anything can be done with it, empty if nothing. The API server checks the rest. */
    static String problem(CustomResourceDefinition definition) {
        if (definition.getMetadata() == null || isBlank(definition.getMetadata().getName())) {
            return "metadata.name is missing";
        }
        CustomResourceDefinitionSpec spec = definition.getSpec();
        if (spec == null || isBlank(spec.getGroup())) {
            return "spec.group of " + name(definition) + " is missing";
        }
        CustomResourceDefinitionNames names = spec.getNames();
        if (names == null || isBlank(names.getKind()) || isBlank(names.getPlural())) {
            return "spec.names of " + name(definition) + " must have a kind and a plural";
        }
        List<CustomResourceDefinitionVersion> versions = spec.getVersions();
        if (versions == null || versions.stream().anyMatch(version -> version == null || isBlank(version.getName()))) {
            return "each of spec.versions of " + name(definition) + " must have a name";
        }
        long stored = versions.stream()
                .filter(version -> Boolean.TRUE.equals(version.getStorage()))
                .count();
        return stored == 1
                ? ""
                : "exactly one of spec.versions of " + name(definition) + " must have 'storage: true', but " + stored
                        + " have";
    }

    private static boolean isBlank(@Nullable String text) {
        return text == null || text.isBlank();
    }
}
