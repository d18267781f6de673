package io.github.reconciler4j.controllers.internal.garbagecollector;

import io.github.reconciler4j.scheme.OwnerRef;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** An object in the graph, or an owner that only references name. Guarded by the lock of the graph. */
final class Node {

    final ObjectId id;
    /** Whether no watch has shown the object, so that its place is only what a reference says. */
    boolean virtual;

    boolean beingDeleted;
    boolean deletingDependents;
    List<OwnerRef> owners = List.of();
    Set<String> blockedOwners = Set.of();
    final Set<Node> dependents = new LinkedHashSet<>();

    Node(ObjectId id) {
        this.id = id;
    }

    static Node virtual(ObjectId id) {
        Node node = new Node(id);
        node.virtual = true;
        return node;
    }

    /** Return a node at another place with the same dependents. */
    Node at(ObjectId place) {
        Node copy = new Node(place);
        copy.virtual = virtual;
        copy.beingDeleted = beingDeleted;
        copy.deletingDependents = deletingDependents;
        copy.owners = owners;
        copy.blockedOwners = blockedOwners;
        copy.dependents.addAll(dependents);
        return copy;
    }

    void take(ObjectState state) {
        owners = state.owners();
        blockedOwners = state.blockedOwners();
    }

    boolean blocks(Node owner) {
        return blockedOwners.contains(owner.id.uid());
    }
}
