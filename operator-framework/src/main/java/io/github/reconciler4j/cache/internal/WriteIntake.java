package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.scheme.ObjectKey;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in what the server answered to own writes of a kind. Steps aside where it cannot tell what the watch will bring:
 * for field selectors other than name and namespace, and for versions that are no numbers. Safe for use by many threads.
 */
final class WriteIntake {

    private static final Logger LOG = LoggerFactory.getLogger(WriteIntake.class);

    private final View view;
    private final OwnWrites writes;
    private final Function<String, @Nullable Progress> progress;
    private final Supplier<EntryReader> readers;
    private final AtomicReference<@Nullable EntryReader> idleReader = new AtomicReference<>();

    /**
     * Creates it.
     *
     * @param progress the watch that covers a namespace, null if none does
     * @param readers make readers of objects, one per thread that writes at the same time
     */
    WriteIntake(
            View view, OwnWrites writes, Function<String, @Nullable Progress> progress, Supplier<EntryReader> readers) {
        this.view = view;
        this.writes = writes;
        this.progress = progress;
        this.readers = readers;
    }

    /** Takes in an object as it is after a write. */
    void written(byte[] json) {
        Entry entry = read(json);
        Progress watch = entry == null ? null : progress.apply(entry.namespace());
        if (entry == null || watch == null || !watch.isSelectionKnown()) {
            return;
        }
        OptionalInt comparable = Versions.compare(entry.resourceVersion(), "0");
        if (comparable.isEmpty()) {
            return;
        }
        boolean watched = watch.selects(entry);
        OwnWrite write = new OwnWrite(entry.resourceVersion(), entry.uid(), watched ? entry : null, false);
        writes.add(entry.key(), write, watch);
    }

    /**
     * Takes in that an object is gone.
     *
     * @param uid its uid, empty if not known
     */
    void deleted(ObjectKey key, String uid) {
        Progress watch = progress.apply(key.namespace());
        Entry known = view.get(key);
        if (watch == null || known == null || !uid.isEmpty() && !known.uid().equals(uid)) {
            return; // nothing of it is to be seen
        }
        writes.add(key, new OwnWrite(known.resourceVersion(), known.uid(), null, true), watch);
    }

    private @Nullable Entry read(byte[] json) {
        EntryReader idle = idleReader.getAndSet(null);
        EntryReader reader = idle != null ? idle : readers.get();
        try {
            reader.read(new JsonScanner(json, json.length));
            return reader.header() == null ? null : reader.entry();
        } catch (IOException e) {
            LOG.debug("An answer to a write is no object: {}", e.getClass().getName());
            return null;
        } finally {
            idleReader.set(reader);
        }
    }
}
