package io.github.reconciler4j.plan;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.client.ObservedWrite.Change;
import io.github.reconciler4j.client.internal.spi.PlanScope;
import io.github.reconciler4j.plan.PlannedChange.Effect;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the writes of a plan would have done, one entry per object. Thread-safe. */
final class PlanLedger {

    private static final Comparator<ObjectId> ORDER = Comparator.comparing(
                    (ObjectId id) -> id.kind().resource())
            .thenComparing(id -> id.key().namespace())
            .thenComparing(id -> id.key().name())
            .thenComparing(ObjectId::subresource);

    /** The writer of a whole object. */
    static final String WHOLE = "*";

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<ObjectId, Entry> entries = new TreeMap<>(ORDER);

    /** An object, or a subresource of it. */
    record ObjectId(KindInfo kind, ObjectKey key, String subresource) {}

    /** What would become of an object; for the holder of the lock. */
    private static final class Entry {
        private Effect effect;
        private String after = "";
        private final Set<String> causes = new TreeSet<>();
        private final Map<String, Change> fields = new TreeMap<>();

        /** The object as it would be, null if it would not exist. */
        private byte @Nullable [] state;

        /** Who has written all fields, {@code ""} for several writers. */
        private String writer = "";

        Entry(Effect effect) {
            this.effect = effect;
        }

        boolean isNew() {
            return effect == Effect.CREATED || effect == Effect.REPLACED;
        }
    }

    /** Return the state of an object that the plan has created or replaced; empty for any other. */
    Optional<byte[]> created(KindInfo kind, ObjectKey key) {
        return state(kind, key, Entry::isNew);
    }

    /** Return the state of an object that the plan has written; empty for any other, and for one that is gone. */
    Optional<byte[]> written(KindInfo kind, ObjectKey key) {
        return state(kind, key, entry -> true);
    }

    private Optional<byte[]> state(KindInfo kind, ObjectKey key, Predicate<Entry> filter) {
        lock.lock();
        try {
            Entry entry = entries.get(new ObjectId(kind, key, ""));
            return entry != null && filter.test(entry) ? Optional.ofNullable(entry.state) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Return whether the plan has deleted an object, which finalizers may keep. */
    boolean isDeleted(KindInfo kind, ObjectKey key) {
        lock.lock();
        try {
            Entry entry = entries.get(new ObjectId(kind, key, ""));
            return entry != null && entry.effect == Effect.PRUNED;
        } finally {
            lock.unlock();
        }
    }

    /** Return whether the plan has deleted an object that no finalizer keeps. */
    boolean isGone(KindInfo kind, ObjectKey key) {
        return isDeleted(kind, key) && written(kind, key).isEmpty();
    }

    /** Note that a write creates an object. */
    void created(ObjectId id, String cause, List<Change> fields, byte[] state) {
        lock.lock();
        try {
            note(id, Effect.CREATED, cause, fields, state);
        } finally {
            lock.unlock();
        }
    }

    /** Note that a write creates an object again that was deleted before. */
    void replaced(ObjectId id, String cause, List<Change> fields, byte[] state) {
        lock.lock();
        try {
            note(id, Effect.REPLACED, cause, fields, state);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Note that a write changes an object.
     *
     * @param writer {@link #WHOLE}, or who undoes those of its own earlier writes that it does not repeat; {@code ""} for a write
     *     that adds to the earlier ones
     */
    void changed(ObjectId id, String cause, List<Change> fields, byte[] state, String writer) {
        lock.lock();
        try {
            Entry known = entries.get(id);
            if (known == null && fields.isEmpty() && id.subresource().isEmpty()) {
                return;
            }
            boolean repeats = known != null && !writer.isEmpty() && writer.equals(known.writer);
            if (known != null && known.effect == Effect.CHANGED && (repeats || writer.equals(WHOLE))) {
                known.fields.clear();
            }
            note(id, Effect.CHANGED, cause, fields, state).writer =
                    known == null || repeats || writer.equals(WHOLE) ? writer : "";
        } finally {
            lock.unlock();
        }
    }

    /**
     * Note that a write deletes an object.
     *
     * @param left the object, as long as finalizers keep it; null if none does
     */
    void deleted(ObjectId id, String cause, byte @Nullable [] left) {
        lock.lock();
        try {
            Entry before = entries.get(id);
            if (before != null && before.effect == Effect.CREATED) {
                entries.remove(id);
                return;
            }
            if (before != null) {
                before.fields.clear();
            }
            note(id, Effect.PRUNED, cause, List.of(), left);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Entry note(ObjectId id, Effect effect, String cause, List<Change> fields, byte @Nullable [] state) {
        Entry entry = entries.computeIfAbsent(id, key -> new Entry(effect));
        entry.effect = effect == Effect.CHANGED ? entry.effect : effect;
        entry.state = state;
        entry.after = entry.after.isEmpty() ? PlanScope.awaited() : entry.after;
        if (!cause.isEmpty()) {
            entry.causes.add(cause);
        }
        if (entry.effect != Effect.PRUNED) {
            fields.forEach(field -> entry.fields.merge(
                    field.path(), field, (first, last) -> new Change(last.path(), first.before(), last.after())));
        }
        entry.fields.values().removeIf(PlanLedger::isUndone);
        return entry;
    }

    /** Masked values say nothing about each other, and neither do parts of them. */
    private static boolean isUndone(Change field) {
        String value = field.before();
        boolean isWhole = !value.equals("***") && !value.startsWith("...") && !value.endsWith("...");
        return isWhole && value.equals(field.after());
    }

    /** Return all changes. */
    List<PlannedChange> changes() {
        List<PlannedChange> changes = new ArrayList<>();
        lock.lock();
        try {
            entries.forEach((id, entry) -> {
                boolean isNothing = entry.effect == Effect.CHANGED
                        && entry.fields.isEmpty()
                        && id.subresource().isEmpty();
                if (!isNothing) {
                    changes.add(new PlannedChange(
                            entry.effect,
                            id.kind().kind(),
                            id.key(),
                            id.subresource(),
                            entry.after,
                            List.copyOf(entry.causes),
                            List.copyOf(entry.fields.values())));
                }
            });
        } finally {
            lock.unlock();
        }
        return changes;
    }
}
