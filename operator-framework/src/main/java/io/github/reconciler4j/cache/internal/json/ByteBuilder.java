package io.github.reconciler4j.cache.internal.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing sequence of bytes that is cleared and reused. Confined to one thread.
 *
 * @since 0.1.0
 */
public final class ByteBuilder {

    private static final int MAX_KEPT = 1 << 20;

    private byte[] array;
    private int size;

    /** Create an empty sequence. */
    public ByteBuilder(int capacity) {
        array = new byte[capacity];
    }

    /** Return the bytes, valid up to {@link #size}; the next append can replace the array. */
    public byte[] array() {
        return array;
    }

    /** Return the number of bytes. */
    public int size() {
        return size;
    }

    /** Remove the content, and free the memory of an unusually large one. */
    public void clear() {
        if (array.length > MAX_KEPT) {
            array = new byte[MAX_KEPT / 16];
        }
        size = 0;
    }

    /** Append one byte. */
    public void append(int value) {
        ensure(1);
        array[size++] = (byte) value;
    }

    /** Append a part of an array. */
    public void append(byte[] source, int start, int length) {
        ensure(length);
        System.arraycopy(source, start, array, size, length);
        size += length;
    }

    /** Append the content of another sequence. */
    public void append(ByteBuilder other) {
        append(other.array, 0, other.size);
    }

    private void ensure(int more) {
        if (array.length - size < more) {
            array = Arrays.copyOf(array, Math.max(size + more, array.length * 2));
        }
    }

    /** Return whether the content equals an array. */
    public boolean contentEquals(byte[] other) {
        return size == other.length && Arrays.equals(array, 0, size, other, 0, size);
    }

    /** Return a copy of the content. */
    public byte[] toArray() {
        return Arrays.copyOf(array, size);
    }

    /** Return the content as text; for names and codes only, never for a log of content. */
    @Override
    public String toString() {
        return new String(array, 0, size, StandardCharsets.UTF_8);
    }
}
