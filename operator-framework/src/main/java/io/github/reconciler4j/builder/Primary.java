package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Optional;

/**
 * The primary kind of a controller.
 *
 * @param <T> the class of its objects
 */
record Primary<T extends HasMetadata>(Kind<T> kind) {

    KindInfo kind(BuildTarget site) {
        return site.scheme().kindOf(kind);
    }

    Informer<T> informer(BuildTarget site) {
        return site.cache().informer(kind);
    }

    Optional<T> read(Reader reader, ObjectKey key) {
        return reader.get(kind, key);
    }

    /**
     * The API server raises the generation of a custom resource with every change of its desired state, so the other
     * updates can be ignored. Built-in kinds do not all keep to that.
     */
    ReconcileOn defaultReconcileOn() {
        boolean custom =
                kind.type().map(CustomResource.class::isAssignableFrom).orElseGet(() -> hasCustomGroup(kind.name()));
        return custom ? ReconcileOn.SPEC_OR_METADATA : ReconcileOn.ANY_CHANGE;
    }

    /** The groups of built-in kinds have no dot or end with {@code .k8s.io}. */
    private static boolean hasCustomGroup(KindName kind) {
        return kind.group().contains(".") && !kind.group().endsWith(".k8s.io");
    }
}
