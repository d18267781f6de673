package io.github.reconciler4j.metrics;

import java.util.function.DoubleSupplier;

/** Discards all measurements. */
final class NoMetrics implements OperatorMetrics {

    @Override
    public Counter counter(String name, String help, String... labels) {
        return amount -> {};
    }

    @Override
    public Histogram histogram(String name, String help, double[] buckets, String... labels) {
        return value -> {};
    }

    @Override
    public Registration gauge(String name, String help, DoubleSupplier value, String... labels) {
        return () -> {};
    }
}
