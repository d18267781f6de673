package io.github.reconciler4j.cache.internal;

import java.io.IOException;

/** Reads the answer to a list request item by item, as it arrives. To be used by one thread. */
final class ListReader {

    private static final byte[] METADATA = ItemReader.quoted("metadata");
    private static final byte[] ITEMS = ItemReader.quoted("items");

    private final Bytes name = new Bytes(64);
    private final Bytes metadata = new Bytes(256);

    /** What a list says of itself. */
    record End(String version, String next) {}

    /** Takes the item that was just read. */
    interface ItemSink {
        void item() throws IOException;
    }

    /** Reads a whole answer; each item is read by the reader and then announced. */
    End read(JsonScanner from, EntryReader reader, ItemSink sink) throws IOException {
        metadata.clear();
        from.expect('{');
        while (from.nextField(name)) {
            if (name.contentEquals(ITEMS) && from.skipIf('[')) {
                readItems(from, reader, sink);
            } else {
                from.copyValue(name.contentEquals(METADATA) ? metadata : null);
            }
        }
        return end();
    }

    private static void readItems(JsonScanner from, EntryReader reader, ItemSink sink) throws IOException {
        while (!from.skipIf(']')) {
            from.skipIf(',');
            reader.read(from);
            sink.item();
        }
    }

    private End end() throws IOException {
        JsonScanner scanner = new JsonScanner(metadata.array(), metadata.size());
        String version = "";
        String next = "";
        if (scanner.skipIf('{')) {
            Bytes value = new Bytes(64);
            while (scanner.nextField(name)) {
                value.clear();
                scanner.copyValue(value);
                if (name.contentEquals(VERSION)) {
                    version = unquoted(value);
                } else if (name.contentEquals(CONTINUE)) {
                    next = unquoted(value);
                }
            }
        }
        return new End(version, next);
    }

    private static final byte[] VERSION = ItemReader.quoted("resourceVersion");
    private static final byte[] CONTINUE = ItemReader.quoted("continue");

    /** The text of a string that needs no escapes, as versions and tokens are. */
    private static String unquoted(Bytes value) {
        String text = value.toString();
        return text.length() >= 2 && text.charAt(0) == '"' ? text.substring(1, text.length() - 1) : "";
    }
}
