package io.github.reconciler4j.controllers.internal.garbagecollector;

import io.github.reconciler4j.scheme.OwnerRef;

/** Receives what changes of the graph lead to. Called under the lock of the graph, so it must not block. */
interface GraphListener {

    /** An object may have no owner any more, or may continue a deletion in the foreground. */
    void collect(ObjectId object);

    /** Another place of an absent owner has to be looked at, after a delay. */
    void collectLater(ObjectId object);

    /** The objects of an owner have to be released. */
    void orphan(ObjectId owner);

    /** An object names an owner in another namespace, where it cannot have one. */
    void invalidNamespace(ObjectId dependent, OwnerRef owner);
}
