package io.github.reconciler4j.cache.internal;

/** Reads what a {@link BitWriter} wrote; after its end come zeros. To be used by one thread. */
final class BitReader {

    private final byte[] in;
    private int at;
    private long bits;
    private int count;

    BitReader(byte[] in) {
        this.in = in;
    }

    /** The next number of at most 31 bits, which is not consumed. */
    int peek(int length) {
        if (count < length) {
            fill();
        }
        return (int) bits & (1 << length) - 1;
    }

    /** Consumes bits that were looked at. */
    void skip(int length) {
        bits >>>= length;
        count -= length;
    }

    /** Consumes the next number of at most 31 bits. */
    int read(int length) {
        int value = peek(length);
        skip(length);
        return value;
    }

    private void fill() {
        byte[] from = in;
        int next = at;
        if (next + Integer.BYTES <= from.length) {
            long more = from[next] & 0xff
                    | (from[next + 1] & 0xff) << 8
                    | (from[next + 2] & 0xff) << 16
                    | (from[next + 3] & 0xff) << 24;
            bits |= (more & 0xffff_ffffL) << count;
            at = next + Integer.BYTES;
            count += Integer.SIZE;
            return;
        }
        while (count <= Integer.SIZE) {
            bits |= (next < from.length ? from[next++] & 0xffL : 0) << count;
            count += Byte.SIZE;
        }
        at = next;
    }
}
