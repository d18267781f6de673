package io.github.reconciler4j.cache.internal.storage;

import java.util.Arrays;

/**
 * Decodes bodies that {@link DictionaryEncoder} has encoded: as parts of a dictionary, parts of the body itself, and single bytes, with
 * codes of a variable number of bits. The codes belong to the dictionary, so a body needs no table of its own, which would take as
 * much space as the rest of a small one. Lives as long as an entry refers to it. Immutable.
 *
 * <p>A body starts with its length. A symbol below 256 is a byte. The others are the length of a part that is repeated; its
 * position follows, in the dictionary or, behind its end, in the body.
 */
final class Dictionary implements BodyForm {

    /** A dictionary and a body together cannot be longer, so that two bytes hold a position. */
    static final int MAX_POSITION = 1 << 16;

    /** A shorter part takes as much space as its bytes. */
    static final int MIN_LENGTH = 6;

    /** How many bytes the length takes before the body. */
    static final int HEAD = 4;

    static final int SYMBOLS = 256 + 16 + 12;
    static final int PAGES = 256;

    private static final int FIRST_LENGTH = 256;
    private static final int SHORT_LENGTHS = 16;
    private static final int MIN_BITS = 4;

    final byte[] text;
    final Code symbols;
    final Code pages;

    /**
     * Create a dictionary.
     *
     * @param symbolCounts how often each symbol occurs in bodies, at least once
     * @param pageCounts how often repeated parts start in each 256 bytes of dictionary and body, at least once
     */
    Dictionary(byte[] text, int[] symbolCounts, int[] pageCounts) {
        this.text = text;
        this.symbols = new Code(symbolCounts);
        this.pages = new Code(pageCounts);
    }

    /** Return the number of bits that follow the symbol of a length, and make it more exact. */
    static int lengthBits(int length) {
        int beyond = length - MIN_LENGTH;
        return beyond < SHORT_LENGTHS ? 0 : Integer.SIZE - 1 - Integer.numberOfLeadingZeros(beyond);
    }

    /** Return the symbol of a length. */
    static int symbol(int length) {
        int bits = lengthBits(length);
        return FIRST_LENGTH + (bits == 0 ? length - MIN_LENGTH : SHORT_LENGTHS + bits - MIN_BITS);
    }

    /** Return the shortest length of which a symbol is the first part. */
    static int shortest(int bits) {
        return MIN_LENGTH + (1 << bits);
    }

    @Override
    public byte[] decode(Object body) {
        byte[] encoded = (byte[]) body;
        int size = 0;
        for (int i = 0; i < HEAD; i++) {
            size |= (encoded[i] & 0xff) << 8 * i;
        }
        byte[] out = new byte[size];
        Input in = new Input(encoded);
        int at = 0;
        while (at < size) {
            int symbol = in.next(symbols);
            if (symbol < FIRST_LENGTH) {
                out[at++] = (byte) symbol;
            } else {
                at += repeat(in, symbol - FIRST_LENGTH, out, at);
            }
        }
        return out;
    }

    private int repeat(Input in, int lengthSymbol, byte[] out, int at) {
        int length = MIN_LENGTH + lengthSymbol;
        if (lengthSymbol >= SHORT_LENGTHS) {
            int bits = lengthSymbol - SHORT_LENGTHS + MIN_BITS;
            length = shortest(bits) + in.bits(bits);
        }
        int position = in.next(pages) << 8 | in.bits(8);
        int own = position - text.length;
        if (own < 0) {
            System.arraycopy(text, position, out, at, length);
        } else if (own + length <= at) {
            System.arraycopy(out, own, out, at, length);
        } else {
            for (int i = 0; i < length; i++) { // it overlaps what it becomes
                out[at + i] = out[own + i];
            }
        }
        return length;
    }

    /** Reads bits, the lowest of each byte first. */
    private static final class Input {

        private static final int FULL = Long.SIZE - Byte.SIZE;

        private final byte[] from;
        private int at = HEAD;
        private long bits;
        private int count;

        Input(byte[] from) {
            this.from = from;
        }

        private void fill() {
            while (count <= FULL) {
                bits |= (at < from.length ? from[at] & 0xffL : 0) << count;
                at++;
                count += Byte.SIZE;
            }
        }

        int next(Code code) {
            if (count < Code.MAX_BITS) {
                fill();
            }
            int found = code.found[(int) bits & Code.MASK];
            skip(found & Code.LENGTH_MASK);
            return found >> Code.LENGTH_BITS;
        }

        int bits(int wanted) {
            if (count < wanted) {
                fill();
            }
            int value = (int) bits & (1 << wanted) - 1;
            skip(wanted);
            return value;
        }

        private void skip(int used) {
            bits >>>= used;
            count -= used;
        }
    }

    /** A prefix code of at most 12 bits: short for frequent symbols, and one for each symbol. Immutable. */
    static final class Code {

        static final int MAX_BITS = 12;
        private static final int MASK = (1 << MAX_BITS) - 1;
        private static final int LENGTH_BITS = 4;
        private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;

        /** The code of each symbol, its first bit the lowest, and how many bits it has. */
        private final short[] codes;

        private final byte[] lengths;

        /** The symbol and length of the code that the next bits start with. */
        private final short[] found = new short[MASK + 1];

        Code(int[] counts) {
            this.codes = new short[counts.length];
            this.lengths = lengths(counts);
            int code = 0;
            for (int length = 1; length <= MAX_BITS; length++) {
                for (int symbol = 0; symbol < counts.length; symbol++) {
                    if (lengths[symbol] == length) {
                        assign(symbol, Integer.reverse(code++) >>> Integer.SIZE - length);
                    }
                }
                code <<= 1;
            }
        }

        private void assign(int symbol, int code) {
            codes[symbol] = (short) code;
            int length = lengths[symbol];
            for (int bits = code; bits <= MASK; bits += 1 << length) {
                found[bits] = (short) (symbol << LENGTH_BITS | length);
            }
        }

        int code(int symbol) {
            return codes[symbol];
        }

        int length(int symbol) {
            return lengths[symbol];
        }

        /** Flatten the counts until no code is too long. */
        private static byte[] lengths(int[] counts) {
            int[] flat = counts.clone();
            int[] depths = depths(flat);
            while (Arrays.stream(depths).anyMatch(depth -> depth > MAX_BITS)) {
                Arrays.setAll(flat, i -> flat[i] >> 1 | 1);
                depths = depths(flat);
            }
            byte[] lengths = new byte[depths.length];
            for (int i = 0; i < lengths.length; i++) {
                lengths[i] = (byte) depths[i];
            }
            return lengths;
        }

        /** Return the depth of each symbol in the tree of Huffman. Its nodes follow the sorted symbols, in the order of their counts. */
        private static int[] depths(int[] counts) {
            int leaves = counts.length;
            long[] sorted = new long[leaves];
            Arrays.setAll(sorted, symbol -> (long) counts[symbol] << Short.SIZE | symbol);
            Arrays.sort(sorted);
            long[] weights = new long[2 * leaves - 1];
            Arrays.setAll(weights, i -> i < leaves ? sorted[i] >> Short.SIZE : Long.MAX_VALUE);
            int[] parents = new int[2 * leaves - 1];
            int leaf = 0;
            int node = leaves;
            for (int parent = leaves; parent < parents.length; parent++) {
                long weight = 0;
                for (int child = 0; child < 2; child++) {
                    int least = leaf < leaves && weights[leaf] <= weights[node] ? leaf++ : node++;
                    parents[least] = parent;
                    weight += weights[least];
                }
                weights[parent] = weight;
            }
            int[] depths = new int[parents.length];
            int[] bySymbol = new int[leaves];
            for (int i = parents.length - 2; i >= 0; i--) {
                depths[i] = depths[parents[i]] + 1;
                if (i < leaves) {
                    bySymbol[(int) sorted[i] & (1 << Short.SIZE) - 1] = depths[i];
                }
            }
            return bySymbol;
        }
    }
}
