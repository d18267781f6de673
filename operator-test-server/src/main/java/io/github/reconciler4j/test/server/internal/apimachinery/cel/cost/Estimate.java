package io.github.reconciler4j.test.server.internal.apimachinery.cel.cost;

/**
 * The least and the most that something can cost or measure. Sums and products that are too large become {@link #MAX}.
 * Immutable.
 */
record Estimate(long min, long max) {
    /** Stands for everything that is unknown or too large. */
    static final long MAX = Long.MAX_VALUE;

    static final Estimate ZERO = fixed(0);
    static final Estimate ONE = fixed(1);
    static final Estimate UNKNOWN = new Estimate(0, MAX);

    static Estimate fixed(long value) {
        return new Estimate(value, value);
    }

    Estimate plus(Estimate other) {
        return new Estimate(sum(min, other.min), sum(max, other.max));
    }

    Estimate times(Estimate other) {
        return new Estimate(product(min, other.min), product(max, other.max));
    }

    /** Multiply, rounded up. */
    Estimate times(double factor) {
        return new Estimate(product(min, factor), product(max, factor));
    }

    /** Return an estimate that contains both. */
    Estimate union(Estimate other) {
        return new Estimate(Math.min(min, other.min), Math.max(max, other.max));
    }

    static long sum(long a, long b) {
        return a > MAX - b ? MAX : a + b;
    }

    static long product(long a, long b) {
        return b != 0 && a > MAX / b ? MAX : a * b;
    }

    private static long product(long value, double factor) {
        double product = Math.ceil(value * factor);
        return product >= MAX ? MAX : (long) product;
    }
}
