package io.github.reconciler4j.scheme;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes kind, and the form in which its objects are read: as a class, as generic resources, or as metadata only.
 *
 * <!-- snippet: KindUse -->
 * <pre>{@code
 * Kind<ConfigMap> typed = Kind.of(ConfigMap.class);
 * Kind<GenericKubernetesResource> generic = Kind.of("cert-manager.io/v1", "Certificate");
 * Kind<ObjectHeader> metadata = typed.metadata();
 * }</pre>
 *
 * <p>Kinds are equal if their names are, whatever their form: all forms of a kind share one watch and one store. A
 * {@link Scheme} knows the plural and the scope of a kind with a class. Register those of a generic kind with
 * {@link Scheme#register(KindInfo)}. Immutable and thread-safe; a kind never sends a request.
 *
 * @param <T> the type of its objects: a class of a kind, {@link GenericKubernetesResource} or {@link ObjectHeader}
 * @since 0.1.0
 */
public final class Kind<T> {

    // The value lives as long as its class, so that a class loader which is discarded takes its kinds with it.
    private static final ClassValue<Kind<?>> TYPED = new ClassValue<>() {
        @Override
        protected Kind<?> computeValue(Class<?> type) {
            return describe(type.asSubclass(HasMetadata.class));
        }
    };
    private static final Pattern GROUP =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern VERSION = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern CORE_VERSION = Pattern.compile("v[0-9]+((alpha|beta)[0-9]+)?");
    private static final Pattern KIND = Pattern.compile("[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?");

    private final KindName name;
    private final @Nullable Class<? extends HasMetadata> type;
    private final Class<?> objectType;
    private final @Nullable Kind<ObjectHeader> metadata; // null: this is the kind of the metadata

    private Kind(
            KindName name,
            @Nullable Class<? extends HasMetadata> type,
            Class<?> objectType,
            @Nullable Kind<ObjectHeader> metadata) {
        this.name = name;
        this.type = type;
        this.objectType = objectType;
        this.metadata = metadata;
    }

    private static <T extends HasMetadata> Kind<T> withMetadata(
            KindName name, @Nullable Class<? extends HasMetadata> type) {
        Kind<ObjectHeader> metadata = new Kind<>(name, type, ObjectHeader.class, null);
        return new Kind<>(name, type, type == null ? GenericKubernetesResource.class : type, metadata);
    }

    private static <T extends HasMetadata> Kind<T> describe(Class<T> type) {
        return withMetadata(Scheme.describe(type).kind(), type);
    }

    /**
     * Return the kind that a class names by its annotations. Further calls with the same class are cheap.
     *
     * @throws UnknownKindException if the class does not name its kind
     */
    @SuppressWarnings("unchecked") // computed from this very class
    public static <T extends HasMetadata> Kind<T> of(Class<T> type) {
        return (Kind<T>) TYPED.get(type);
    }

    /**
     * Return a kind in its generic form, for kinds without a class.
     *
     * @param apiVersion {@code group/version}, or {@code version} in the core group, as in objects
     * @param kind the name of the kind, for instance {@code Certificate}
     * @throws IllegalArgumentException if these cannot be the names of an API version and a kind
     */
    public static Kind<GenericKubernetesResource> of(String apiVersion, String kind) {
        if (kind.indexOf('/') >= 0) {
            throw new IllegalArgumentException("'kind' must be the name of a kind, was '" + kind + "'");
        }
        return parse(apiVersion + "/" + kind);
    }

    /** Return a kind in its generic form, for kinds without a class. */
    public static Kind<GenericKubernetesResource> of(KindName name) {
        return withMetadata(name, null);
    }

    /**
     * Return a kind of the generic form by its name, as properties, annotations and {@link #toString} write it.
     *
     * @param name {@code group/version/Kind}, or {@code version/Kind} in the core group, for instance {@code v1/Secret}
     * @throws IllegalArgumentException if the text does not have this form
     */
    public static Kind<GenericKubernetesResource> parse(String name) {
        String[] parts = name.split("/", -1);
        if (parts.length == 2 && matches(CORE_VERSION, parts[0]) && matches(KIND, parts[1])) {
            return withMetadata(new KindName("", parts[0], parts[1]), null);
        }
        if (parts.length == 3 && matches(GROUP, parts[0]) && matches(VERSION, parts[1]) && matches(KIND, parts[2])) {
            return withMetadata(new KindName(parts[0], parts[1], parts[2]), null);
        }
        throw new IllegalArgumentException(
                "'" + name + "' does not name a kind: write 'group/version/Kind', for instance "
                        + "'apps/v1/Deployment', or 'version/Kind' in the core group, for instance 'v1/Secret'");
    }

    private static boolean matches(Pattern pattern, String part) {
        return pattern.matcher(part).matches();
    }

    /**
     * Return the kind of the metadata of these objects, without their content. A cache that only such kinds use requests
     * metadata only. The metadata of metadata is the same kind.
     */
    @SuppressWarnings("unchecked") // only the kind of the metadata has no other
    public Kind<ObjectHeader> metadata() {
        return metadata == null ? (Kind<ObjectHeader>) this : metadata;
    }

    /** Return whether this is a kind of metadata only; see {@link #metadata}. */
    public boolean isMetadata() {
        return metadata == null;
    }

    /** Return group, version and kind. */
    public KindName name() {
        return name;
    }

    /** Return the {@code apiVersion} as in objects: {@code group/version}, or {@code version} in the core group. */
    public String apiVersion() {
        return name.apiVersion();
    }

    /** Return the name of the kind without its group and version, for instance {@code Deployment}. */
    public String kind() {
        return name.kind();
    }

    /** Return the class that names this kind, also for its metadata; empty if it was named by text. */
    public Optional<Class<? extends HasMetadata>> type() {
        return Optional.ofNullable(type);
    }

    /** Return the class that names this kind, null if it was named by text. */
    @Nullable
    Class<? extends HasMetadata> describing() {
        return type;
    }

    /**
     * Return the class of the objects that reads return: that of the kind, {@link GenericKubernetesResource}, or
     * {@link ObjectHeader}.
     */
    @SuppressWarnings("unchecked") // set by the factory of each form
    public Class<T> objectType() {
        return (Class<T>) objectType;
    }

    /** Return whether the other object is a kind with the same name, in any form. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || other instanceof Kind<?> kind && name.equals(kind.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /** Return the name as {@link #parse} reads it: {@code group/version/Kind}, or {@code version/Kind} in the core group. */
    @Override
    public String toString() {
        return name.apiVersion() + "/" + name.kind();
    }
}
