package io.github.reconciler4j.cache.internal;

/**
 * How a packed text is written: as bytes, and as repetitions of what comes earlier. Lengths and distances of repetitions
 * are written as the number of a bucket, two of which hold the numbers between two powers of two, and the place in it.
 * Immutable and safe for use by many threads.
 *
 * @param literals bytes, then the buckets of lengths
 * @param distances the buckets of distances
 */
record PackCodes(PrefixCode literals, PrefixCode distances) {

    /** Shorter repetitions are written as bytes. */
    static final int SHORTEST = 4;

    /** The greatest distance, and the greatest length above the shortest. */
    static final int MOST = 0xffff;

    static final int BYTES = 256;
    static final int BUCKETS = 32;
    static final int SYMBOLS = BYTES + BUCKETS;

    /** How many bytes codes and what stands before them take at most. */
    static final int MOST_BYTES = (SYMBOLS + BUCKETS) / 2 + Long.BYTES;

    private static final int LENGTH_BITS = 5;

    /** Writes what every packed text begins with: the size of the text, and whether it has codes of its own. */
    static void writeHead(int size, boolean own, BitWriter to) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(size);
        to.write(own ? 1 : 0, 1);
        to.write(bits, LENGTH_BITS);
        to.write(size, bits);
    }

    /** Reads the first of the head: whether the text has codes of its own. */
    static boolean readOwn(BitReader from) {
        return from.read(1) == 1;
    }

    /** Reads the rest of the head: the size of the text. */
    static int readSize(BitReader from) {
        return from.read(from.read(LENGTH_BITS));
    }

    /** The bucket of a number from 0 to {@link #MOST}. */
    static int bucket(int number) {
        if (number < 4) {
            return number;
        }
        int power = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(number);
        return 2 * power + (number >>> power - 1 & 1);
    }

    /** How many bits the place in a bucket takes. */
    static int placeBits(int bucket) {
        return bucket < 4 ? 0 : (bucket >> 1) - 1;
    }

    /** The least number of a bucket. */
    static int least(int bucket) {
        return bucket < 4 ? bucket : (2 | bucket & 1) << (bucket >> 1) - 1;
    }

    void writeLiteral(int value, BitWriter to) {
        literals.write(value, to);
    }

    void writeRepetition(int length, int distance, BitWriter to) {
        writeNumber(length - SHORTEST, BYTES, literals, to);
        writeNumber(distance - 1, 0, distances, to);
    }

    private static void writeNumber(int number, int firstSymbol, PrefixCode code, BitWriter to) {
        int bucket = bucket(number);
        code.write(firstSymbol + bucket, to);
        int bits = placeBits(bucket);
        if (bits > 0) {
            to.write(number - least(bucket), bits);
        }
    }

    /** Reads the rest of a number whose bucket was read. */
    static int readNumber(int bucket, BitReader from) {
        int bits = placeBits(bucket);
        return bits == 0 ? bucket : least(bucket) + from.read(bits);
    }

    /** Writes the codes themselves. */
    void writeTo(BitWriter to) {
        literals.writeTo(to);
        distances.writeTo(to);
    }

    /** Reads what {@link #writeTo} wrote. */
    static PackCodes readFrom(BitReader from) {
        PrefixCode literals = PrefixCode.readFrom(from, SYMBOLS);
        return new PackCodes(literals, PrefixCode.readFrom(from, BUCKETS));
    }
}
