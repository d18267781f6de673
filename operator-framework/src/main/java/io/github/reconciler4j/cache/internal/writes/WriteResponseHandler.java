package io.github.reconciler4j.cache.internal.writes;

import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.storage.ResourceVersions;
import io.github.reconciler4j.cache.internal.watch.WatchProgress;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Causes;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns what the API server answered to writes into pending writes. If the answer does not say what the watch will
 * deliver, readers of the object ask the API server: for field selectors other than name and namespace, for versions that
 * are no numbers, before the first list of the watch, after the deletion of an object that was not known and that the answer
 * does not contain, and after a write that was refused because the object was not as believed. Thread-safe.
 *
 * @since 0.1.0
 */
public final class WriteResponseHandler {

    private static final Logger LOG = LoggerFactory.getLogger(WriteResponseHandler.class);

    private final ReadView view;
    private final PendingWrites writes;
    private final Function<String, @Nullable WatchProgress> progress;
    private final Supplier<EntryReader> readers;
    private final AtomicReference<@Nullable EntryReader> idleReader = new AtomicReference<>();

    /**
     * Create it.
     *
     * @param progress returns the progress of the watch that covers a namespace, null if none does
     * @param readers create readers of objects, one per thread that writes at the same time
     */
    public WriteResponseHandler(
            ReadView view,
            PendingWrites writes,
            Function<String, @Nullable WatchProgress> progress,
            Supplier<EntryReader> readers) {
        this.view = view;
        this.writes = writes;
        this.progress = progress;
        this.readers = readers;
    }

    /** Handle the object that a write was answered with. */
    public void written(byte[] json) {
        read(json, this::written);
    }

    private void read(byte[] json, ObjectHandler handler) {
        EntryReader idle = idleReader.getAndSet(null);
        EntryReader reader = idle != null ? idle : readers.get();
        try {
            reader.read(new JsonReader(json, json.length));
            handler.handle(reader);
        } catch (IOException e) {
            LOG.debug("The answer to a write is no object: {}", Causes.message(e));
        } finally {
            idleReader.set(reader);
        }
    }

    private interface ObjectHandler {
        void handle(EntryReader reader) throws IOException;
    }

    private void written(EntryReader reader) throws IOException {
        MutableHeader header = reader.header();
        String version = header.version(); // creating the entry can change what the reader has
        if (header.name().isBlank()) {
            return;
        }
        String uid = header.uid();
        ObjectKey key = new ObjectKey(header.namespace(), header.name());
        WatchProgress watch = watching(header.namespace());
        if (watch == null) {
            addUnwatched(key);
        } else if (!watch.isSelectionKnown()
                || !ResourceVersions.isNumber(version)
                || watch.position().isEmpty()) {
            add(key, PendingWrite.unknown(version, uid), watch);
        } else {
            long selection = writes.selection();
            Entry entry = watch.selects(header) ? reader.entry() : null;
            writes.add(key, PendingWrite.written(version, uid, entry), watch, selection);
            checkWatched(key);
        }
    }

    /** Add a write. Its namespace may have left since the watch was looked up, and its writes have been forgotten. */
    private void add(ObjectKey key, PendingWrite write, WatchProgress watch) {
        writes.add(key, write, watch);
        checkWatched(key);
    }

    private void checkWatched(ObjectKey key) {
        if (watching(key.namespace()) == null) {
            addUnwatched(key);
        }
    }

    /** Return the progress of the watch of a namespace; null if nothing is watched there, perhaps because no part is held. */
    private @Nullable WatchProgress watching(String namespace) {
        WatchProgress watch = progress.apply(namespace);
        return watch == null || watch.selectsNothing() ? null : watch;
    }

    private void addUnwatched(ObjectKey key) {
        writes.addUnwatched(key, () -> watching(key.namespace()) != null);
    }

    /**
     * Handle the deletion of an object.
     *
     * @param uid its uid, {@code ""} if not known
     * @param json the object as the answer contains it, null if it does not
     */
    public void deleted(ObjectKey key, String uid, byte @Nullable [] json) {
        WatchProgress watch = watching(key.namespace());
        if (watch == null) {
            addUnwatched(key);
        } else {
            add(key, deletion(uid, lastVersion(key, uid, json, watch), watch), watch);
        }
    }

    /**
     * Return a version that the object had, empty if none is known. The watch may have delivered the deletion before the
     * answer came; then only the answer has one.
     */
    private String lastVersion(ObjectKey key, String uid, byte @Nullable [] json, WatchProgress watch) {
        Entry known = view.peek(key);
        if (known != null && known.uid().equals(uid)) {
            return known.resourceVersion();
        }
        AtomicReference<String> version = new AtomicReference<>("");
        if (json != null && !watch.position().isEmpty()) {
            read(json, reader -> version.set(reader.header().version()));
        }
        return Objects.requireNonNull(version.get());
    }

    /** Handle the refusal of a write which shows that the object is not as the program believed. */
    public void refused(ObjectKey key) {
        WatchProgress watch = watching(key.namespace());
        if (watch == null) {
            addUnwatched(key);
        } else {
            add(key, PendingWrite.unknown("", ""), watch);
        }
    }

    /** Handle that a write got no answer. */
    public void unanswered(ObjectKey key) {
        if (watching(key.namespace()) == null) {
            addUnwatched(key);
        } else {
            writes.addUnanswered(key);
        }
    }

    /** Without a version, it is not known whether the watch has yet to deliver the object, and then its deletion. */
    private static PendingWrite deletion(String uid, String version, WatchProgress watch) {
        return ResourceVersions.isNumber(version)
                ? PendingWrite.deleted(version, uid, watch.isSelectionFixed())
                : PendingWrite.unknown(version, uid);
    }
}
