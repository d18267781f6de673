package io.github.reconciler4j.test.server.internal.registry;

import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.BuiltInTypes;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One kind in one version, as the server serves it. Immutable.
 *
 * @param group the API group, empty for the core group
 * @param namespaced whether objects live in namespaces
 * @param verbs what can be done with it
 * @param subresources its parts with own paths, by name
 * @param storageVersion the version in which objects are kept
 * @param custom what a CustomResourceDefinition says about it; null for built-in kinds
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

    /** Properties in which kinds differ. */
    public enum Trait {
        /** The server counts changes of the wish in {@code metadata.generation}. */
        GENERATION,
        /** A replacing write must name the resource version. */
        CONDITIONAL,
        /** A replacing write creates the object when it is missing. */
        UPSERT,
        /** A removal answers with the object instead of a {@code Status}. */
        RETURNS_DELETED,
        /** A removal orphans dependents by default. */
        ORPHANS
    }

    /** {@code group/version}, or the version alone in the core group. */
    public String apiVersion() {
        return apiVersion(version);
    }

    public String storageApiVersion() {
        return group.equals("events.k8s.io") ? storageVersion : apiVersion(storageVersion);
    }

    /** Return whether objects are kept under other field names than this version has; true for few built-in kinds. */
    public boolean isConverted() {
        return custom == null && group.equals("events.k8s.io");
    }

    /** Return a copy of this kind with another description of its version. */
    ResourceType withCustom(CustomVersion newCustom) {
        return new ResourceType(
                group, version, names, namespaced, verbs, subresources, traits, storageVersion, newCustom);
    }

    private String apiVersion(String ofVersion) {
        return group.isEmpty() ? ofVersion : group + "/" + ofVersion;
    }

    public String kind() {
        return names.kind();
    }

    public String plural() {
        return names.plural();
    }

    public ResourceId id() {
        // events of both groups are the same objects
        return new ResourceId(group.equals("events.k8s.io") ? "" : group, names.plural());
    }

    /** Return the schema of a custom kind; null for built-in kinds and those without one. */
    public @Nullable CustomSchema schema() {
        return custom == null ? null : custom.schema();
    }

    /** Return the structure of the kind, as far as merging and owning need it. */
    public TypeSchema typeSchema() {
        return custom == null
                ? BuiltInTypes.get().typeSchema(apiVersion(), kind()).orElseGet(TypeSchema::deduced)
                : custom.schema() == null
                        ? TypeSchema.deduced()
                        : custom.schema().structural().typeSchema();
    }

    public boolean is(Trait trait) {
        return traits.contains(trait);
    }

    /** Return whether status is written by its own path only. */
    public boolean hasStatus() {
        return subresources.containsKey("status");
    }

    public boolean is(String otherGroup, String otherPlural) {
        return group.equals(otherGroup) && names.plural().equals(otherPlural);
    }
}
