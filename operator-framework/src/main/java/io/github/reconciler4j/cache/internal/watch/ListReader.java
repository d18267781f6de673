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

    private final ExpectedKind expected;
    private final ByteBuilder name = new ByteBuilder(64);
    private final ByteBuilder value = new ByteBuilder(64);

    private String kind = "";
    private String apiVersion = "";
    private String version = "";
    private String next = "";
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
     * @since 0.1.0
     */
    public record End(String version, String next) {}

    /** Takes the item that was just read, and its metadata. */
    @FunctionalInterface
    public interface ItemSink {

        /** Take an item. */
        void item(MutableHeader header) throws IOException;
    }

    /**
     * Read a whole response; each item is read by the reader and then passed to the sink. What the sink received only counts
     * if this returns.
     *
     * @throws StreamCorruptedException if the response is anything but a list of the kind with items and a version
     */
    public End read(JsonReader from, EntryReader reader, ItemSink sink) throws IOException {
        if (from.peek() != '{') {
            throw expected.notAList(from.peek() < 0 ? "it is empty" : "it is no JSON object");
        }
        kind = "";
        apiVersion = "";
        version = "";
        next = "";
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
        return new End(version, next);
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
            reader.read(from);
            MutableHeader header = reader.header();
            expected.checkObject(reader.item(), header);
            sink.item(header);
        }
        return true;
    }

    private void readMetadata(JsonReader from) throws IOException {
        while (from.nextField(name)) {
            if (name.contentEquals(VERSION)) {
                version = from.text();
            } else if (name.contentEquals(CONTINUE)) {
                next = from.text();
            } else {
                from.skip();
            }
        }
    }
}
