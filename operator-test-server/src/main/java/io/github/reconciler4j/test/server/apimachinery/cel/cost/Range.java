package io.github.reconciler4j.test.server.apimachinery.cel.cost;

/**
 * A size or a cost from least to most. Sums and products stop at {@link #ENDLESS}. Immutable.
 *
 * @param min at least
 * @param max at most
 */
record Range(long min, long max) {
    static final long ENDLESS = Long.MAX_VALUE;
    static final Range NONE = new Range(0, 0);
    static final Range ONE = new Range(1, 1);
    static final Range UNKNOWN = new Range(0, ENDLESS);

    static Range of(long both) {
        return new Range(both, both);
    }

    Range plus(Range other) {
        return new Range(add(min, other.min), add(max, other.max));
    }

    Range times(Range other) {
        return new Range(multiply(min, other.min), multiply(max, other.max));
    }

    /** Each end by the factor, rounded up. */
    Range times(double factor) {
        return new Range(multiply(min, factor), multiply(max, factor));
    }

    /** What covers both. */
    Range or(Range other) {
        return new Range(Math.min(min, other.min), Math.max(max, other.max));
    }

    static long add(long one, long other) {
        return one > ENDLESS - other ? ENDLESS : one + other;
    }

    static long multiply(long one, long other) {
        return other != 0 && one > ENDLESS / other ? ENDLESS : one * other;
    }

    private static long multiply(long one, double factor) {
        return (long) Math.ceil(one * factor); // a cast stops at the largest number
    }
}
