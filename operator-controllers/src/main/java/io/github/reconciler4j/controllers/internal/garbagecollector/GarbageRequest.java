package io.github.reconciler4j.controllers.internal.garbagecollector;

/** What the garbage collector has to do. */
sealed interface GarbageRequest {

    /** Delete the object if all its owners are gone, or let it continue a deletion in the foreground. */
    record Collect(ObjectId object) implements GarbageRequest {}

    /** Remove the references to an owner from the objects that it owns, and then its finalizer. */
    record Orphan(ObjectId owner) implements GarbageRequest {}

    /** Watch the kinds that the API server serves now. */
    record Discover() implements GarbageRequest {}
}
