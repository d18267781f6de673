package io.github.reconciler4j.cache.internal;

import java.io.IOException;
import java.io.StreamCorruptedException;
import org.jspecify.annotations.Nullable;

/** Reads the answer to a watch request event by event, as it arrives. To be used by one thread. */
final class WatchReader {

    private static final byte[] TYPE = ItemReader.quoted("type");
    private static final byte[] OBJECT = ItemReader.quoted("object");

    private final JsonScanner from;
    private final EntryReader reader;
    private final ExpectedKind expected;
    private HeaderDraft header = new HeaderDraft();
    private final Bytes name = new Bytes(64);
    private final Bytes type = new Bytes(64);

    /** What an event says. */
    enum Type {
        ADDED,
        MODIFIED,
        DELETED,
        BOOKMARK,
        ERROR
    }

    WatchReader(JsonScanner from, EntryReader reader, ExpectedKind expected) {
        this.expected = expected;
        this.from = from;
        this.reader = reader;
    }

    /**
     * Waits for the next event; its object is in the entry reader then. Null at the end of the watch.
     *
     * @throws StreamCorruptedException if what comes is no event of the kind
     */
    @Nullable
    Type next() throws IOException {
        if (from.peek() < 0) {
            return null;
        }
        type.clear();
        boolean object = false;
        from.expect('{');
        while (from.nextField(name)) {
            if (name.contentEquals(OBJECT)) {
                reader.read(from);
                object = true;
            } else {
                from.copyValue(name.contentEquals(TYPE) ? type : null);
            }
        }
        Type read = type();
        if (!object) {
            throw new StreamCorruptedException("a watch event has no object");
        }
        if (read != Type.ERROR) {
            check(read);
        }
        return read;
    }

    /** The metadata of the object of the event, valid until the next event is read; not for errors. */
    HeaderDraft header() {
        return header;
    }

    private void check(Type read) throws IOException {
        HeaderDraft now = reader.header();
        if (now == null) {
            throw new StreamCorruptedException("a watch event has no valid metadata");
        }
        if (read != Type.BOOKMARK) {
            expected.checkObject(reader, now);
        } else if (now.version.isEmpty()) {
            throw new StreamCorruptedException("a bookmark has no resourceVersion");
        }
        header = now;
    }

    private Type type() throws StreamCorruptedException {
        return switch (type.toString()) {
            case "\"ADDED\"" -> Type.ADDED;
            case "\"MODIFIED\"" -> Type.MODIFIED;
            case "\"DELETED\"" -> Type.DELETED;
            case "\"BOOKMARK\"" -> Type.BOOKMARK;
            case "\"ERROR\"" -> Type.ERROR;
            default -> throw new StreamCorruptedException("a watch event is of no known type");
        };
    }
}
