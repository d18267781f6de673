package io.github.reconciler4j.metrics;

import io.github.reconciler4j.support.LogLimiter;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports to other metrics, with more labels, and catches what they throw: a broken counter must not lose a lease. */
final class GuardedMetrics implements OperatorMetrics {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedMetrics.class);

    private final OperatorMetrics metrics;
    private final LogLimiter warnings = new LogLimiter();

    private final String[] moreLabels;

    GuardedMetrics(OperatorMetrics metrics, String... moreLabels) {
        this.metrics = metrics;
        this.moreLabels = moreLabels;
    }

    private String[] all(String[] labels) {
        return Stream.concat(Stream.of(labels), Stream.of(moreLabels)).toArray(String[]::new);
    }

    @Override
    public Counter counter(String name, String help, String... labels) {
        Counter counter =
                registered(name, () -> metrics.counter(name, help, all(labels)), NONE.counter(name, help, labels));
        return amount -> {
            try { // and no Runnable, which would be one more object for each event
                counter.add(amount);
            } catch (Throwable e) {
                warn(name, e);
            }
        };
    }

    @Override
    public Histogram histogram(String name, String help, double[] buckets, String... labels) {
        Histogram histogram = registered(
                name,
                () -> metrics.histogram(name, help, buckets, all(labels)),
                NONE.histogram(name, help, buckets, labels));
        return value -> {
            try {
                histogram.record(value);
            } catch (Throwable e) {
                warn(name, e);
            }
        };
    }

    @Override
    public Registration gauge(String name, String help, DoubleSupplier value, String... labels) {
        Registration gauge = registered(
                name, () -> metrics.gauge(name, help, value, all(labels)), NONE.gauge(name, help, value, labels));
        return () -> report(name, gauge::close);
    }

    @Override
    public void removeWithLabel(String label, String value) {
        report(label, () -> metrics.removeWithLabel(label, value));
    }

    private <T> T registered(String name, Supplier<T> registration, T fallback) {
        try {
            return registration.get();
        } catch (Throwable e) {
            warn(name, e);
            return fallback;
        }
    }

    private void report(String name, Runnable report) {
        try {
            report.run();
        } catch (Throwable e) {
            warn(name, e);
        }
    }

    private void warn(String name, Throwable e) {
        warnings.log(
                name + LogLimiter.cause(e),
                occurrence -> LOG.warn(
                        "Metric '{}' could not be reported{}", name, occurrence.suffix(e), occurrence.trace(e)));
    }

    @Override
    public String toString() {
        return metrics.toString();
    }
}
