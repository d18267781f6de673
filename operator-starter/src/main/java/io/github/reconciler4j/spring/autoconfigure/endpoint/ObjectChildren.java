package io.github.reconciler4j.spring.autoconfigure.endpoint;

import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.OwnedDescriptor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The objects that another one owns, by their owner references, or by the label that an object set uses elsewhere. Stateless. */
final class ObjectChildren {

    /** The label and annotation of members of object sets. */
    private static final String OWNER_UID = "reconciler4j.io/owner-uid";

    private static final String SET = "reconciler4j.io/object-set";

    private static final int MAX_OWNED = 100;

    /** Kinds with more objects are not searched for owned objects. */
    private static final int MAX_SEARCHED = 50_000;

    private ObjectChildren() {}

    /** The first children, and how many more there are. */
    record Children(List<OwnedDescriptor> shown, int leftOut) {}

    /** A child. */
    private record Child(KindStatus kind, ObjectHeader header, boolean member) {}

    static Children of(ObjectHeader owner, Cluster cluster) {
        List<Child> found = new ArrayList<>();
        cluster.cache().kinds().stream()
                .filter(status -> status.synced() && status.content().objects() <= MAX_SEARCHED)
                .sorted(Comparator.comparing(status -> status.kind().kind().toString()))
                .forEach(kind -> found.addAll(of(owner, kind, cluster)));
        List<OwnedDescriptor> shown = found.stream()
                .limit(MAX_OWNED)
                .map(child -> descriptor(child, cluster))
                .toList();
        return new Children(shown, found.size() - shown.size());
    }

    private static List<Child> of(ObjectHeader owner, KindStatus kind, Cluster cluster) {
        String namespace = owner.key().namespace();
        Stream<ObjectHeader> owned = !namespace.isEmpty() && !kind.kind().namespaced()
                ? Stream.of()
                : CachedObjects.headers(
                                kind,
                                () -> namespace.isEmpty() ? Selection.all() : Selection.inNamespace(namespace),
                                cluster)
                        .stream()
                        .filter(header -> header.ownerReferences().stream()
                                .anyMatch(reference -> reference.uid().equals(owner.uid())));
        Stream<ObjectHeader> members = namespace.isEmpty() || owner.uid().isEmpty()
                ? Stream.of() // it can own objects everywhere
                : CachedObjects.headers(
                                kind, () -> Selection.all().withLabelSelector(OWNER_UID + "=" + owner.uid()), cluster)
                        .stream()
                        .filter(header -> !header.key().namespace().equals(namespace));
        return Stream.concat(
                        owned.map(header -> new Child(kind, header, false)),
                        members.map(header -> new Child(kind, header, true)))
                .toList();
    }

    private static OwnedDescriptor descriptor(Child child, Cluster cluster) {
        ObjectHeader header = child.header();
        return new OwnedDescriptor(
                child.kind().kind().kind().toString(),
                header.key().toString(),
                header.creationTimestamp(),
                Objects.toString(header.deletionTimestamp(), ""),
                header.annotations().getOrDefault(SET, ""),
                child.member(),
                CachedObjects.readiness(CachedObjects.object(child.kind(), header.key(), cluster)));
    }
}
