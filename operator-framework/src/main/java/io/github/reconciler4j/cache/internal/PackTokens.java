package io.github.reconciler4j.cache.internal;

/** Takes what a text is made of, in its order. */
interface PackTokens {

    /** A byte. */
    void literal(int value);

    /** A repetition of what comes that much earlier. */
    void repetition(int length, int distance);

    /** Counts symbols, to choose codes by. To be used by one thread. */
    final class Counts implements PackTokens {

        private final int[] literals = new int[PackCodes.SYMBOLS];
        private final int[] distances = new int[PackCodes.BUCKETS];

        @Override
        public void literal(int value) {
            literals[value]++;
        }

        @Override
        public void repetition(int length, int distance) {
            literals[PackCodes.BYTES + PackCodes.bucket(length - PackCodes.SHORTEST)]++;
            distances[PackCodes.bucket(distance - 1)]++;
        }

        /** The best codes for what was counted. */
        PackCodes codes() {
            return new PackCodes(PrefixCode.of(literals), PrefixCode.of(distances));
        }
    }

    /** Writes. To be used by one thread. */
    record Writer(PackCodes codes, BitWriter to) implements PackTokens {

        @Override
        public void literal(int value) {
            codes.writeLiteral(value, to);
        }

        @Override
        public void repetition(int length, int distance) {
            codes.writeRepetition(length, distance, to);
        }
    }
}
