package io.github.reconciler4j.cache.internal.json;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Copies one object out of a stream, without {@code metadata.managedFields} and, if requested, without the annotation in
 * which {@code kubectl apply} keeps a second copy of the whole object. Confined to one thread.
 *
 * @since 0.1.0
 */
public final class ItemReader {

    private static final byte[] KIND = quoted("kind");
    private static final byte[] METADATA = quoted("metadata");
    private static final byte[] MANAGED_FIELDS = quoted("managedFields");
    private static final byte[] ANNOTATIONS = quoted("annotations");
    private static final byte[] LAST_APPLIED = quoted("kubectl.kubernetes.io/last-applied-configuration");

    private final boolean dropLastApplied;
    private final ByteBuilder name = new ByteBuilder(128);
    private final ByteBuilder object = new ByteBuilder(8 * 1024);
    private int metadataStart;
    private int metadataEnd;
    private int kindStart;
    private int kindEnd;

    /** Create a reader that drops the annotation of {@code kubectl apply} or keeps it. */
    public ItemReader(boolean dropLastApplied) {
        this.dropLastApplied = dropLastApplied;
    }

    /** Return a name as it stands in JSON. */
    public static byte[] quoted(String name) {
        return ('"' + name + '"').getBytes(StandardCharsets.US_ASCII);
    }

    /** Return the object that was read last, valid until the next one is read. */
    public ByteBuilder object() {
        return object;
    }

    /** Return where the value of {@code metadata} starts in {@link #object}; equals the end if the object has no metadata. */
    public int metadataStart() {
        return metadataStart;
    }

    /** Return where the value of {@code metadata} ends in {@link #object}. */
    public int metadataEnd() {
        return metadataEnd;
    }

    /** Return whether the object names its kind. */
    public boolean hasKind() {
        return kindEnd > kindStart;
    }

    /** Return whether the object is of this kind, given as it stands in JSON. */
    public boolean isKind(byte[] quoted) {
        return Arrays.equals(object.array(), kindStart, kindEnd, quoted, 0, quoted.length);
    }

    /**
     * Read the object that comes next.
     *
     * @throws IOException if it is no JSON object, or the stream ends or fails
     */
    public void read(JsonReader from) throws IOException {
        object.clear();
        metadataStart = 0;
        metadataEnd = 0;
        kindStart = 0;
        kindEnd = 0;
        boolean first = open(from);
        while (from.nextField(name)) {
            boolean metadata = name.contentEquals(METADATA);
            boolean kind = name.contentEquals(KIND);
            first = appendName(first);
            int start = object.size();
            boolean nested = metadata && from.peek() == '{';
            if (nested) {
                readMetadata(from);
            } else {
                from.copyValue(object);
            }
            if (metadata) { // of two, the last one counts
                metadataStart = start;
                metadataEnd = nested ? object.size() : start;
            }
            if (kind) {
                kindStart = start;
                kindEnd = object.size();
            }
        }
        object.append('}');
    }

    private void readMetadata(JsonReader from) throws IOException {
        boolean first = open(from);
        while (from.nextField(name)) {
            if (name.contentEquals(MANAGED_FIELDS)) {
                from.skip();
                continue;
            }
            boolean annotations = dropLastApplied && name.contentEquals(ANNOTATIONS);
            first = appendName(first);
            if (annotations && from.peek() == '{') {
                readAnnotations(from);
            } else {
                from.copyValue(object);
            }
        }
        object.append('}');
    }

    private void readAnnotations(JsonReader from) throws IOException {
        boolean first = open(from);
        while (from.nextField(name)) {
            if (name.contentEquals(LAST_APPLIED)) {
                from.skip();
            } else {
                first = appendName(first);
                from.copyValue(object);
            }
        }
        object.append('}');
    }

    private boolean open(JsonReader from) throws IOException {
        from.open('{');
        object.append('{');
        return true;
    }

    private boolean appendName(boolean first) {
        if (!first) {
            object.append(',');
        }
        object.append(name);
        object.append(':');
        return false;
    }
}
