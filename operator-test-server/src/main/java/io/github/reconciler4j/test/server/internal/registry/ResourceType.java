package io.github.reconciler4j.test.server.internal.registry;

import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One kind in one version, as the server serves it. Immutable.
 *
 * @param group the API group, empty for the core group
 * @param version the API version
 * @param names how it is called
 * @param namespaced whether objects live in namespaces
 * @param verbs what can be done with it
 * @param subresources its parts with own paths, by name
 * @param traits what else distinguishes it
 * @param storageVersion the version in which objects are kept
 * @param custom what a CustomResourceDefinition says about it; null for built-in kinds
 * @since 0.1.0
 */
public record ResourceType(
        String group,
        String version,
        KindNames names,
        boolean namespaced,
        List<String> verbs,
        Map<String, Subresource> subresources,
        Set<Trait> traits,
        String storageVersion,
        @Nullable CustomVersion custom) {

    /**
     * Properties in which kinds differ.
     *
     * @since 0.1.0
     */
    public enum Trait {
        /** The server counts changes of the wish in {@code metadata.generation}. */
        GENERATION,
        /** A replacing write must name the resource version. */
        CONDITIONAL,
        /** A replacing write creates the object when it is missing. */
        UPSERT,
        /** A removal answers with the object instead of a {@code Status}. */
        RETURNS_DELETED,
        /** A removal leaves dependents behind unless told otherwise. */
        ORPHANS
    }

    /** {@code group/version}, or the version alone in the core group. */
    public String apiVersion() {
        return apiVersion(version);
    }

    /** The {@code apiVersion} under which objects are kept. */
    public String storageApiVersion() {
        return group.equals("events.k8s.io") ? storageVersion : apiVersion(storageVersion);
    }

    /** Whether objects are kept under other field names than this version has; true for few built-in kinds. */
    public boolean isConverted() {
        return custom == null && group.equals("events.k8s.io");
    }

    private String apiVersion(String ofVersion) {
        return group.isEmpty() ? ofVersion : group + "/" + ofVersion;
    }

    /** The kind's name. */
    public String kind() {
        return names.kind();
    }

    /** The lower-case plural. */
    public String plural() {
        return names.plural();
    }

    /** Where its objects are kept. */
    public ResourceId id() {
        // events of both groups are the same objects
        return new ResourceId(group.equals("events.k8s.io") ? "" : group, names.plural());
    }

    /** The schema of a custom kind; null for built-in kinds and those without one. */
    public @Nullable CustomSchema schema() {
        return custom == null ? null : custom.schema();
    }

    /** Whether the kind has the trait. */
    public boolean is(Trait trait) {
        return traits.contains(trait);
    }

    /** Whether status is written by its own path only. */
    public boolean hasStatus() {
        return subresources.containsKey("status");
    }

    /** Whether it is of this group and plural. */
    public boolean is(String otherGroup, String otherPlural) {
        return group.equals(otherGroup) && names.plural().equals(otherPlural);
    }
}
