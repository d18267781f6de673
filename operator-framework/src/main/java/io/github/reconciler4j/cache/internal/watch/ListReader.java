package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.internal.json.ByteBuilder;
import io.github.reconciler4j.cache.internal.json.ItemReader;
import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.charset.StandardCharsets;

/**
 * Reads the response to a list request item by item, as it arrives. Confined to one thread.
 *
 * @since 0.1.0
 */
public final class ListReader {

    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] KIND = ItemReader.quoted("kind");
    private static final byte[] API_VERSION = ItemReader.quoted("apiVersion");
    private static final byte[] METADATA = ItemReader.quoted("metadata");
    private static final byte[] ITEMS = ItemReader.quoted("items");
    private static final byte[] VERSION = ItemReader.quoted("resourceVersion");
    private static final byte[] CONTINUE = ItemReader.quoted("continue");
    private static final byte[] REMAINING = ItemReader.quoted("remainingItemCount");

    private final ExpectedKind expected;
    private final ByteBuilder name = new ByteBuilder(64);
    private final ByteBuilder value = new ByteBuilder(64);

    private String kind = "";
    private String apiVersion = "";
    private String version = "";
    private String next = "";
    private long remaining;
    private boolean hasItems;

    /**
     * Create a reader.
     *
     * @param expected what the items must be
     */
    public ListReader(ExpectedKind expected) {
        this.expected = expected;
    }

    /**
     * What a list says of itself.
     *
     * @param version its version
     * @param next where to continue, {@code ""} if it is complete
     * @param remaining how many items follow in other pages, as far as the API server says so; 0 otherwise
     * @since 0.1.0
     */
    public record ListEnd(String version, String next, long remaining) {}

    /** Takes the item that was just read, and its metadata. */
    @FunctionalInterface
    public interface ItemSink {

        /** Take an item. */
        void item(MutableHeader header) throws IOException;

        /** Take an item that cannot be an object of the kind; fails by default. */
        default void setAside(SetAside item) throws IOException {
            throw new StreamCorruptedException("the response contains " + item.problem());
        }
    }

    /**
     * Read a whole response; each item is read by the reader and then passed to the sink. What the sink received only counts
     * if this returns.
     *
     * @throws StreamCorruptedException if the response is anything but a list of the kind with items and a version
     */
    public ListEnd read(JsonReader from, EntryReader reader, ItemSink sink) throws IOException {
        if (from.peek() != '{') {
            throw expected.notAList(from.peek() < 0 ? "it is empty" : "it is no JSON object");
        }
        kind = "";
        apiVersion = "";
        version = "";
        next = "";
        remaining = 0;
        hasItems = false;
        from.open('{');
        while (from.nextField(name)) {
            if (name.contentEquals(ITEMS)) {
                hasItems = readItems(from, reader, sink);
            } else if (name.contentEquals(KIND)) {
                kind = from.text();
            } else if (name.contentEquals(API_VERSION)) {
                apiVersion = from.text();
            } else if (name.contentEquals(METADATA) && from.openIf('{')) {
                readMetadata(from);
            } else {
                from.skip();
            }
        }
        check(from);
        return new ListEnd(version, next, remaining);
    }

    private void check(JsonReader from) throws IOException {
        expected.checkList(apiVersion, kind);
        if (!hasItems) {
            throw expected.notAList("it has no items");
        }
        if (version.isEmpty()) {
            throw expected.notAList("it has no resourceVersion");
        }
        if (from.peek() >= 0) {
            throw expected.notAList("it does not end");
        }
    }

    /** Read items; an API server can write {@code null} for none. */
    private boolean readItems(JsonReader from, EntryReader reader, ItemSink sink) throws IOException {
        if (!from.openIf('[')) {
            value.clear();
            from.copyValue(value);
            return value.contentEquals(NULL);
        }
        while (from.nextElement()) {
            SetAside bad = SetAside.read(from, reader, expected);
            if (bad == null) {
                sink.item(reader.lastHeader());
            } else {
                sink.setAside(bad);
            }
        }
        return true;
    }

    /** Return how many items follow in other pages of a list whose items do not matter; 0 if the API server does not say so. */
    static long remaining(JsonReader list) throws IOException {
        long remaining = 0;
        list.open('{');
        for (String field = list.nextName(); field != null; field = list.nextName()) {
            if (!field.equals("metadata") || !list.openIf('{')) {
                list.skip();
                continue;
            }
            for (String inner = list.nextName(); inner != null; inner = list.nextName()) {
                if (inner.equals("remainingItemCount")) {
                    remaining = list.number();
                } else {
                    list.skip();
                }
            }
        }
        return remaining;
    }

    private void readMetadata(JsonReader from) throws IOException {
        while (from.nextField(name)) {
            if (name.contentEquals(VERSION)) {
                version = from.text();
            } else if (name.contentEquals(CONTINUE)) {
                next = from.text();
            } else if (name.contentEquals(REMAINING)) {
                remaining = from.number();
            } else {
                from.skip();
            }
        }
    }
}
