package io.github.reconciler4j.cache.internal;

import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.charset.StandardCharsets;

/** Reads the answer to a list request item by item, as it arrives. To be used by one thread. */
final class ListReader {

    private static final byte[] KIND = ItemReader.quoted("kind");
    private static final byte[] API_VERSION = ItemReader.quoted("apiVersion");
    private static final byte[] METADATA = ItemReader.quoted("metadata");
    private static final byte[] ITEMS = ItemReader.quoted("items");
    private static final byte[] VERSION = ItemReader.quoted("resourceVersion");
    private static final byte[] CONTINUE = ItemReader.quoted("continue");

    private final ExpectedKind expected;
    private final Bytes name = new Bytes(64);
    private final Bytes value = new Bytes(64);
    private final Bytes metadata = new Bytes(256);

    /**
     * Creates it.
     *
     * @param expected what the items must be
     */
    ListReader(ExpectedKind expected) {
        this.expected = expected;
    }

    /** What a list says of itself. */
    record End(String version, String next) {}

    /** Takes the item that was just read, and its metadata. */
    interface ItemSink {
        void item(HeaderDraft header) throws IOException;
    }

    /**
     * Reads a whole response; each item is read by the reader and then passed to the sink. What the sink got counts only
     * if this returns.
     *
     * @throws StreamCorruptedException if the response is anything but a list of the kind with items and a version
     */
    End read(JsonScanner from, EntryReader reader, ItemSink sink) throws IOException {
        if (from.peek() != '{') {
            throw expected.notAList(from.peek() < 0 ? "it is empty" : "it is no JSON object");
        }
        metadata.clear();
        String kind = "";
        String apiVersion = "";
        boolean items = false;
        from.expect('{');
        while (from.nextField(name)) {
            if (name.contentEquals(ITEMS)) {
                items = readItems(from, reader, sink);
            } else if (name.contentEquals(KIND)) {
                kind = text(from);
            } else if (name.contentEquals(API_VERSION)) {
                apiVersion = text(from);
            } else {
                from.copyValue(name.contentEquals(METADATA) ? metadata : null);
            }
        }
        expected.checkList(apiVersion, kind);
        End end = end();
        if (!items || end.version().isEmpty() || from.peek() >= 0) {
            throw expected.notAList(
                    !items
                            ? "it has no items"
                            : end.version().isEmpty() ? "it has no resourceVersion" : "it does not end");
        }
        return end;
    }

    /** Reads items; a list without any can be null. */
    private boolean readItems(JsonScanner from, EntryReader reader, ItemSink sink) throws IOException {
        if (!from.skipIf('[')) {
            value.clear();
            from.copyValue(value);
            return value.contentEquals(NULL);
        }
        while (!from.skipIf(']')) {
            from.skipIf(',');
            reader.read(from);
            HeaderDraft header = reader.header();
            if (header == null) {
                throw expected.notAList("an item has no valid metadata");
            }
            expected.checkObject(reader, header);
            sink.item(header);
        }
        return true;
    }

    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    private End end() throws IOException {
        JsonScanner scanner = new JsonScanner(metadata.array(), metadata.size());
        String version = "";
        String next = "";
        if (scanner.skipIf('{')) {
            while (scanner.nextField(name)) {
                if (name.contentEquals(VERSION)) {
                    version = text(scanner);
                } else if (name.contentEquals(CONTINUE)) {
                    next = text(scanner);
                } else {
                    scanner.copyValue(null);
                }
            }
        }
        return new End(version, next);
    }

    /** The next value if it is a string without escapes, as kinds, versions and tokens are; otherwise an empty one. */
    private String text(JsonScanner from) throws IOException {
        value.clear();
        from.copyValue(value);
        String text = value.toString();
        return text.length() >= 2 && text.charAt(0) == '"' ? text.substring(1, text.length() - 1) : "";
    }
}
