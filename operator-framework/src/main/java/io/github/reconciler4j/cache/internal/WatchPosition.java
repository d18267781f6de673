package io.github.reconciler4j.cache.internal;

/** How far a reflector has seen. To be used by one thread. */
final class WatchPosition {

    private String next = "";
    private String seen = "";

    /** Where to go on watching; empty if a list is needed. */
    String next() {
        return next;
    }

    /** The newest version seen, {@code ""} if none was; survives the need for a list. */
    String seen() {
        return seen;
    }

    /** Notes that everything up to a version has been seen. */
    void passed(String version) {
        if (!version.isEmpty()) {
            next = version;
            seen = version;
        }
    }

    /** Notes that the server cannot go on from where it was. */
    void lost() {
        next = "";
    }
}
