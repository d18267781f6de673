package io.github.reconciler4j.metrics;

import java.util.function.DoubleSupplier;

/**
 * The destination of measurements. Names and labels are those that Prometheus dashboards know, for instance
 * {@code controller_runtime_reconcile_total}. Callers request an instrument once and keep it.
 *
 * <p>Implementations are thread-safe and do not throw. The manager tolerates one that does, see {@link #guarded}.
 *
 * <!-- snippet: MetricsUse -->
 * <pre>{@code
 * OperatorMetrics.Counter refused =
 *         metrics.counter("shop_orders_refused_total", "Refused orders", "cause", "stock");
 * refused.increment();
 * return metrics.gauge("shop_orders_waiting", "Orders that wait", orders::size);
 * }</pre>
 *
 * @since 0.1.0
 */
public interface OperatorMetrics {

    /** Discards all measurements. */
    OperatorMetrics NONE = new NoMetrics();

    /**
     * Return metrics that report to the given ones and never throw. A failure is logged at most once a minute, and the
     * measurement is lost.
     */
    static OperatorMetrics guarded(OperatorMetrics metrics) {
        return metrics == NONE || metrics instanceof GuardedMetrics ? metrics : new GuardedMetrics(metrics);
    }

    /**
     * Return metrics that report to these with one more label, and never throw.
     *
     * @param label the name of the label
     * @param value the value of the label
     */
    default OperatorMetrics withLabel(String label, String value) {
        return this == NONE ? NONE : new GuardedMetrics(this, label, value);
    }

    /**
     * Stop reporting all instruments that have a label with the given value, for instance those of a cluster that has left. The
     * default does nothing.
     *
     * @param label the name of the label
     * @param value the value of the label
     */
    default void removeWithLabel(String label, String value) {}

    /**
     * Return a counter.
     *
     * @param labels the names and values of the labels, alternating
     */
    Counter counter(String name, String help, String... labels);

    /**
     * Return a histogram.
     *
     * @param buckets the upper bounds in ascending order
     * @param labels the names and values of the labels, alternating
     */
    Histogram histogram(String name, String help, double[] buckets, String... labels);

    /**
     * Register a gauge, whose value is read when the metrics are collected. The supplier is kept until the registration is
     * closed.
     *
     * @param labels the names and values of the labels, alternating
     */
    Registration gauge(String name, String help, DoubleSupplier value, String... labels);

    /**
     * A number that only grows. Thread-safe.
     *
     * @since 0.1.0
     */
    @FunctionalInterface
    interface Counter {
        /** Add an amount, which must not be negative. */
        void add(double amount);

        /** Add one. */
        default void increment() {
            add(1);
        }
    }

    /**
     * A distribution of values. Thread-safe.
     *
     * @since 0.1.0
     */
    @FunctionalInterface
    interface Histogram {
        /** Record a value in the base unit: seconds or bytes. */
        void record(double value);
    }

    /**
     * A registered gauge. Thread-safe.
     *
     * @since 0.1.0
     */
    @FunctionalInterface
    interface Registration extends AutoCloseable {
        /** Stop reporting the gauge. Further calls do nothing. */
        @Override
        void close();
    }
}
