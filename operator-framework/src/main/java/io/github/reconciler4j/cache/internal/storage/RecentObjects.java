package io.github.reconciler4j.cache.internal.storage;

import io.github.reconciler4j.support.internal.ObjectTree;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The decoded objects of entries that were read several times lately, so that the next reads copy instead of decoding.
 *
 * <p>The first two reads of an entry decode, and leave a mark only: most entries are read once for their event and once by their
 * reconciliation. The third read keeps what it decodes, and later ones copy that, until the next garbage collection of young objects, because references to it are
 * weak. So it never outlives a collection, and takes no memory that anything else needs. A table of bounded size contains the
 * marks, and a new mark replaces an old one.
 *
 * <p>If collections come so often that what is kept is not read again, it is kept rarely. Thread-safe without locks: what is kept
 * is never changed and names its entry, and a mark that is lost to a race costs one decoding.
 *
 * @param <T> the class of the objects
 */
final class RecentObjects<T> {

    /** In a mark: there were two reads. */
    private static final int AGAIN = 1;

    private static final int WAYS = 4;
    private static final int FIRST_SETS = 64;
    private static final int MAX_SETS = 1024;
    private static final int GROWTH = 4;

    private static final int RARELY = 16;

    /** How often something is kept without being read again before it is kept rarely: at most once for each place of the table. */
    private final AtomicInteger credit = new AtomicInteger(FIRST_SETS * WAYS);

    private final AtomicInteger withoutCredit = new AtomicInteger();
    private volatile Table<T> table = new Table<>(FIRST_SETS);

    /** The decoded object of an entry. */
    private record DecodedObject<T>(Entry entry, ObjectTree<T> object) {}

    /** Return an object of an entry that the caller may change. */
    T get(Entry entry, Function<Entry, T> decode) {
        Table<T> current = table;
        int mark = entry.mark();
        int place = current.find(mark);
        if (place < 0) {
            if (!current.mark(mark)) {
                table = current.larger();
            }
            return decode.apply(entry);
        }
        if (!current.markAgain(place)) {
            return decode.apply(entry);
        }
        DecodedObject<T> known = current.kept(place);
        if (known != null && known.entry() == entry) {
            if (credit.get() < current.places()) { // a little more than that does no harm
                credit.incrementAndGet();
            }
            return known.object().copy();
        }
        T fresh = decode.apply(entry);
        ObjectTree<T> tree = isWorthKeeping() ? ObjectTree.of(fresh) : null;
        if (tree != null) {
            current.keep(place, new DecodedObject<>(entry, tree));
        }
        return fresh;
    }

    private boolean isWorthKeeping() {
        return credit.getAndUpdate(before -> Math.max(before - 1, 0)) > 0
                || withoutCredit.getAndIncrement() % RARELY == 0;
    }

    /** Marks and what is kept, in sets of places. Thread-safe. */
    private static final class Table<T> {

        private final int sets;
        /** See {@link Entry#mark}; those of equal remainder share a set of places. Written without care for other threads. */
        private final int[] marks;

        private final AtomicReferenceArray<@Nullable WeakReference<DecodedObject<T>>> kept;
        private final AtomicInteger added = new AtomicInteger();

        Table(int sets) {
            this.sets = sets;
            this.marks = new int[sets * WAYS];
            this.kept = new AtomicReferenceArray<>(sets * WAYS);
        }

        /** Return the place of a mark, a negative number if it is not there. */
        int find(int mark) {
            for (int way = 0; way < WAYS; way++) {
                int place = place(mark, way);
                if ((marks[place] & ~AGAIN) == mark) {
                    return place;
                }
            }
            return -1;
        }

        private int place(int mark, int way) {
            return (mark >>> 1 & sets - 1) * WAYS + (way & WAYS - 1);
        }

        /** Return the number of places. */
        int places() {
            return marks.length;
        }

        /** Add a mark; return false if the table was filled and could be larger. */
        boolean mark(int mark) {
            int count = added.getAndIncrement();
            int place = place(mark, count);
            kept.set(place, null);
            marks[place] = mark;
            return count < sets * WAYS || sets == MAX_SETS;
        }

        /** Mark a second read; return whether there was one before. */
        boolean markAgain(int place) {
            int mark = marks[place];
            marks[place] = mark | AGAIN;
            return (mark & AGAIN) != 0;
        }

        /** Return an empty table that is larger. */
        Table<T> larger() {
            return new Table<>(sets * GROWTH);
        }

        @Nullable
        DecodedObject<T> kept(int place) {
            WeakReference<DecodedObject<T>> reference = kept.get(place);
            return reference == null ? null : reference.get();
        }

        void keep(int place, DecodedObject<T> object) {
            kept.set(place, new WeakReference<>(object));
        }
    }
}
