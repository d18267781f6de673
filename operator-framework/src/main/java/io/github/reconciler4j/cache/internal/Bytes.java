package io.github.reconciler4j.cache.internal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing run of bytes that is cleared and used again. To be used by one thread. */
final class Bytes {

    private static final int KEEP = 1 << 20;

    private byte[] array;
    private int size;

    Bytes(int capacity) {
        array = new byte[capacity];
    }

    /** The bytes, valid up to {@link #size}; another array after the next append. */
    byte[] array() {
        return array;
    }

    int size() {
        return size;
    }

    /** Forgets the content; gives back the memory of one uncommonly large content. */
    void clear() {
        if (array.length > KEEP) {
            array = new byte[KEEP / 16];
        }
        size = 0;
    }

    void append(int value) {
        ensure(1);
        array[size++] = (byte) value;
    }

    void append(byte[] source, int start, int length) {
        ensure(length);
        System.arraycopy(source, start, array, size, length);
        size += length;
    }

    void append(Bytes other) {
        append(other.array, 0, other.size);
    }

    private void ensure(int more) {
        if (array.length - size < more) {
            array = Arrays.copyOf(array, Math.max(size + more, array.length * 2));
        }
    }

    boolean contentEquals(byte[] other) {
        return size == other.length && Arrays.equals(array, 0, size, other, 0, size);
    }

    byte[] toArray() {
        return Arrays.copyOf(array, size);
    }

    /** The content as text; only for names and codes, never for logs of content. */
    @Override
    public String toString() {
        return new String(array, 0, size, StandardCharsets.UTF_8);
    }
}
