package io.github.reconciler4j.controllers.internal.garbagecollector;

import io.github.reconciler4j.scheme.OwnerRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Compares what the dependents of one uid say about the place of their owner. */
final class Identities {

    /**
     * The dependents that agree with a place, and those that do not. One with two references to the uid can be in both.
     *
     * @param matching those that agree
     * @param others those that disagree
     */
    record Partition(List<Node> matching, List<Node> others) {}

    private Identities() {}

    static Partition partition(Collection<Node> dependents, ObjectId owner) {
        Partition partition = new Partition(new ArrayList<>(), new ArrayList<>());
        for (Node dependent : dependents) {
            boolean elsewhere = owner.isNamespaced() && !owner.namespace().equals(dependent.id.namespace());
            List<OwnerRef> references = referencesTo(owner.uid(), dependent);
            if (!elsewhere && references.stream().anyMatch(owner::isNamedBy)) {
                partition.matching.add(dependent);
            }
            if (elsewhere || references.stream().anyMatch(reference -> !owner.isNamedBy(reference))) {
                partition.others.add(dependent);
            }
        }
        return partition;
    }

    private static List<OwnerRef> referencesTo(String uid, Node dependent) {
        return dependent.owners.stream()
                .filter(reference -> reference.uid().equals(uid))
                .toList();
    }

    /**
     * Return another place at which the owner can be according to these dependents: the first one after the absent place in
     * the order of places, or the first of all.
     */
    static Optional<ObjectId> alternative(Collection<Node> dependents, ObjectId absent) {
        TreeSet<ObjectId> places = new TreeSet<>(ObjectId.ORDER);
        for (Node dependent : dependents) {
            for (OwnerRef reference : referencesTo(absent.uid(), dependent)) {
                boolean same = absent.isNamedBy(reference)
                        && (!absent.isNamespaced() || absent.namespace().equals(dependent.id.namespace()));
                if (!same) {
                    places.add(place(reference, dependent, absent));
                }
            }
        }
        places.remove(absent);
        ObjectId following = places.higher(absent);
        return following != null ? Optional.of(following) : places.stream().findFirst();
    }

    /** A place without a namespace means that all objects of the kind have none. */
    private static ObjectId place(OwnerRef reference, Node dependent, ObjectId absent) {
        boolean clusterScoped = !absent.isNamespaced()
                && absent.kind().equals(reference.kind())
                && absent.apiVersion().equals(reference.apiVersion());
        return ObjectId.of(reference, clusterScoped ? "" : dependent.id.namespace());
    }
}
