package io.github.reconciler4j.controllers.internal.garbagecollector;

import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.OwnerRef;
import java.util.List;
import java.util.Set;

/**
 * What the graph needs to know about an object.
 *
 * @param blockedOwners the uids of the owners that must not go before the object
 */
record ObjectState(
        ObjectId id, List<OwnerRef> owners, Set<String> blockedOwners, boolean beingDeleted, List<String> finalizers) {

    static final String ORPHAN = "orphan";
    static final String FOREGROUND = "foregroundDeletion";

    static ObjectState of(KindName kind, ObjectSnapshot<ObjectHeader> snapshot) {
        ObjectHeader header = snapshot.header();
        return new ObjectState(
                idOf(kind, header),
                header.ownerReferences(),
                snapshot.blockedOwners(),
                header.isBeingDeleted(),
                header.finalizers());
    }

    static ObjectId idOf(KindName kind, ObjectHeader header) {
        return new ObjectId(
                kind.apiVersion(),
                kind.kind(),
                header.key().namespace(),
                header.key().name(),
                header.uid());
    }

    /** Return whether the object waits until its owned objects are released. */
    boolean isOrphaning() {
        return beingDeleted && finalizers.contains(ORPHAN);
    }

    /** Return whether the object waits until its owned objects are deleted. */
    boolean isDeletingDependents() {
        return beingDeleted && finalizers.contains(FOREGROUND);
    }
}
