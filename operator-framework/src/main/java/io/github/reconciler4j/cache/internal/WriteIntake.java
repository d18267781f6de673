package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.internal.PendingWrite.Fate;
import io.github.reconciler4j.scheme.ObjectKey;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in what the server answered to own writes of a kind. Where it cannot tell what the watch will bring, readers of the
 * object ask the server: for field selectors other than name and namespace, for versions that are no numbers, after the
 * deletion of an object that was not known, and after a write that was refused because the object was not as believed.
 * Safe for use by many threads.
 */
final class WriteIntake {

    private static final Logger LOG = LoggerFactory.getLogger(WriteIntake.class);

    private final View view;
    private final PendingWrites writes;
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
            View view,
            PendingWrites writes,
            Function<String, @Nullable Progress> progress,
            Supplier<EntryReader> readers) {
        this.view = view;
        this.writes = writes;
        this.progress = progress;
        this.readers = readers;
    }

    /** Takes in an object as it is after a write. */
    void written(byte[] json) {
        EntryReader idle = idleReader.getAndSet(null);
        EntryReader reader = idle != null ? idle : readers.get();
        try {
            reader.read(new JsonScanner(json, json.length));
            written(reader);
        } catch (IOException e) {
            LOG.debug("An answer to a write is no object: {}", e.getClass().getName());
        } finally {
            idleReader.set(reader);
        }
    }

    private void written(EntryReader reader) throws IOException {
        HeaderDraft header = reader.header();
        if (header == null || header.name.isBlank()) {
            return;
        }
        ObjectKey key = new ObjectKey(header.namespace, header.name);
        Progress watch = progress.apply(header.namespace);
        if (watch == null) {
            writes.addUnwatched(key);
        } else if (!watch.isSelectionKnown()
                || Versions.compare(header.version, "0").isEmpty()) {
            writes.add(key, PendingWrite.unknown(header.version, header.uid), watch);
        } else {
            String version = header.version; // making the entry may change what the reader has
            String uid = header.uid;
            Entry entry = watch.selects(header) ? reader.entry() : null;
            writes.add(key, new PendingWrite(version, uid, entry, Fate.WRITTEN), watch);
        }
    }

    /**
     * Takes in that an object is gone.
     *
     * @param uid its uid, empty if not known
     */
    void deleted(ObjectKey key, String uid) {
        Progress watch = progress.apply(key.namespace());
        if (watch == null) {
            writes.addUnwatched(key);
        } else {
            writes.add(key, deletion(uid, view.peek(key)), watch);
        }
    }

    /** Takes in that the server has something else under a name than was believed. */
    void refused(ObjectKey key) {
        Progress watch = progress.apply(key.namespace());
        if (watch == null) {
            writes.addUnwatched(key);
        } else {
            writes.add(key, PendingWrite.unknown("", ""), watch);
        }
    }

    /** The watch has yet to bring an object that is not known, and then its deletion. */
    private static PendingWrite deletion(String uid, @Nullable Entry known) {
        if (known == null || !uid.isEmpty() && !known.uid().equals(uid)) {
            return PendingWrite.unknown("", uid);
        }
        String version = known.resourceVersion();
        return Versions.compare(version, "0").isEmpty()
                ? PendingWrite.unknown(version, known.uid())
                : new PendingWrite(version, known.uid(), null, Fate.DELETED);
    }
}
