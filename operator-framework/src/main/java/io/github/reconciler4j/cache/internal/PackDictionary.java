package io.github.reconciler4j.cache.internal;

import java.util.Arrays;

/**
 * A text that others are likely to resemble, with an index of what stands where in it, so that it need not be gone
 * through again for each of them. Immutable and safe for use by many threads.
 */
final class PackDictionary {

    /** The most bytes one can have. */
    static final int MOST_BYTES = 32 * 1024;

    static final int HASH_BITS = 12;
    private static final int HASH_FACTOR = 0x9E3779B1;

    private final byte[] text;
    /** By hash: the last place at which such bytes stand, -1 if there is none. */
    private final short[] last = new short[1 << HASH_BITS];
    /** By place: the one before it with the same hash, -1 if there is none. */
    private final short[] before;

    PackDictionary(byte[] text) {
        this.text = text;
        before = new short[text.length];
        Arrays.fill(last, (short) -1);
        for (int at = 0; at + PackCodes.SHORTEST <= text.length; at++) {
            int hash = hash(text, at);
            before[at] = last[hash];
            last[hash] = (short) at;
        }
    }

    /** A hash of the bytes at a place, as many as the shortest repetition has. */
    static int hash(byte[] text, int at) {
        int bytes = text[at] << 24 | (text[at + 1] & 0xff) << 16 | (text[at + 2] & 0xff) << 8 | text[at + 3] & 0xff;
        return bytes * HASH_FACTOR >>> Integer.SIZE - HASH_BITS;
    }

    int size() {
        return text.length;
    }

    /** The last place at which bytes of this hash stand, -1 if there is none. */
    int last(int hash) {
        return last[hash];
    }

    /** The place before this one at which bytes of the same hash stand, -1 if there is none. */
    int before(int at) {
        return before[at];
    }

    /** Copies a part of it. */
    void copyTo(int from, byte[] target, int at, int length) {
        System.arraycopy(text, from, target, at, length);
    }
}
