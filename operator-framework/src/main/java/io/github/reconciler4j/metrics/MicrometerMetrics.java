package io.github.reconciler4j.metrics;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;

/**
 * Reports to Micrometer. In a Prometheus registry names, labels and buckets are exactly those the parts ask for. Needs
 * {@code micrometer-core} on the class path. Safe for use by many threads.
 */
public final class MicrometerMetrics implements OperatorMetrics {

    private static final double NANOS_PER_SECOND = 1e9;

    private final MeterRegistry registry;

    /** Reports to this registry. */
    public MicrometerMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public Counter counter(String name, String help, String... labels) {
        return io.micrometer.core.instrument.Counter.builder(name)
                .description(help)
                .tags(labels)
                .register(registry)::increment;
    }

    /** Durations become timers: Micrometer's summaries count values below one in whole numbers. */
    @Override
    public Histogram histogram(String name, String help, double[] buckets, String... labels) {
        return name.endsWith("_seconds") ? timer(name, help, buckets, labels) : summary(name, help, buckets, labels);
    }

    private Histogram timer(String name, String help, double[] buckets, String... labels) {
        Timer timer = Timer.builder(name)
                .description(help)
                .tags(labels)
                .serviceLevelObjectives(DoubleStream.of(buckets)
                        .mapToObj(MicrometerMetrics::seconds)
                        .toArray(Duration[]::new))
                .register(registry);
        return value -> timer.record(seconds(value));
    }

    private static Duration seconds(double value) {
        return Duration.ofNanos(Math.round(value * NANOS_PER_SECOND));
    }

    private Histogram summary(String name, String help, double[] buckets, String... labels) {
        return DistributionSummary.builder(name)
                .description(help)
                .tags(labels)
                .serviceLevelObjectives(buckets)
                .register(registry)::record;
    }

    /** A second gauge of the same name and labels has no effect until the first is closed. */
    @Override
    public Registration gauge(String name, String help, DoubleSupplier value, String... labels) {
        boolean taken = registry.find(name).tags(Tags.of(labels)).gauge() != null;
        Meter gauge = Gauge.builder(name, value::getAsDouble)
                .description(help)
                .tags(labels)
                .strongReference(true)
                .register(registry);
        return taken ? () -> {} : () -> registry.remove(gauge);
    }
}
