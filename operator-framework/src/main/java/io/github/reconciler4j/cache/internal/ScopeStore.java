package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.cache.internal.storage.ResourceVersions;
import io.github.reconciler4j.cache.internal.storage.UndecodableObjects;
import io.github.reconciler4j.cache.internal.watch.ListSnapshot;
import io.github.reconciler4j.cache.internal.watch.PartFilter;
import io.github.reconciler4j.cache.internal.watch.ReflectorStore;
import io.github.reconciler4j.cache.internal.watch.Scope;
import io.github.reconciler4j.cache.internal.watch.SetAside;
import io.github.reconciler4j.cache.internal.watch.WatchProgress;
import io.github.reconciler4j.cache.internal.watch.WatchProgress.GainedParts;
import io.github.reconciler4j.cache.internal.watch.WatchReader;
import io.github.reconciler4j.cache.internal.writes.PendingWrites;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a reflector reads of one scope into the store of its kind. An event that is not newer than what is stored is
 * left out. The methods of {@link ReflectorStore} are confined to the thread of the reflector, the others are thread-safe.
 */
final class ScopeStore implements ReflectorStore {

    private final Scope scope;
    private final ObjectStore store;
    private final PendingWrites writes;
    private final Writer writer;
    private final Consumer<Scope> listed;
    private final TimeSource time;
    private final WatchProgress progress;
    private final Runnable filtered;
    private final UndecodableObjects undecodable;
    private volatile boolean listedOnce;
    /** What the stored objects of the scope were selected by when a list was written last. */
    private volatile @Nullable PartFilter listedParts;

    /** What watches before this one selected; null if there was none. */
    private final @Nullable PartFilter partsBefore;

    private volatile boolean bodies;

    /** The lists of gained parts that the watch has not passed; confined to the thread of the reflector. */
    private final List<GainedParts> gains = new ArrayList<>();

    /** Whether watches before this one stored entries of the scope without bodies. */
    private final boolean replacesHeaders;

    /** Writes changes into the store and delivers them. */
    @FunctionalInterface
    interface Writer {

        /**
         * Write changes.
         *
         * @param stored called once, when readers see the changes and before a listener does. What was passed by them is no
         *     longer shown then: a listener must not read an older state than what it is delivered.
         */
        void write(List<Change> changes, Runnable stored);
    }

    /**
     * Create it.
     *
     * @param replacesHeaders whether watches before this one stored entries of the scope without bodies
     * @param partsBefore what watches before this one selected; null if there was none
     * @param writer writes changes into the store and delivers them
     * @param listed called when the first list, or the first one with bodies or for other parts, was written
     * @param filtered called for each event of an object that belongs to another part
     * @param undecodable counts what cannot be an object of the kind
     */
    ScopeStore(
            Scope scope,
            boolean replacesHeaders,
            @Nullable PartFilter partsBefore,
            ObjectStore store,
            PendingWrites writes,
            Writer writer,
            Consumer<Scope> listed,
            Runnable filtered,
            UndecodableObjects undecodable,
            TimeSource time) {
        this.undecodable = undecodable;
        this.scope = scope;
        this.replacesHeaders = replacesHeaders;
        this.partsBefore = partsBefore;
        this.filtered = filtered;
        this.store = store;
        this.writes = writes;
        this.writer = writer;
        this.listed = listed;
        this.time = time;
        this.progress = new WatchProgress(scope.namespace(), scope.selector());
    }

    /** Return how far the watch of the scope has come. */
    WatchProgress progress() {
        return progress;
    }

    /** Return whether a list with bodies was written. */
    boolean hasBodies() {
        return bodies;
    }

    /** Return whether what is stored came without bodies. */
    boolean lacksBodies() {
        return !bodies && (listedOnce || replacesHeaders);
    }

    /** Return whether the first list was written, or nothing was selected. */
    boolean isListed() {
        return listedOnce;
    }

    /** Return whether a list of the objects of all parts was written. */
    boolean hasAll(boolean withBodies) {
        return listedOnce && listedParts == PartFilter.ALL && (bodies || !withBodies);
    }

    /** Return whether what is stored is what a filter selects. */
    boolean hasParts(PartFilter filter) {
        return listedParts == filter;
    }

    /** Return whether what a filter selects of a namespace is stored. */
    boolean hasParts(PartFilter filter, String namespace) {
        PartFilter listedFor = listedParts;
        return listedFor == filter || listedFor != null && !filter.gains(namespace, listedFor);
    }

    /** Return what is selected now; null before the watch started. */
    @Nullable
    PartFilter parts() {
        return listedOnce ? progress.parts() : partsBefore;
    }

    @Override
    public Missing select(PartFilter filter) {
        PartFilter before = listedOnce || partsBefore == null ? progress.parts() : partsBefore;
        PartFilter listedFor = listedParts;
        List<Change> departed = departed(filter, before);
        progress.parts(filter);
        writer.write(departed, () -> {});
        writes.unselected(entry -> scope.covers(entry.namespace()) && !filter.selects(entry));
        if (listedFor == null) {
            return Missing.ALL;
        }
        if (!filter.gains(scope.namespace(), listedFor)) {
            listed(filter, bodies);
            return Missing.NOTHING;
        }
        return filter.isServerSide() && listedFor.isServerSide() ? Missing.GAINED : Missing.ALL;
    }

    private List<Change> departed(PartFilter filter, PartFilter before) {
        List<Change> departed = new ArrayList<>();
        if (filter == PartFilter.ALL) {
            return departed;
        }
        for (Entry entry : store.list(scope.namespace())) {
            if (scope.covers(entry.namespace()) && !filter.keeps(entry, before)) {
                departed.add(Change.departed(entry));
            }
        }
        return departed;
    }

    @Override
    public void selectedNothing() {
        progress.position("");
        writes.forget(scope::covers); // no watch would pass them
        listed(progress.parts(), true);
    }

    @Override
    public void setAside(SetAside object) {
        undecodable.setAside(this, scope, object.key(), object.problem());
    }

    private void setAside(ListSnapshot list, boolean whole) {
        if (whole) {
            undecodable.forget(this);
        }
        list.setAside().forEach(this::setAside);
    }

    private void listed(PartFilter filter, boolean withBodies) {
        if (!listedOnce || bodies != withBodies || listedParts != filter) {
            bodies = withBodies;
            listedParts = filter;
            listedOnce = true;
            listed.accept(scope);
        }
    }

    @Override
    public ListSnapshot newList(Missing missing, boolean withBodies) {
        PartFilter parts = progress.parts();
        PartFilter listedFor = listedParts;
        boolean whole = missing == Missing.ALL || listedFor == null;
        return new ListSnapshot(
                store, scope, listedFor == null || whole ? parts : parts.gained(listedFor), withBodies, whole);
    }

    @Override
    public void replace(ListSnapshot list, String version) {
        PartFilter parts = progress.parts();
        writer.write(list.changes(!listedOnce || listedParts != parts), () -> replaced(version));
        setAside(list, true);
        progress.received(time.nanoTime(), false);
        listed(parts, list.hasBodies());
    }

    private void replaced(String version) {
        gains.clear();
        progress.gains(List.of());
        boolean restored = ResourceVersions.isBefore(version, progress.position());
        progress.position(version);
        if (restored) {
            writes.forget(scope::covers);
        } else {
            writes.passed(scope::covers, version);
        }
    }

    @Override
    public boolean add(ListSnapshot list, String version) {
        if (!ResourceVersions.isNotAfter(progress.position(), version)) {
            return false; // the API server was restored from a backup, or its versions have no order
        }
        GainedParts gain = new GainedParts(list.filter(), version);
        gains.add(gain); // before the objects, so that no older event can replace them
        writer.write(list.changes(true), () -> {});
        setAside(list, false);
        progress.gains(List.copyOf(gains));
        writes.listed(
                list.names(),
                version,
                (written, entry) -> scope.covers(entry.namespace()) && gain.contains(entry, written));
        progress.received(time.nanoTime(), false);
        listed(progress.parts(), bodies);
        return true;
    }

    @Override
    public void event(WatchReader.Type type, MutableHeader header, EntryReader object) throws IOException {
        String version = header.version(); // creating the entry can change what the reader has
        ObjectKey key = new ObjectKey(header.namespace(), header.name());
        List<Change> changes = changes(type, header, object);
        Runnable moved = () -> {
            passed(version);
            writes.passed(key, version);
        };
        if (changes.isEmpty()) {
            moved.run();
        } else {
            writer.write(changes, moved);
        }
    }

    private List<Change> changes(WatchReader.Type type, MutableHeader header, EntryReader object) throws IOException {
        Entry known = store.get(header.namespace(), header.name());
        boolean old = known != null
                && known.uid().equals(header.uid())
                && ResourceVersions.isNotAfter(header.version(), known.resourceVersion());
        if (old || isListed(header, known)) {
            return List.of();
        }
        if (!progress.selectsPart(header)) {
            filtered.run();
            return otherPart(type, header, known);
        }
        Entry entry = object.entry();
        if (type == WatchReader.Type.DELETED) {
            if (known == null) {
                return List.of();
            }
            boolean same = known.isSameObject(entry); // otherwise changes were missed, and the last state with them
            return List.of(Change.deleted(known, same ? entry : known, !same));
        }
        if (known == null) {
            return List.of(Change.created(entry, false));
        }
        return known.isSameObject(entry)
                ? List.of(Change.updated(known, entry))
                : List.of(Change.deleted(known, known, true), Change.created(entry, false));
    }

    /**
     * Return whether a list of gained parts contains what an event says: also that something was deleted before it, or replaced by an
     * object of the same name.
     */
    private boolean isListed(MutableHeader header, @Nullable Entry known) {
        if (gains.removeIf(gain -> ResourceVersions.isBefore(gain.version(), header.version()))) {
            progress.gains(List.copyOf(gains));
        }
        for (GainedParts gain : gains) {
            boolean replaced = known != null
                    && gain.filter().selects(known)
                    && ResourceVersions.isNotAfter(header.version(), known.resourceVersion());
            if (replaced || gain.filter().selects(header)) {
                return true;
            }
        }
        return false;
    }

    /** Return what an event of an object of another part means, which may be stored because it has changed its part. */
    private static List<Change> otherPart(WatchReader.Type type, MutableHeader header, @Nullable Entry known) {
        if (known == null) {
            return List.of();
        }
        boolean departed = type != WatchReader.Type.DELETED && known.uid().equals(header.uid());
        return List.of(departed ? Change.departed(known) : Change.deleted(known, known, true));
    }

    @Override
    public void bookmark(String version) {
        passed(version);
        writes.passed(scope::covers, version);
    }

    /** Events and bookmarks only move the position forward: one below it was created before what was sent ahead of it. */
    private void passed(String version) {
        if (!version.isEmpty() && !ResourceVersions.isBefore(version, progress.position())) {
            progress.position(version);
        }
        progress.received(time.nanoTime(), true);
    }
}
