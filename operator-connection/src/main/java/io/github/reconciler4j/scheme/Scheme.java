package io.github.reconciler4j.scheme;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Maps Java classes to Kubernetes kinds and back. Classes of fabric8's model and custom resource classes
 * ({@code @Group @Version @Kind @Plural}, {@code Namespaced}) describe themselves, so {@link #kindOf} accepts them without
 * registration. The kinds that Kubernetes 1.37 serves itself are known by name, too: their classes are loaded only by {@link #typeOf}.
 *
 * <p>Thread-safe.
 *
 * <!-- snippet: KindUse -->
 * <pre>{@code
 * KindName certificate = KindName.of("cert-manager.io/v1", "Certificate");
 * return Scheme.create().register(new KindInfo(certificate, "certificates", true));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class Scheme {

    private final Map<Class<?>, KindInfo> kinds = new ConcurrentHashMap<>();
    private final Map<KindName, Class<? extends HasMetadata>> types = new ConcurrentHashMap<>();
    private final Map<KindName, KindInfo> generic = new ConcurrentHashMap<>();

    private Scheme() {}

    /** Create an empty scheme. */
    public static Scheme create() {
        return new Scheme();
    }

    /**
     * Register a class for the kind that its annotations name. Registering the same class again has no effect.
     *
     * @return this scheme
     * @throws UnknownKindException if the class does not declare its kind, or another class is registered for that kind
     */
    public Scheme register(Class<? extends HasMetadata> type) {
        remember(type, describe(type));
        return this;
    }

    private KindInfo remember(Class<? extends HasMetadata> type, KindInfo info) {
        Class<?> before = types.putIfAbsent(info.kind(), type);
        if (before != null && before != type) {
            throw new UnknownKindException(
                    "Both " + before.getName() + " and " + type.getName() + " declare the kind " + info.kind()
                            + ": use only one of them, or give them different @Group or @Version values (R4J-018)");
        }
        kinds.put(type, info);
        generic.putIfAbsent(info.kind(), info);
        return info;
    }

    /**
     * Register a kind that has no class of its own, so that it can be used in its generic form.
     *
     * @return this scheme
     * @throws UnknownKindException if the kind is registered differently, or Kubernetes serves it differently
     */
    public Scheme register(KindInfo info) {
        KindInfo builtIn = BuiltInKinds.get().find(info.kind());
        KindInfo before = builtIn != null ? builtIn : generic.putIfAbsent(info.kind(), info);
        if (before != null && !before.equals(info)) {
            throw new UnknownKindException(
                    info.kind() + " is already registered as " + before + " and cannot be registered as " + info);
        }
        return this;
    }

    /**
     * Return the kind of a class, and register the class.
     *
     * @throws UnknownKindException if the class does not declare its kind, or another class is registered for that kind
     */
    public KindInfo kindOf(Class<? extends HasMetadata> type) {
        KindInfo known = kinds.get(type);
        return known != null ? known : remember(type, describe(type));
    }

    /**
     * Return the kind of an object: that of its class, or the {@code apiVersion} and {@code kind} of a generic object.
     *
     * @throws UnknownKindException if the kind is unknown
     */
    public KindInfo kindOf(HasMetadata object) {
        if (!(object instanceof GenericKubernetesResource resource)) {
            return kindOf(object.getClass());
        }
        if (resource.getApiVersion() == null || resource.getKind() == null) {
            throw new UnknownKindException("A GenericKubernetesResource needs both 'apiVersion' and 'kind', has '"
                    + resource.getApiVersion() + "' and '" + resource.getKind() + "'");
        }
        return kindOf(KindName.of(resource.getApiVersion(), resource.getKind()));
    }

    /**
     * Return the plural and scope of a kind.
     *
     * @throws UnknownKindException if it is not built in, and neither a class nor a {@link KindInfo} was registered for it
     */
    public KindInfo kindOf(KindName kind) {
        KindInfo info = generic.get(kind);
        if (info == null) {
            info = BuiltInKinds.get().find(kind);
        }
        if (info == null) {
            throw new UnknownKindException(
                    "Nothing is registered for " + kind
                            + ": call Scheme.register with its class, or with a KindInfo that names its plural and scope (R4J-017)");
        }
        return info;
    }

    /**
     * Return the plural and scope of a kind in any form, and register its class if it has one.
     *
     * @throws UnknownKindException if it has no class and is not built in, and neither a class nor a {@link KindInfo} was
     *     registered for it, or if another class is registered for it
     */
    public KindInfo kindOf(Kind<?> kind) {
        Class<? extends HasMetadata> type = kind.describing();
        return type == null ? kindOf(kind.name()) : kindOf(type);
    }

    /**
     * Return the class of a kind: the one that was registered or used for it, or else the class in the model of the fabric8
     * client. Empty if neither exists, or if the class needs another class that is not on the class path.
     */
    public Optional<Class<? extends HasMetadata>> typeOf(KindName kind) {
        Class<? extends HasMetadata> type = types.get(kind);
        return Optional.ofNullable(type != null ? type : BuiltInKinds.get().typeOf(kind));
    }

    /**
     * Return the kind that a class names by its annotations, without registering it.
     *
     * @throws UnknownKindException if the class does not name its kind
     */
    public static KindInfo describe(Class<? extends HasMetadata> type) {
        if (GenericKubernetesResource.class.isAssignableFrom(type)) {
            throw new UnknownKindException(
                    type.getSimpleName() + " has no kind of its own: name one with Kind.of(apiVersion, kind)");
        }
        String apiVersion;
        String kind;
        try {
            apiVersion = HasMetadata.getApiVersion(type);
            kind = HasMetadata.getKind(type);
        } catch (IllegalArgumentException e) {
            throw new UnknownKindException(type.getName() + " does not declare its kind: " + e.getMessage());
        }
        if (apiVersion == null || apiVersion.isBlank()) {
            throw new UnknownKindException(
                    type.getName() + " does not declare its kind: annotate it with @Group and @Version");
        }
        return new KindInfo(
                KindName.of(apiVersion, kind), HasMetadata.getPlural(type), Namespaced.class.isAssignableFrom(type));
    }
}
