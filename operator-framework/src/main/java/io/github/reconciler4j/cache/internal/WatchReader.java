package io.github.reconciler4j.cache.internal;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads the answer to a watch request event by event, as it arrives. To be used by one thread. */
final class WatchReader {

    private static final byte[] TYPE = ItemReader.quoted("type");
    private static final byte[] OBJECT = ItemReader.quoted("object");

    private final JsonScanner from;
    private final EntryReader reader;
    private final Bytes name = new Bytes(64);
    private final Bytes type = new Bytes(64);

    /** What an event says. */
    enum Type {
        ADDED,
        MODIFIED,
        DELETED,
        BOOKMARK,
        ERROR,
        UNKNOWN
    }

    WatchReader(JsonScanner from, EntryReader reader) {
        this.from = from;
        this.reader = reader;
    }

    /** Waits for the next event; its object is in the entry reader then. Null at the end of the watch. */
    @Nullable
    Type next() throws IOException {
        if (from.peek() < 0) {
            return null;
        }
        type.clear();
        from.expect('{');
        while (from.nextField(name)) {
            if (name.contentEquals(OBJECT)) {
                reader.read(from);
            } else {
                from.copyValue(name.contentEquals(TYPE) ? type : null);
            }
        }
        return type();
    }

    private Type type() {
        return switch (type.toString()) {
            case "\"ADDED\"" -> Type.ADDED;
            case "\"MODIFIED\"" -> Type.MODIFIED;
            case "\"DELETED\"" -> Type.DELETED;
            case "\"BOOKMARK\"" -> Type.BOOKMARK;
            case "\"ERROR\"" -> Type.ERROR;
            default -> Type.UNKNOWN;
        };
    }
}
