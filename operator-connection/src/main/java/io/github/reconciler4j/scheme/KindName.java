package io.github.reconciler4j.scheme;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.support.Texts;
import org.jspecify.annotations.Nullable;

/**
 * The full name of a Kubernetes kind. Immutable.
 *
 * <!-- snippet: KindUse -->
 * <pre>{@code
 * KindName certificate = KindName.of("cert-manager.io/v1", "Certificate");
 * }</pre>
 *
 * @param group the API group, {@code ""} for the core group
 * @param version the API version, for instance {@code v1}
 * @param kind the kind, for instance {@code Deployment}
 * @since 0.1.0
 */
public record KindName(String group, String version, String kind) {

    private static final int MULTIPLIER = 31;

    /** Create a kind and check that version and kind are not blank. */
    public KindName {
        if (version.isBlank() || kind.isBlank()) {
            throw new IllegalArgumentException(
                    "'version' and 'kind' must not be blank, were '" + version + "' and '" + kind + "'");
        }
    }

    /**
     * Return the kind of an {@code apiVersion} such as {@code apps/v1} or {@code v1}.
     *
     * @throws IllegalArgumentException if there is no version or more than one slash
     */
    public static KindName of(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        if (slash != apiVersion.lastIndexOf('/')) {
            throw new IllegalArgumentException(
                    "'apiVersion' must be 'version' or 'group/version', was '" + apiVersion + "'");
        }
        return slash < 0
                ? new KindName("", apiVersion, kind)
                : new KindName(apiVersion.substring(0, slash), apiVersion.substring(slash + 1), kind);
    }

    /**
     * Return the kind that a class declares with annotations.
     *
     * @throws IllegalArgumentException if it declares none
     */
    public static KindName of(Class<? extends HasMetadata> type) {
        String apiVersion = HasMetadata.getApiVersion(type);
        if (apiVersion == null || apiVersion.isBlank()) {
            throw new IllegalArgumentException(
                    type.getName() + " does not declare its kind: annotate it with @Group and @Version");
        }
        return of(apiVersion, HasMetadata.getKind(type));
    }

    /** Return the {@code apiVersion} as in objects: {@code group/version}, or {@code version} in the core group. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Return whether the other kind has the same group and kind; versions can differ. */
    public boolean sameGroupKind(KindName other) {
        return group.equals(other.group) && kind.equals(other.kind);
    }

    // Written out like those of Request, since each read looks its kind up.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KindName known
                && kind.equals(known.kind)
                && group.equals(known.group)
                && version.equals(known.version);
    }

    @Override
    public int hashCode() {
        return (group.hashCode() * MULTIPLIER + version.hashCode()) * MULTIPLIER + kind.hashCode();
    }

    @Override
    public String toString() {
        return Texts.escaped(kind + "." + version + (group.isEmpty() ? "" : "." + group));
    }
}
