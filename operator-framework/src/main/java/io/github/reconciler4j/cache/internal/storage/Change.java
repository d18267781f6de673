package io.github.reconciler4j.cache.internal.storage;

import org.jspecify.annotations.Nullable;

/**
 * What happened to one object in the store, on its way to indexes and subscriptions. Confined to the writing thread until it
 * is applied, immutable afterwards.
 *
 * @since 0.1.0
 */
public final class Change {

    /** What happened. */
    public enum Type {
        /** An object appeared. */
        CREATED,
        /** An object changed. */
        UPDATED,
        /** An object disappeared. */
        DELETED,
        /** An object belongs to a part that is not held any more. */
        DEPARTED,
        /** Nothing happened; the object is delivered again. */
        RESYNC,
        /** The body arrived of an object of which only the metadata was stored. */
        BODY
    }

    private final Type type;
    private final @Nullable Entry old;
    private final Entry entry;
    private final boolean flag;

    /** The terms of {@link #entry} in these indexes; computed under no lock. */
    ObjectStore.Index @Nullable [] indexes;

    String[][] terms = {};

    private Change(Type type, @Nullable Entry old, Entry entry, boolean flag) {
        this.type = type;
        this.old = old;
        this.entry = entry;
        this.flag = flag;
    }

    /** Create the change of an object that appeared; initial if it existed when the watch or the subscription started. */
    public static Change created(Entry entry, boolean initial) {
        return new Change(Type.CREATED, null, entry, initial);
    }

    /** Create the change of an object that changed. */
    public static Change updated(Entry old, Entry entry) {
        return new Change(Type.UPDATED, old, entry, false);
    }

    /** Create the change of an object that disappeared; unknown if its last state may not be the one seen last. */
    public static Change deleted(Entry old, Entry last, boolean unknown) {
        return new Change(Type.DELETED, old, last, unknown);
    }

    /** Create the change of an object that belongs to a part that is not held any more. */
    public static Change departed(Entry old) {
        return new Change(Type.DEPARTED, old, old, false);
    }

    /** Create the repetition of an object that did not change. */
    public static Change resync(Entry entry) {
        return new Change(Type.RESYNC, entry, entry, false);
    }

    /** Create the change of an object whose body arrived after its metadata. */
    public static Change body(Entry old, Entry entry) {
        return new Change(Type.BODY, old, entry, true);
    }

    /** Return what happened. */
    public Type type() {
        return type;
    }

    /** Return whether the object is not stored any more. */
    public boolean isRemoval() {
        return type == Type.DELETED || type == Type.DEPARTED;
    }

    /** Return the state before; null for a creation. */
    public @Nullable Entry old() {
        return old;
    }

    /** Return the state now; for a deletion the last one. */
    public Entry entry() {
        return entry;
    }

    /** Return whether the object existed when the watch or the subscription started. */
    public boolean isInitial() {
        return type == Type.CREATED && flag;
    }

    /** Return whether the object was deleted and its last state may not be the one seen last. */
    public boolean isFinalStateUnknown() {
        return type == Type.DELETED && flag;
    }

    /**
     * Return this change as it looks to a subscription; null if it means nothing to it.
     *
     * @param bodies whether the subscription only knows objects whose bodies are stored
     */
    public @Nullable Change seen(boolean bodies) {
        if (!bodies) {
            return type == Type.BODY ? null : this;
        }
        if (old != null && old.hasBody() || type == Type.CREATED && entry.hasBody()) {
            return this;
        }
        return !isRemoval() && entry.hasBody() ? created(entry, true) : null; // it existed as metadata
    }
}
