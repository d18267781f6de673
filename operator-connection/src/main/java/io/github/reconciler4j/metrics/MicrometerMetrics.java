package io.github.reconciler4j.metrics;

import io.github.reconciler4j.support.Causes;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to a Micrometer registry under the given names: a Prometheus registry shows {@code workqueue_depth} as
 * {@code workqueue_depth}. Histograms have the requested buckets, in other registries than Prometheus only those of one
 * microsecond and more. Micrometer adds a gauge {@code ..._max} to each histogram. Needs {@code micrometer-core}.
 *
 * <p>Thread-safe. Does not throw.
 *
 * <!-- snippet: MetricsUse -->
 * <pre>{@code
 * return new MicrometerMetrics(registry);
 * }</pre>
 *
 * @since 0.1.0
 */
public final class MicrometerMetrics implements OperatorMetrics {

    private static final Logger LOG = LoggerFactory.getLogger(MicrometerMetrics.class);

    private static final double NANOS_PER_SECOND = 1e9;

    /** Some registries name buckets with six decimals, so smaller buckets would all be named zero. */
    private static final double SMALLEST_NAMED = 1e-6;

    private final MeterRegistry registry;

    /** A registry keeps the first gauge of a name until it is removed, so the gauges here delegate to the latest one. */
    private final Map<GaugeId, SharedGauge> gauges = new ConcurrentHashMap<>();

    private record GaugeId(String name, Tags tags) {}

    /** Create metrics that report to the given registry. */
    public MicrometerMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public Counter counter(String name, String help, String... labels) {
        return guarded(
                name,
                NONE.counter(name, help, labels),
                () -> io.micrometer.core.instrument.Counter.builder(name)
                        .description(help)
                        .tags(labels)
                        .register(registry)::increment);
    }

    /** Durations become timers, because the summaries of Micrometer round values to whole numbers for their buckets. */
    @Override
    public Histogram histogram(String name, String help, double[] buckets, String... labels) {
        return guarded(
                name,
                NONE.histogram(name, help, buckets, labels),
                () -> name.endsWith("_seconds")
                        ? timer(name, help, buckets, labels)
                        : summary(name, help, buckets, labels));
    }

    private Histogram timer(String name, String help, double[] buckets, String... labels) {
        Timer timer = Timer.builder(name)
                .description(help)
                .tags(labels)
                .serviceLevelObjectives(DoubleStream.of(buckets)
                        .filter(bucket -> bucket >= SMALLEST_NAMED || isPrometheus(registry))
                        .mapToObj(MicrometerMetrics::seconds)
                        .toArray(Duration[]::new))
                .register(registry);
        return value -> timer.record(Math.round(value * NANOS_PER_SECOND), TimeUnit.NANOSECONDS);
    }

    private static boolean isPrometheus(MeterRegistry candidate) {
        return candidate instanceof CompositeMeterRegistry composite
                ? composite.getRegistries().stream().anyMatch(MicrometerMetrics::isPrometheus)
                : candidate.getClass().getSimpleName().startsWith("Prometheus");
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

    /** Of several gauges with equal name and labels, the latest is reported until it is closed, then the one before. */
    @Override
    public Registration gauge(String name, String help, DoubleSupplier value, String... labels) {
        return guarded(name, NONE.gauge(name, help, value, labels), () -> {
            GaugeId id = new GaugeId(name, Tags.of(labels));
            SharedGauge.GaugeSource share = new SharedGauge.GaugeSource(value);
            gauges.compute(id, (same, known) -> {
                SharedGauge gauge = known == null ? SharedGauge.register(registry, name, help, id.tags()) : known;
                gauge.add(share);
                return gauge;
            });
            return () -> gauges.computeIfPresent(id, (same, known) -> known.remove(share, registry) ? null : known);
        });
    }

    @Override
    public void removeWithLabel(String label, String value) {
        registry.getMeters().stream()
                .filter(meter -> value.equals(meter.getId().getTag(label)))
                .forEach(registry::remove);
    }

    private static <T> T guarded(String name, T fallback, Supplier<T> registration) {
        try {
            return registration.get();
        } catch (Throwable e) {
            LOG.warn("Could not register metric '{}', which will not be reported", name, Causes.loggable(e));
            return fallback;
        }
    }

    /** One gauge of a registry with all its suppliers, of which the latest is read. */
    private static final class SharedGauge {

        private final List<GaugeSource> shares = new CopyOnWriteArrayList<>();
        private final Gauge gauge;

        /** One supplier of the value. Compared by identity. */
        private static final class GaugeSource {
            private final DoubleSupplier value;

            GaugeSource(DoubleSupplier value) {
                this.value = value;
            }
        }

        private SharedGauge(MeterRegistry registry, String name, String help, Tags tags) {
            gauge = Gauge.builder(name, this::value)
                    .description(help)
                    .tags(tags)
                    .strongReference(true)
                    .register(registry);
        }

        static SharedGauge register(MeterRegistry registry, String name, String help, Tags tags) {
            return new SharedGauge(registry, name, help, tags);
        }

        void add(GaugeSource share) {
            shares.add(share);
        }

        /** Removes a share; returns whether it was the last one, so that the gauge was removed from the registry. */
        boolean remove(GaugeSource share, MeterRegistry registry) {
            shares.remove(share);
            if (shares.isEmpty()) {
                registry.remove(gauge);
            }
            return shares.isEmpty();
        }

        private double value() {
            Object[] now = shares.toArray();
            return now.length == 0 ? Double.NaN : ((GaugeSource) now[now.length - 1]).value.getAsDouble();
        }
    }
}
