package io.github.reconciler4j.client.internal.discovery;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/** Features of the API server that old versions of Kubernetes lack by default, and what happens instead. */
final class MissingFeatures {

    private static final List<Feature> FEATURES = List.of(
            new Feature("selectable fields of custom resources (select them by labels)", minor -> minor < 31),
            new Feature("lists as streams (each list is one response)", minor -> minor < 32 || minor == 33),
            new Feature("pages from a snapshot (lists are not read in pages)", minor -> minor < 34),
            new Feature("MutatingAdmissionPolicy (use a Defaulter)", minor -> minor < 36),
            new Feature(
                    "StorageVersionMigration v1 (the operator rewrites stored objects itself)", minor -> minor < 37));

    private record Feature(String text, IntPredicate isMissing) {}

    private MissingFeatures() {}

    /** Returns a sentence about what a minor version lacks, empty if it lacks nothing. */
    static String sentence(int minor) {
        String missing = FEATURES.stream()
                .filter(feature -> feature.isMissing().test(minor))
                .map(Feature::text)
                .collect(Collectors.joining(", "));
        return missing.isEmpty()
                ? ""
                : "The API server has Kubernetes 1." + minor + ", which lacks by default: " + missing;
    }
}
