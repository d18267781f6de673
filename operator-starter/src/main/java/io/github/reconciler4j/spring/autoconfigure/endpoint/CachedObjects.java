package io.github.reconciler4j.spring.autoconfigure.endpoint;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.objectset.Readiness;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.ReadinessDescriptor;
import io.github.reconciler4j.support.Texts;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads from the cache of a cluster what it has anyway: no read waits for a kind or starts to watch one, and none makes the cache
 * keep whole objects of which it keeps metadata. Bodies of Secrets are never read. Stateless.
 */
final class CachedObjects {

    private static final KindName SECRET = KindName.of("v1", "Secret");
    private static final ReadinessDescriptor UNKNOWN = new ReadinessDescriptor("", "");

    private CachedObjects() {}

    /** Return the state of a kind whose objects are all there. */
    static Optional<KindStatus> synced(KindName kind, Cluster cluster) {
        return cluster.cache().kinds().stream()
                .filter(status -> status.kind().kind().equals(kind) && status.synced())
                .findFirst();
    }

    static Optional<ObjectHeader> header(KindStatus kind, ObjectKey key, Cluster cluster) {
        return guarded(() -> cluster.cache().get(Kind.of(kind.kind().kind()).metadata(), key));
    }

    /** Return the headers of objects, without copies; the selection is made where its failure means that there are none. */
    static List<ObjectHeader> headers(KindStatus kind, Supplier<Selection> selection, Cluster cluster) {
        return guarded(() -> Optional.of(
                        cluster.cache().list(Kind.of(kind.kind().kind()).metadata(), selection.get())))
                .orElse(List.of());
    }

    /** Return a whole object; empty if the cache keeps only metadata of it, and for a Secret. */
    static Optional<GenericKubernetesResource> object(KindStatus kind, ObjectKey key, Cluster cluster) {
        KindName name = kind.kind().kind();
        return kind.content().metadataOnly() || name.equals(SECRET)
                ? Optional.empty()
                : guarded(() -> cluster.cache().get(Kind.of(name), key));
    }

    static ReadinessDescriptor readiness(Optional<GenericKubernetesResource> object) {
        return object.map(CachedObjects::readiness).orElse(UNKNOWN);
    }

    private static ReadinessDescriptor readiness(GenericKubernetesResource object) {
        try {
            Readiness.Status status = Readiness.standard().of(object);
            return new ReadinessDescriptor(status.state().name(), Texts.inOneLine(status.message()));
        } catch (RuntimeException e) {
            return UNKNOWN; // its status is not what the rules expect
        }
    }

    /** A kind may have left the cache meanwhile. */
    private static <T> Optional<T> guarded(Supplier<Optional<T>> read) {
        try {
            return read.get();
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }
}
