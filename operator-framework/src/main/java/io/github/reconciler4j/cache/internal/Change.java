package io.github.reconciler4j.cache.internal;

import org.jspecify.annotations.Nullable;

/** What happened to one object in the store, on its way to indexes and subscriptions. */
final class Change {

    /** What happened. */
    enum Type {
        CREATED,
        UPDATED,
        DELETED,
        RESYNC
    }

    private final Type type;
    private final @Nullable Entry old;
    private final Entry entry;
    private final boolean flag;

    /** The terms of {@link #entry} in the indexes {@link #indexes}; filled outside all locks. */
    TermIndex @Nullable [] indexes;

    String[][] terms = {};

    private Change(Type type, @Nullable Entry old, Entry entry, boolean flag) {
        this.type = type;
        this.old = old;
        this.entry = entry;
        this.flag = flag;
    }

    /** An object came into sight; initial if it was there when the watch or the subscription began. */
    static Change created(Entry entry, boolean initial) {
        return new Change(Type.CREATED, null, entry, initial);
    }

    /** An object changed. */
    static Change updated(Entry old, Entry entry) {
        return new Change(Type.UPDATED, old, entry, false);
    }

    /** An object went out of sight; unknown if the last state need not be the one seen last. */
    static Change deleted(Entry old, Entry last, boolean unknown) {
        return new Change(Type.DELETED, old, last, unknown);
    }

    /** Nothing happened, but it is told again. */
    static Change resync(Entry entry) {
        return new Change(Type.RESYNC, entry, entry, false);
    }

    Type type() {
        return type;
    }

    /** The state before; null for a creation. */
    @Nullable
    Entry old() {
        return old;
    }

    /** The state now; for a deletion the last one. */
    Entry entry() {
        return entry;
    }

    boolean isInitial() {
        return type == Type.CREATED && flag;
    }

    boolean isFinalStateUnknown() {
        return type == Type.DELETED && flag;
    }
}
