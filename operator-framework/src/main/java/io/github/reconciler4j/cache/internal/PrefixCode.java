package io.github.reconciler4j.cache.internal;

import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * Gives symbols, numbers from 0 on, as many bits as their frequency deserves: the shortest codes of which none begins
 * another one, with at most {@link #LONGEST} bits. Immutable and safe for use by many threads.
 */
final class PrefixCode {

    static final int LONGEST = 12;

    /** How many bits a length, or a length beside a code or a symbol, takes. */
    private static final int LENGTH_BITS = 4;

    private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;
    /** What a symbol counts that was seen, against one that was not. */
    private static final int SEEN = 16;

    /** By symbol: the code, then its length. */
    private final char[] codes;
    /** By the bits that come next: the symbol, then the length of its code. */
    private final char[] symbols = new char[1 << LONGEST];

    /** Codes of these lengths, one for each symbol. */
    PrefixCode(int[] lengths) {
        codes = new char[lengths.length];
        int code = 0;
        for (int length = 1; length <= LONGEST; length++) {
            for (int symbol = 0; symbol < lengths.length; symbol++) {
                if (lengths[symbol] == length) {
                    assign(symbol, Integer.reverse(code++) >>> Integer.SIZE - length, length);
                }
            }
            code <<= 1;
        }
    }

    private void assign(int symbol, int code, int length) {
        codes[symbol] = (char) (code << LENGTH_BITS | length);
        for (int next = code; next < symbols.length; next += 1 << length) {
            symbols[next] = (char) (symbol << LENGTH_BITS | length);
        }
    }

    /** The best codes for symbols that are seen so often; one that was never seen has a code, too. */
    static PrefixCode of(int[] counts) {
        long[] weights = new long[counts.length];
        for (int i = 0; i < counts.length; i++) {
            weights[i] = (long) counts[i] * SEEN + 1;
        }
        int[] lengths = lengths(weights);
        while (longest(lengths) > LONGEST) {
            for (int i = 0; i < weights.length; i++) {
                weights[i] = weights[i] / 2 + 1;
            }
            lengths = lengths(weights);
        }
        return new PrefixCode(lengths);
    }

    /** Joins the two lightest trees until there is one; how deep a symbol is in it is the length of its code. */
    private static int[] lengths(long[] weights) {
        int nodes = weights.length;
        int[] parents = new int[2 * nodes - 1];
        PriorityQueue<Long> trees = new PriorityQueue<>();
        for (int i = 0; i < nodes; i++) {
            trees.add(weights[i] << Character.SIZE | i);
        }
        while (trees.size() > 1) {
            long one = trees.remove();
            long other = trees.remove();
            parents[(char) one] = nodes;
            parents[(char) other] = nodes;
            trees.add((one >>> Character.SIZE) + (other >>> Character.SIZE) << Character.SIZE | nodes++);
        }
        int[] depths = new int[nodes];
        for (int i = nodes - 2; i >= 0; i--) {
            depths[i] = depths[parents[i]] + 1;
        }
        return Arrays.copyOf(depths, weights.length);
    }

    private static int longest(int[] lengths) {
        int longest = 0;
        for (int length : lengths) {
            longest = Math.max(longest, length);
        }
        return longest;
    }

    /** Writes a symbol. */
    void write(int symbol, BitWriter to) {
        int code = codes[symbol];
        to.write(code >>> LENGTH_BITS, code & LENGTH_MASK);
    }

    /** Reads a symbol. */
    int read(BitReader from) {
        int symbol = symbols[from.peek(LONGEST)];
        from.skip(symbol & LENGTH_MASK);
        return symbol >>> LENGTH_BITS;
    }

    /** Writes the code itself. */
    void writeTo(BitWriter to) {
        for (char code : codes) {
            to.write(code & LENGTH_MASK, LENGTH_BITS);
        }
    }

    /** Reads a code for so many symbols, as {@link #writeTo} wrote it. */
    static PrefixCode readFrom(BitReader from, int symbols) {
        int[] lengths = new int[symbols];
        for (int i = 0; i < symbols; i++) {
            lengths[i] = from.read(LENGTH_BITS);
        }
        return new PrefixCode(lengths);
    }
}
