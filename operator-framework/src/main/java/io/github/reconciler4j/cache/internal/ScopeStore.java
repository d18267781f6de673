package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.cache.internal.storage.ResourceVersions;
import io.github.reconciler4j.cache.internal.watch.ListSnapshot;
import io.github.reconciler4j.cache.internal.watch.ReflectorStore;
import io.github.reconciler4j.cache.internal.watch.Scope;
import io.github.reconciler4j.cache.internal.watch.WatchProgress;
import io.github.reconciler4j.cache.internal.watch.WatchReader;
import io.github.reconciler4j.cache.internal.writes.PendingWrites;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes what a reflector reads of one scope into the store of its kind. An event that is not newer than what is stored is
 * left out. The methods of {@link ReflectorStore} are confined to the thread of the reflector, the others are thread-safe.
 */
final class ScopeStore implements ReflectorStore {

    private final Scope scope;
    private final ObjectStore store;
    private final PendingWrites writes;
    private final Consumer<List<Change>> writer;
    private final Consumer<Scope> listed;
    private final TimeSource time;
    private final WatchProgress progress;
    private volatile boolean listedOnce;
    private volatile boolean bodies;

    /** Whether watches before this one stored entries of the scope without bodies. */
    private final boolean replacesHeaders;

    /**
     * Create it.
     *
     * @param replacesHeaders whether watches before this one stored entries of the scope without bodies
     * @param writer writes changes into the store and delivers them
     * @param listed called when the first list, or the first one with bodies, was written
     */
    ScopeStore(
            Scope scope,
            boolean replacesHeaders,
            ObjectStore store,
            PendingWrites writes,
            Consumer<List<Change>> writer,
            Consumer<Scope> listed,
            TimeSource time) {
        this.scope = scope;
        this.replacesHeaders = replacesHeaders;
        this.store = store;
        this.writes = writes;
        this.writer = writer;
        this.listed = listed;
        this.time = time;
        this.progress = new WatchProgress(scope.selector());
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

    @Override
    public ListSnapshot newList(boolean withBodies) {
        return new ListSnapshot(store, scope, withBodies);
    }

    @Override
    public void replace(ListSnapshot list, String version) {
        writer.accept(list.changes(!listedOnce));
        boolean restored = ResourceVersions.isBefore(version, progress.position());
        progress.position(version);
        progress.received(time.nanoTime(), false);
        if (restored) {
            writes.forget(scope::covers);
        } else {
            writes.passed(scope::covers, version);
        }
        if (!listedOnce || bodies != list.hasBodies()) {
            bodies = list.hasBodies();
            listedOnce = true;
            listed.accept(scope);
        }
    }

    @Override
    public void event(WatchReader.Type type, MutableHeader header, EntryReader object) throws IOException {
        String version = header.version(); // creating the entry can change what the reader has
        ObjectKey key = new ObjectKey(header.namespace(), header.name());
        change(type, header, object);
        passed(version);
        writes.passed(key, version);
    }

    private void change(WatchReader.Type type, MutableHeader header, EntryReader object) throws IOException {
        Entry known = store.get(header.namespace(), header.name());
        boolean old = known != null
                && known.uid().equals(header.uid())
                && ResourceVersions.isNotAfter(header.version(), known.resourceVersion());
        if (old || !scope.isOfShard(header.uid())) {
            return;
        }
        Entry entry = object.entry();
        if (type == WatchReader.Type.DELETED) {
            if (known != null) {
                boolean same = known.isSameObject(entry); // otherwise changes were missed, and the last state with them
                writer.accept(List.of(Change.deleted(known, same ? entry : known, !same)));
            }
        } else if (known == null) {
            writer.accept(List.of(Change.created(entry, false)));
        } else if (known.isSameObject(entry)) {
            writer.accept(List.of(Change.updated(known, entry)));
        } else {
            writer.accept(List.of(Change.deleted(known, known, true), Change.created(entry, false)));
        }
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
