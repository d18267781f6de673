package io.github.reconciler4j.external;

import io.github.reconciler4j.support.LruMap;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;

/**
 * What this process has seen of each owner's resource, and since when, by its own clock. Forgetting something only makes the process
 * wait again. Thread-safe.
 */
final class Sightings {

    private static final int SIZE = 100_000;
    private static final long MAX = Nanos.MAX / 8;

    private final LruMap<String, Attempt> attempts = new LruMap<>(SIZE);
    private final LruMap<String, Missing> missing = new LruMap<>(SIZE);
    private final LruMap<String, Deleted> deleted = new LruMap<>(SIZE);
    private final TimeSource time;
    private final long settleNanos;
    private final long gapNanos;

    /**
     * A creation that may be under way.
     *
     * @param since when it was first seen in the record, or when the call of this process ended
     * @param createdId what this process received from the provider
     */
    private record Attempt(String token, long since, String createdId) {}

    /** The provider said "not found" for a record, and nothing else since. */
    private record Missing(ExternalRecord record, long since, long last) {}

    /** A call to delete of this process ended well. */
    private record Deleted(String token, long at) {}

    Sightings(TimeSource time, ExternalOptions options) {
        this.time = time;
        this.settleNanos = Math.min(MAX, Nanos.of(options.settleTime()));
        this.gapNanos = 2 * (settleNanos + Math.min(MAX, Nanos.of(options.waitInterval())));
    }

    long now() {
        return time.nanoTime();
    }

    /** A record names a creation. */
    void attempted(String uid, String token) {
        Attempt old = attempts.get(uid);
        if (old == null || !old.token.equals(token)) {
            attempts.put(uid, new Attempt(token, now(), ""));
        }
    }

    /** The call of a creation has ended in this process. */
    void ended(String uid, String token, String createdId) {
        attempts.put(uid, new Attempt(token, now(), createdId));
    }

    /** Return the id that this process was given for a creation, also if it could not be recorded. */
    String createdId(String uid, String token) {
        Attempt attempt = attempts.get(uid);
        return attempt != null && attempt.token.equals(token) ? attempt.createdId : "";
    }

    /** Return whether no call of a creation can be under way at a time, nor its effect be hidden. */
    boolean isSettled(String uid, String token, long at) {
        Attempt attempt = attempts.get(uid);
        return token.isEmpty() || (attempt != null && attempt.token.equals(token) && isOver(attempt.since, at));
    }

    /** Return whether this process has created a resource that it has not found yet. */
    boolean isCreated(String uid, String id) {
        Attempt attempt = attempts.get(uid);
        return attempt != null && attempt.createdId.equals(id);
    }

    /** The resource was found, and no creation is under way. */
    void confirmed(String uid) {
        attempts.remove(uid);
    }

    void found(String uid) {
        missing.remove(uid);
    }

    /** The provider said "not found". A run of this answer ends if no call asked for long, since another process may have worked. */
    void missing(String uid, ExternalRecord record) {
        Missing old = missing.get(uid);
        long now = now();
        long since = old != null && old.record.equals(record) && now - old.last <= gapNanos ? old.since : now;
        missing.put(uid, new Missing(record, since, now));
    }

    /** Return whether the provider has said "not found" from long enough before a time until now. */
    boolean isMissing(String uid, long at) {
        Missing run = missing.get(uid);
        return run != null && isOver(run.since, at);
    }

    void deleted(String uid, String token) {
        deleted.put(uid, new Deleted(token, now()));
    }

    /** Return whether this process has asked for a deletion. */
    boolean isDeleted(String uid, String token) {
        Deleted call = deleted.get(uid);
        return call != null && call.token.equals(token);
    }

    /** Return whether this process has asked for a deletion, and need not ask again yet. */
    boolean isDeleting(String uid, String token, long at) {
        Deleted call = deleted.get(uid);
        return call != null && call.token.equals(token) && !isOver(call.at, at);
    }

    void forget(String uid) {
        attempts.remove(uid);
        missing.remove(uid);
        deleted.remove(uid);
    }

    /** Return whether a call may start that was recorded at a time. */
    boolean isInTime(long recordedAt) {
        return settleNanos == 0 || now() - recordedAt <= settleNanos;
    }

    private boolean isOver(long since, long at) {
        return settleNanos == 0 || at - since >= 2 * settleNanos;
    }
}
