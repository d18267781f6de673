package io.github.reconciler4j.cache.internal;

import java.util.Arrays;

/** Writes numbers of any few bits one after the other. Cleared and used again. To be used by one thread. */
final class BitWriter {

    private byte[] out = {};
    private int size;
    private long bits;
    private int count;

    /** Begins anew, with room for so many bytes. */
    void clear(int room) {
        if (out.length < room + Long.BYTES) {
            out = new byte[room + Long.BYTES];
        }
        size = 0;
        bits = 0;
        count = 0;
    }

    /** Writes a number of at most 31 bits. */
    void write(int value, int length) {
        long all = bits | (long) value << count;
        int total = count + length;
        if (total >= Integer.SIZE) {
            byte[] to = out;
            int at = size;
            to[at] = (byte) all;
            to[at + 1] = (byte) (all >>> 8);
            to[at + 2] = (byte) (all >>> 16);
            to[at + 3] = (byte) (all >>> 24);
            size = at + Integer.BYTES;
            all >>>= Integer.SIZE;
            total -= Integer.SIZE;
        }
        bits = all;
        count = total;
    }

    /** What was written, filled up to whole bytes. */
    byte[] toArray() {
        int end = size;
        for (int rest = count; rest > 0; rest -= Byte.SIZE) {
            out[end++] = (byte) bits;
            bits >>>= Byte.SIZE;
        }
        return Arrays.copyOf(out, end);
    }

    /** Gives back its room. */
    void forget() {
        out = new byte[0];
    }
}
