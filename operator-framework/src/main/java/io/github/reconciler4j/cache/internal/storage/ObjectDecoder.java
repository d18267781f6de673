package io.github.reconciler4j.cache.internal.storage;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.ObjectReader;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.internal.ObjectTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Turns entries into objects of one class: a fresh one each time, or with {@code StorageForm.DECODED} the one that all
 * share. Thread-safe.
 *
 * @param <T> the class
 * @since 0.1.0
 */
public final class ObjectDecoder<T extends HasMetadata> implements EntryDecoder<T> {

    private final KindInfo kind;
    private final Class<T> type;
    private final BiConsumer<Entry, UndecodableObjectException> failures;
    private final Function<Entry, T> fresh = this::fresh;
    private volatile @Nullable ObjectReader reader;
    private volatile @Nullable RecentObjects<T> recent;

    /**
     * Create a decoder.
     *
     * @param failures is called for each object that does not fit
     */
    public ObjectDecoder(KindInfo kind, Class<T> type, BiConsumer<Entry, UndecodableObjectException> failures) {
        this.kind = kind;
        this.type = type;
        this.failures = failures;
    }

    @Override
    public T decode(Entry entry) {
        try {
            return read(entry);
        } catch (StackOverflowError e) { // of reading it, or of copying what was read before
            throw failed(entry, nested(entry));
        }
    }

    private T read(Entry entry) {
        if (entry.body() instanceof SharedBody shared) {
            return shared.object(type, () -> fresh(entry));
        }
        RecentObjects<T> known = recent;
        if (known == null) {
            known = new RecentObjects<>(); // of two threads that read first, one has read in vain
            recent = known;
        }
        return known.get(entry, fresh);
    }

    private T fresh(Entry entry) {
        T object;
        try {
            object = reader().readValue(entry.json());
        } catch (JsonProcessingException e) {
            throw failed(entry, isNested(e) ? nested(entry) : unfit(entry, e));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        nameKind(object);
        return object;
    }

    private UndecodableObjectException failed(Entry entry, UndecodableObjectException failure) {
        failures.accept(entry, failure);
        return failure;
    }

    private UndecodableObjectException unfit(Entry entry, JsonProcessingException failure) {
        return UndecodableObjectException.of(kind.kind(), entry.key(), type, failure);
    }

    private UndecodableObjectException nested(Entry entry) {
        return new UndecodableObjectException(
                kind.kind(),
                entry.key(),
                type,
                "",
                ", because its values are nested too deeply for the stack of the thread, or deeper than 1000 levels");
    }

    private static boolean isNested(Throwable failure) {
        StreamConstraintsException limit = Causes.find(failure, StreamConstraintsException.class);
        return Causes.contains(failure, StackOverflowError.class)
                || limit != null && String.valueOf(limit.getMessage()).contains("nesting depth");
    }

    /** Items of a list of built-in objects come without kind and apiVersion. */
    private void nameKind(T object) {
        if (object.getKind() == null && object instanceof GenericKubernetesResource generic) {
            generic.setKind(kind.kind().kind());
        }
        if (object.getApiVersion() == null || object.getApiVersion().isEmpty()) {
            object.setApiVersion(kind.kind().apiVersion());
        }
    }

    /** The mapper is created with the first object, so that a user of headers never loads data binding. */
    private ObjectReader reader() {
        ObjectReader known = reader;
        if (known == null) {
            known = KubernetesJson.mapper().readerFor(type);
            reader = known;
        }
        return known;
    }

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
    static final class RecentObjects<T> {

        private static final int FIRST_SETS = 64;
        private static final int RARELY = 16;

        /** How often something is kept without being read again before it is kept rarely: at most once for each place of the table. */
        private final AtomicInteger credit = new AtomicInteger(FIRST_SETS * Table.WAYS);

        private final AtomicInteger withoutCredit = new AtomicInteger();
        private volatile Table<T> table = new Table<>(FIRST_SETS);

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
    }

    /** The decoded object of an entry. */
    private record DecodedObject<T>(Entry entry, ObjectTree<T> object) {}

    /** The marks of {@link RecentObjects} and what it keeps, in sets of places. Thread-safe. */
    private static final class Table<T> {

        /** In a mark: there were two reads. */
        private static final int AGAIN = 1;

        private static final int WAYS = 4;
        private static final int MAX_SETS = 1024;
        private static final int GROWTH = 4;

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
