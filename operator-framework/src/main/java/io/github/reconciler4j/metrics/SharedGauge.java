package io.github.reconciler4j.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleSupplier;

/** One gauge of a registry with all its suppliers, of which the latest is read. */
final class SharedGauge {

    private final List<Share> shares = new CopyOnWriteArrayList<>();
    private final Gauge gauge;

    /** One supplier of the value. Compared by identity. */
    static final class Share {
        private final DoubleSupplier value;

        Share(DoubleSupplier value) {
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

    void add(Share share) {
        shares.add(share);
    }

    /** Removes a share; returns whether it was the last one, so that the gauge was removed from the registry. */
    boolean remove(Share share, MeterRegistry registry) {
        shares.remove(share);
        if (shares.isEmpty()) {
            registry.remove(gauge);
        }
        return shares.isEmpty();
    }

    private double value() {
        Object[] now = shares.toArray();
        return now.length == 0 ? Double.NaN : ((Share) now[now.length - 1]).value.getAsDouble();
    }
}
