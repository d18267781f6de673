package io.github.reconciler4j.cache.internal.writes;

import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.cache.internal.storage.ResourceVersions;
import io.github.reconciler4j.cache.internal.watch.WatchProgress;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This program's own writes of a kind that its watch has not delivered yet.
 *
 * <h2>What it guarantees</h2>
 *
 * <p>After the API server answered a write, a read of this program sees the object as it was after that write, or a later
 * state of it; after a deletion it sees nothing, or a later object of that name. This holds for reads by name, for lists and
 * for indexes, on every thread that starts to read after the answer. Events are not affected: they come from the watch
 * alone, and none is left out.
 *
 * <p>A refusal is an answer too. That an object does not exist, exists already or has changed shows that the program
 * believed something that was not so, perhaps because an earlier attempt of the same write was carried out and its answer
 * lost. What readers are to see is then unknown, and the first one asks the API server.
 *
 * <p>After a write whose answer did not come, the next reader asks the API server as well. It spends at most 5 seconds on all such
 * writes together, and forgets those of which it has learned nothing by then. One is asked about again only by a reader that
 * asks at the same time. So a write that was carried out before its connection broke is seen by the next attempt, and by what
 * cleans up after it. Nothing is guaranteed: if the API server does not answer, readers see what the watch has delivered, and
 * a request that is still under way may be carried out after the API server was asked.
 *
 * <h2>How</h2>
 *
 * <p>There is at most one {@link PendingWrite} per name, and {@link PendingWrite#newer} merges a second one: the higher
 * version holds, a deletion beats all states of the same uid, and what cannot be compared becomes unknown. {@link ReadView}
 * shows a reader the pending write or what is stored, whichever is newer. A pending write is removed when the watch has
 * passed its version, because then the store contains it, and later events have replaced or confirmed it:
 *
 * <ul>
 *   <li>{@code WRITTEN}: passed when the position of the watch is not below its version. The position moves after the store
 *       has what it stands for, so at that moment the store has this state or a later one.
 *   <li>{@code DELETED}: the answer to a deletion does not say at which version it happened, only what a state of the object
 *       was, if the object is not known from the watch. So the position has to be there, and the store must not contain the
 *       uid any more.
 *   <li>{@code DELETED_IN_SELECTION}: if the watch selects objects by their labels, it also delivers a deletion when an object
 *       leaves the selection. Such an object can come back before it is deleted, so a deletion that the watch delivers proves
 *       nothing. The uid stays hidden until the position reaches a version at which the object is known to be gone. That
 *       needs no request as long as there are few of them; above {@value #MANY}, one lookup gives such a version to all.
 *   <li>{@code UNKNOWN}: never passed without having been looked up, unless it has a version. A lookup is a consistent list
 *       of one name, and its version makes it a {@code WRITTEN}.
 * </ul>
 *
 * <p>What the watch does not select (another label, another part) is {@code WRITTEN} without an entry: the write made it
 * leave the view, and the watch will report that as a deletion. What belongs to a lost part becomes such a write ({@link
 * #unselected}).
 *
 * <p>A list of gained parts does not move the position, since the watch has yet to deliver older events of other parts. So it
 * is the list that passes the writes of what it contains, and hides what it should contain and does not ({@link #listed}).
 *
 * <h2>Races</h2>
 *
 * <p>There are no locks. The map replaces a value atomically; everything else is decided by the order of steps:
 *
 * <ol>
 *   <li>A write is added after its answer, and may be passed before that. So {@link #add} compares it with the position once
 *       more after it is in the map. Either that sees the new position, or the watch, which moves the position first and
 *       then looks for passed writes, sees the write.
 *   <li>A reader looks at the pending write before the store. If the write is removed in between, the store has it; if it is
 *       passed in between, {@link ReadView} reads again.
 *   <li>A lookup takes a request. Its result replaces exactly the value that it was started for: if a write was added
 *       meanwhile, the map holds another instance, and the result only answers the reader who asked.
 *   <li>Answers can arrive in another order than the writes were carried out. Versions decide, not arrival.
 *   <li>Parts can change between the moment when it was decided whether an object is selected and the one when the write is
 *       in the map. Each change is counted, so that such a write becomes unknown. One that is added after a list of gained
 *       parts is compared with that list, as with the position.
 * </ol>
 *
 * <h2>Leaving</h2>
 *
 * <p>When namespaces are no longer watched, or no part is held any more, their pending writes are forgotten together with their
 * objects ({@link #forget}). If some parts are lost, nothing is forgotten by its name, because an object in another part can have
 * the same name; the watch continues, and passes these writes as well. Until then the store still has objects that a write may have changed, so such a write becomes unknown ({@link
 * #addUnwatched}). A write whose answer is handled while its namespace leaves can be added after the namespace was forgotten,
 * so the handler checks again whether the namespace is watched after it has added a write.
 *
 * <p>When a list shows a version below the position, the API server was restored from a backup: versions mean nothing across
 * that, so the pending writes of the scope are forgotten. Only a list can show that. A bookmark that is below the position
 * proves nothing, since it can have been created before the events that were sent ahead of it.
 *
 * <p>Thread-safe.
 *
 * @since 0.1.0
 */
public final class PendingWrites {

    private static final Logger LOG = LoggerFactory.getLogger(PendingWrites.class);
    private static final int MANY = 1000;

    /** How long a reader waits to learn what became of all writes without an answer. */
    private static final Duration UNANSWERED_TIMEOUT = Duration.ofSeconds(5);

    private final ObjectStore store;
    private final BiFunction<ObjectKey, Duration, PendingWrite> lookup;
    private final TimeSource time;
    private final Map<ObjectKey, PendingWrite> writes = new ConcurrentHashMap<>();

    /** The names of writes without an answer, each with an object that stands for the last of them. */
    private final Map<ObjectKey, Object> unanswered = new ConcurrentHashMap<>();

    /** How often the selected parts have changed. */
    private final AtomicLong selections = new AtomicLong();

    /**
     * Create an empty set of writes over a store.
     *
     * @param lookup asks the API server about one name, and takes at most the given time
     */
    PendingWrites(ObjectStore store, BiFunction<ObjectKey, Duration, PendingWrite> lookup, TimeSource time) {
        this.store = store;
        this.lookup = lookup;
        this.time = time;
    }

    /** Create an empty set of writes over a store. */
    public static PendingWrites create(ObjectStore store, LiveLookup lookup) {
        return new PendingWrites(store, lookup::find, TimeSource.system());
    }

    /** Create a set of writes over a store to which none is added. */
    public static PendingWrites none(ObjectStore store) {
        return create(store, key -> PendingWrite.unknown("", ""));
    }

    static PendingWrites create(ObjectStore store, Function<ObjectKey, PendingWrite> lookup) {
        return new PendingWrites(store, (key, timeout) -> lookup.apply(key), TimeSource.system());
    }

    boolean isEmpty() {
        return writes.isEmpty() && unanswered.isEmpty();
    }

    /** Return the number of names for which readers see something else than what is stored. */
    public int size() {
        int size = 0;
        for (Map.Entry<ObjectKey, PendingWrite> write : writes.entrySet()) {
            Entry stored = store.get(write.getKey().namespace(), write.getKey().name());
            boolean hides = !write.getValue().isUnbounded() || write.getValue().over(stored) != stored;
            size += hides ? 1 : 0;
        }
        return size;
    }

    /** Return a copy of the writes by name; the API server is asked about those whose outcome is unknown. */
    Map<ObjectKey, PendingWrite> all() {
        resolve(new HashMap<>(unanswered));
        Map<ObjectKey, PendingWrite> all = new HashMap<>(writes);
        all.replaceAll((key, write) -> write.isUnknown() ? find(key, write) : write);
        return all;
    }

    /** Return the write of one name, null without one; the API server is asked if its outcome is unknown. */
    @Nullable
    PendingWrite get(ObjectKey key) {
        Object mark = unanswered.get(key);
        if (mark != null) {
            resolve(Map.of(key, mark));
        }
        PendingWrite write = writes.get(key);
        return write != null && write.isUnknown() ? find(key, write) : write;
    }

    /** Return the write of one name as it was added. */
    @Nullable
    PendingWrite peek(ObjectKey key) {
        return writes.get(key);
    }

    private PendingWrite find(ObjectKey key, PendingWrite unknown) {
        long selection = selections.get();
        PendingWrite found = lookup.apply(key, ApiRequest.DEFAULT_TIMEOUT);
        if (!found.isUnknown()) {
            exchange(key, unknown, found);
            if (isOtherSelection(selection)) {
                exchange(key, found, unknown); // the next reader asks again
            }
        } else if (found.isStored(store.get(key.namespace(), key.name()))) {
            exchange(key, unknown, null);
        }
        return found;
    }

    /** Ask the API server about writes without an answer. If it does not answer in time, the others are forgotten. */
    private void resolve(Map<ObjectKey, Object> marks) {
        long end = time.nanoTime() + UNANSWERED_TIMEOUT.toNanos();
        boolean answers = true;
        for (Map.Entry<ObjectKey, Object> mark : marks.entrySet()) {
            if (unanswered.get(mark.getKey()) != mark.getValue()) {
                continue; // another reader has asked
            }
            PendingWrite found = PendingWrite.unknown("", "");
            long selection = selections.get();
            long left = end - time.nanoTime();
            try {
                found = answers && left > 0 ? lookup.apply(mark.getKey(), Duration.ofNanos(left)) : found;
            } catch (RequestInterruptedException e) {
                return; // the API server was not asked; the next reader does
            } catch (ApiException e) {
                LOG.debug("It is not known whether a write of {} was carried out: {}", mark.getKey(), e.getMessage());
                answers = false;
            }
            add(mark.getKey(), mark.getValue(), found);
            if (isOtherSelection(selection)) {
                exchange(mark.getKey(), found, PendingWrite.unknown("", ""));
            }
        }
    }

    /** Return the number of the selection of parts; what is selected must be asked for after that. */
    long selection() {
        return selections.get();
    }

    private boolean isOtherSelection(long selection) {
        return selections.get() != selection;
    }

    /** Add what became of a write without an answer, unless the name was forgotten, and then its writes, meanwhile. */
    private void add(ObjectKey key, Object mark, PendingWrite found) {
        unanswered.computeIfPresent(key, (same, present) -> {
            if (!found.isUnknown()) {
                writes.merge(key, found, PendingWrite::newer);
            }
            return present == mark ? null : present; // another write got no answer meanwhile
        });
    }

    /** Replace a write, unless another was added since: what the API server answered need not contain that. */
    private void exchange(ObjectKey key, PendingWrite before, @Nullable PendingWrite now) {
        writes.computeIfPresent(key, (same, present) -> present == before ? now : present);
    }

    /** Add a write, unless the watch has passed it. It becomes unknown if the selection is another one than its entry is of. */
    void add(ObjectKey key, PendingWrite write, WatchProgress watch, long selection) {
        add(key, write, watch);
        Entry entry = write.entry();
        if (isOtherSelection(selection)) { // read after the write is in the map, as below
            exchange(key, write, PendingWrite.unknown(write.version(), write.uid()));
        } else if (entry != null && watch.isListed(entry, write.version())) {
            exchange(key, write, write.unselected());
        }
    }

    /** Add a write, unless the watch has passed it. */
    void add(ObjectKey key, PendingWrite write, WatchProgress watch) {
        writes.merge(key, write, PendingWrite::newer);
        if (writes.size() > MANY && (write.isUnknown() || unbounded().size() > MANY)) {
            lookUp(key, watch);
        }
        passed(key, watch.position()); // read after the write is in the map, see above
    }

    /** Add that a write got no answer. Names that are never read must not accumulate, so many of them are forgotten. */
    void addUnanswered(ObjectKey key) {
        if (unanswered.size() >= MANY) {
            unanswered.clear();
        }
        unanswered.put(key, new Object());
    }

    private Map<ObjectKey, PendingWrite> unbounded() {
        Map<ObjectKey, PendingWrite> unbounded = new HashMap<>(writes);
        unbounded.values().removeIf(write -> !write.isUnbounded());
        return unbounded;
    }

    /** Names that are never read must not accumulate; what has a version is removed when the watch passes it. */
    private void lookUp(ObjectKey key, WatchProgress watch) {
        Map<ObjectKey, PendingWrite> unbounded = unbounded();
        unbounded.values().removeIf(write -> !ResourceVersions.isNotAfter(write.version(), watch.position()));
        try {
            PendingWrite write = writes.get(key);
            PendingWrite found = write != null && write.isUnknown()
                    ? find(key, write)
                    : lookup.apply(key, ApiRequest.DEFAULT_TIMEOUT);
            if (found.isWritten()) { // what was answered before the lookup was carried out before its version
                unbounded.forEach((deleted, before) -> exchange(deleted, before, before.goneAt(found.version())));
            }
        } catch (ApiException e) {
            LOG.debug("The outcome of a write of {} is not known yet: {}", key, e.getMessage());
        }
    }

    /**
     * Add that something was written under a name whose namespace is not watched any more. What the store still has of it is
     * about to be removed, and must not be seen as it was before the write; {@link #forget} comes after that. A write that was
     * added after that is removed.
     *
     * @param watched returns whether the namespace is watched again
     */
    void addUnwatched(ObjectKey key, BooleanSupplier watched) {
        if (isStored(key) || writes.containsKey(key)) {
            PendingWrite added = writes.merge(key, PendingWrite.unknown("", ""), PendingWrite::newer);
            if (!isStored(key) && !watched.getAsBoolean()) {
                exchange(key, added, null); // unless it is watched again since, with writes of its own
            }
        }
    }

    private boolean isStored(ObjectKey key) {
        return store.get(key.namespace(), key.name()) != null;
    }

    /** Forget the write of one name if the watch has passed it. */
    public void passed(ObjectKey key, String position) {
        PendingWrite write = writes.get(key);
        if (write != null && write.isPassed(position, store.get(key.namespace(), key.name()))) {
            writes.remove(key, write);
        }
    }

    /** Forget all writes in the given namespaces that the watch has passed. */
    public void passed(Predicate<String> namespaces, String position) {
        for (ObjectKey key : writes.keySet()) {
            if (namespaces.test(key.namespace())) {
                passed(key, position);
            }
        }
    }

    /**
     * Show readers no object any more that the watch does not select any more.
     *
     * @param lost whether an entry is not selected; what is selected must have been changed before
     */
    public void unselected(Predicate<Entry> lost) {
        selections.incrementAndGet(); // before the writes are looked at, see above
        hide((version, entry) -> lost.test(entry));
    }

    /**
     * Handle that the store has a list of gained parts.
     *
     * @param names what is listed
     * @param version the version of the list
     * @param listed whether the list contains an entry of a version if the object exists; the watch must know of the list before
     */
    public void listed(Collection<ObjectKey> names, String version, BiPredicate<String, Entry> listed) {
        selections.incrementAndGet(); // what a lookup finds meanwhile may be older than the list
        names.forEach(key -> passed(key, version));
        hide(listed);
    }

    private void hide(BiPredicate<String, Entry> hidden) {
        writes.replaceAll((key, write) -> {
            Entry entry = write.entry();
            return entry != null && hidden.test(write.version(), entry) ? write.unselected() : write;
        });
    }

    /** Forget all writes in the given namespaces. */
    public void forget(Predicate<String> namespaces) {
        unanswered.keySet().removeIf(key -> namespaces.test(key.namespace()));
        writes.keySet().removeIf(key -> namespaces.test(key.namespace()));
    }

    /** Look up again what was looked up as metadata only, because readers need bodies now. */
    public void fetchBodies() {
        writes.replaceAll((key, write) -> write.entry() == null || write.entry().hasBody()
                ? write
                : PendingWrite.unknown(write.version(), write.uid()));
    }
}
