package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The primary kind of a controller, by class or in its generic form.
 *
 * @param kind returns the kind that the scheme knows
 * @param informer returns the informer of the kind
 * @param read reads an object of the kind
 * @param isCustom returns whether the kind is a custom resource
 * @param <T> the class of its objects
 */
record Primary<T extends HasMetadata>(
        Function<Scheme, KindInfo> kind,
        Function<Cache, Informer<T>> informer,
        BiFunction<Reader, ObjectKey, Optional<T>> read,
        Predicate<GroupVersionKind> isCustom) {

    static <T extends HasMetadata> Primary<T> ofType(Class<T> type) {
        return new Primary<>(
                scheme -> scheme.kindOf(type),
                cache -> cache.informer(type),
                (reader, key) -> reader.get(type, key),
                kind -> CustomResource.class.isAssignableFrom(type));
    }

    static Primary<GenericKubernetesResource> ofKind(GroupVersionKind kind) {
        return new Primary<>(
                scheme -> scheme.kindOf(kind),
                cache -> cache.informer(Kind.of(kind)),
                (reader, key) -> reader.get(Kind.of(kind), key),
                Primary::hasCustomGroup);
    }

    /** The groups of built-in kinds have no dot or end with {@code .k8s.io}. */
    private static boolean hasCustomGroup(GroupVersionKind kind) {
        return kind.group().contains(".") && !kind.group().endsWith(".k8s.io");
    }

    KindInfo kind(Site site) {
        return kind.apply(site.scheme());
    }

    Optional<T> read(Reader reader, ObjectKey key) {
        return read.apply(reader, key);
    }

    /**
     * The API server raises the generation of a custom resource with every change of its desired state, so the other
     * updates can be ignored. Built-in kinds do not all keep to that.
     */
    ReconcileOn defaultReconcileOn(Site site) {
        return isCustom.test(kind(site).kind()) ? ReconcileOn.SPEC_OR_METADATA : ReconcileOn.ANY_CHANGE;
    }
}
