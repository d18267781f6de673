package io.github.reconciler4j.cache.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Copies one object out of a stream, leaving out {@code metadata.managedFields} and, if asked to, the annotation in
 * which {@code kubectl apply} keeps a second copy of the whole object. To be used by one thread.
 */
final class ItemReader {

    private static final byte[] KIND = quoted("kind");
    private static final byte[] METADATA = quoted("metadata");
    private static final byte[] MANAGED_FIELDS = quoted("managedFields");
    private static final byte[] ANNOTATIONS = quoted("annotations");
    private static final byte[] LAST_APPLIED = quoted("kubectl.kubernetes.io/last-applied-configuration");

    private final boolean dropLastApplied;
    private final Bytes name = new Bytes(128);
    private final Bytes object = new Bytes(8 * 1024);
    private int metadataStart;
    private int metadataEnd;
    private int kindStart;
    private int kindEnd;

    ItemReader(boolean dropLastApplied) {
        this.dropLastApplied = dropLastApplied;
    }

    static byte[] quoted(String name) {
        return ('"' + name + '"').getBytes(StandardCharsets.US_ASCII);
    }

    /** The object read last; valid until the next one is read. */
    Bytes object() {
        return object;
    }

    /** Where the value of {@code metadata} begins in {@link #object}; equals the end if there is none. */
    int metadataStart() {
        return metadataStart;
    }

    /** Where the value of {@code metadata} ends in {@link #object}. */
    int metadataEnd() {
        return metadataEnd;
    }

    /** Whether the object names its kind. */
    boolean hasKind() {
        return kindEnd > kindStart;
    }

    /** Whether the object is of this kind, given as JSON. */
    boolean isKind(byte[] quoted) {
        return Arrays.equals(object.array(), kindStart, kindEnd, quoted, 0, quoted.length);
    }

    /** Reads the object that comes next; it must be a JSON object. */
    void read(JsonScanner from) throws IOException {
        object.clear();
        metadataStart = 0;
        metadataEnd = 0;
        kindStart = 0;
        kindEnd = 0;
        boolean first = begin(from);
        while (from.nextField(name)) {
            boolean metadata = name.contentEquals(METADATA);
            boolean kind = name.contentEquals(KIND);
            first = field(first);
            if (metadata && from.peek() == '{') {
                metadataStart = object.size();
                readMetadata(from);
                metadataEnd = object.size();
            } else {
                int start = object.size();
                from.copyValue(object);
                if (kind) {
                    kindStart = start;
                    kindEnd = object.size();
                }
            }
        }
        object.append('}');
    }

    private void readMetadata(JsonScanner from) throws IOException {
        boolean first = begin(from);
        while (from.nextField(name)) {
            if (name.contentEquals(MANAGED_FIELDS)) {
                from.copyValue(null);
                continue;
            }
            boolean annotations = dropLastApplied && name.contentEquals(ANNOTATIONS);
            first = field(first);
            if (annotations && from.peek() == '{') {
                readAnnotations(from);
            } else {
                from.copyValue(object);
            }
        }
        object.append('}');
    }

    private void readAnnotations(JsonScanner from) throws IOException {
        boolean first = begin(from);
        while (from.nextField(name)) {
            if (name.contentEquals(LAST_APPLIED)) {
                from.copyValue(null);
            } else {
                first = field(first);
                from.copyValue(object);
            }
        }
        object.append('}');
    }

    private boolean begin(JsonScanner from) throws IOException {
        from.expect('{');
        object.append('{');
        return true;
    }

    private boolean field(boolean first) {
        if (!first) {
            object.append(',');
        }
        object.append(name);
        object.append(':');
        return false;
    }
}
