package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.internal.storage.ResourceVersions;

/**
 * Where the watch of a scope resumes. Confined to the thread of its {@link Reflector}.
 *
 * <p>{@code next} is where to resume: the version of the newest event, bookmark or list. {@code seen} is the same, but
 * survives the loss of the position: a new list must not be older than what was delivered before, or objects would go back
 * in time. The position is lost when the API server says that it is gone (410), when the kind is gone, when bodies are
 * needed, and when {@link Recovery} distrusts it. Losing it costs a list, never an event: the list is compared with what is
 * stored, and the difference is delivered.
 *
 * <p>A position only moves after the store has taken what it stands for. If anything fails in between, the event is sent
 * again, and the store leaves it out because it is not newer than what it has.
 *
 * <p>When parts are gained, {@code seen} is no bound: the process that had them has written since. So the next list is the
 * newest until one is complete. So is the first list of a kind whose parts are held already. If what was gained can be listed alone, the position stays, and the watch resumes there; only a
 * list that follows must not be older than that one.
 */
final class WatchPosition {

    private String next = "";
    private String seen = "";

    /** The version of the newest list of what was gained; {@code ""} if everything was listed since. */
    private String gained = "";

    /** Whether the next list must be the newest. */
    private boolean newest;

    /** Return whether a watch can resume. */
    boolean isKnown() {
        return !next.isEmpty();
    }

    /** Return the version after which the watch resumes; {@code ""} if it cannot. */
    String next() {
        return next;
    }

    /**
     * Lose the position, so that a list is next.
     *
     * @param toNewest whether that must be the newest list
     */
    void lose(boolean toNewest) {
        next = "";
        newest |= toNewest;
    }

    /**
     * Return the version that the next list must not be older than; {@code ""} for the newest.
     *
     * @param first the version for the first list
     */
    String bound(String first) {
        if (newest) {
            return "";
        }
        if (seen.isEmpty()) {
            return first;
        }
        return ResourceVersions.isBefore(seen, gained) ? gained : seen;
    }

    /** Make the next list the newest, without losing the position. */
    void mustBeNewest() {
        newest = true;
    }

    /** Record that the store has a complete list of what was gained. The watch resumes where it would have without. */
    void added(String version) {
        newest = false;
        gained = version;
    }

    /** Record that the store has a complete list. */
    void listed(String version) {
        newest = false;
        gained = "";
        passed(version);
    }

    /** Record that the store has everything up to a version; {@code ""} changes nothing. */
    void passed(String version) {
        if (!version.isEmpty()) {
            next = version;
            seen = version;
        }
    }
}
