package io.github.reconciler4j.controllers.internal.namespace;

import io.fabric8.kubernetes.api.model.Namespace;
import java.util.List;
import java.util.Objects;

/** The finalizers in the spec of a namespace, which hold it until it is empty. */
final class NamespaceFinalizer {

    static final String OWN = "kubernetes";

    private NamespaceFinalizer() {}

    /** Return whether no finalizer is left. */
    static boolean isFinalized(Namespace namespace) {
        return all(namespace).isEmpty();
    }

    /** Return the finalizers of others, sorted, each once. */
    static List<String> withoutOwn(Namespace namespace) {
        return all(namespace).stream()
                .filter(finalizer -> !finalizer.equals(OWN))
                .distinct()
                .sorted()
                .toList();
    }

    private static List<String> all(Namespace namespace) {
        return namespace.getSpec() == null
                ? List.of()
                : Objects.requireNonNullElse(namespace.getSpec().getFinalizers(), List.of());
    }
}
