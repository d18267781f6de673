package io.github.reconciler4j.metrics;

import java.util.function.DoubleSupplier;

/**
 * Where the parts of an operator report measurements. Names and labels are those of Prometheus as dashboards know them
 * ({@code controller_runtime_reconcile_total}). Parts ask for an instrument once and keep it. Safe for use by many
 * threads; never throws.
 *
 * @since 0.1.0
 */
public interface OperatorMetrics {

    /** Forgets everything it is told. */
    OperatorMetrics NONE = new NoMetrics();

    /**
     * A number that only grows.
     *
     * @param labels names and values in turn
     */
    Counter counter(String name, String help, String... labels);

    /**
     * A distribution of values.
     *
     * @param buckets the upper bounds, ascending
     * @param labels names and values in turn
     */
    Histogram histogram(String name, String help, double[] buckets, String... labels);

    /**
     * A number that is asked for when somebody looks. The supplier is kept until the registration is closed.
     *
     * @param labels names and values in turn
     */
    Registration gauge(String name, String help, DoubleSupplier value, String... labels);

    /** A number that only grows. */
    @FunctionalInterface
    interface Counter {
        /** Adds an amount that is not negative. */
        void add(double amount);

        /** Adds one. */
        default void increment() {
            add(1);
        }
    }

    /** A distribution of values. */
    @FunctionalInterface
    interface Histogram {
        /** Records one value, in the base unit (seconds, bytes). */
        void record(double value);
    }

    /** A gauge that is being reported. */
    @FunctionalInterface
    interface Registration extends AutoCloseable {
        /** Ends the reporting; further calls do nothing. */
        @Override
        void close();
    }
}
