package io.github.reconciler4j.controllers.internal.garbagecollector;

import io.github.reconciler4j.scheme.OwnerRef;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The owner references of an object, by what the API server says about the owners.
 *
 * @param solid owners that are there
 * @param dangling owners that are not there
 * @param waiting owners that wait until the object is deleted
 */
record Owners(List<OwnerRef> solid, List<OwnerRef> dangling, List<OwnerRef> waiting) {

    /** What the API server says about an owner. */
    enum Presence {
        SOLID,
        DANGLING,
        WAITING
    }

    /** What to do with an object. */
    enum Decision {

        /** It has an owner. */
        KEEP,

        /** It has an owner, and other references that must go, since those owners are gone or wait for it. */
        KEEP_AND_RELEASE,

        /** An owner waits for it, and it has objects of its own: they are deleted before it. */
        DELETE_IN_FOREGROUND,

        /** Nothing owns it any more. */
        DELETE
    }

    static Owners of(List<OwnerRef> references, Function<OwnerRef, Presence> presence) {
        Owners owners = new Owners(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (OwnerRef reference : references) {
            (switch (presence.apply(reference)) {
                        case SOLID -> owners.solid;
                        case DANGLING -> owners.dangling;
                        case WAITING -> owners.waiting;
                    })
                    .add(reference);
        }
        return owners;
    }

    Decision decide(boolean hasDependents) {
        if (!solid.isEmpty()) {
            return dangling.isEmpty() && waiting.isEmpty() ? Decision.KEEP : Decision.KEEP_AND_RELEASE;
        }
        return !waiting.isEmpty() && hasDependents ? Decision.DELETE_IN_FOREGROUND : Decision.DELETE;
    }

    /** Return the uids of the owners that the object loses. */
    List<String> toRelease() {
        return Stream.concat(dangling.stream(), waiting.stream())
                .map(OwnerRef::uid)
                .toList();
    }
}
