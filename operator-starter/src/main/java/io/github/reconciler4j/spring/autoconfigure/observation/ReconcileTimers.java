package io.github.reconciler4j.spring.autoconfigure.observation;

import io.github.reconciler4j.spring.observation.ReconcileObservationContext;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Records reconciliations in the timers of Micrometer's default handler, and remembers these timers, which that handler looks up by
 * name and tags at each start and each end. What has not been recorded before, and what failed, is left to that handler. So is the
 * decision whether there are timers of active reconciliations. Thread-safe.
 */
final class ReconcileTimers implements MeterObservationHandler<ReconcileObservationContext> {

    /** A convention can have more key values than there should be. */
    private static final int MAX_TIMERS = 1000;

    private final DefaultMeterObservationHandler meters;
    private final MeterRegistry registry;
    private final boolean isDefault;
    private final AtomicInteger removals = new AtomicInteger();
    private final Map<Id, Timer> timers = new ConcurrentHashMap<>();

    /** Empty where the default handler has none. */
    private final Map<Id, Optional<LongTaskTimer>> active = new ConcurrentHashMap<>();

    /**
     * Create the handler.
     *
     * @param meters the default handler
     * @param registry the registry of the default handler
     */
    ReconcileTimers(DefaultMeterObservationHandler meters, MeterRegistry registry) {
        this.meters = meters;
        this.registry = registry;
        this.isDefault = meters.getClass() == DefaultMeterObservationHandler.class; // what a subclass does is not known
        registry.config().onMeterRemoved(removed -> forget());
    }

    private record Id(String name, KeyValues keyValues) {

        static Id of(Observation.Context context) {
            return new Id(String.valueOf(context.getName()), context.getLowCardinalityKeyValues());
        }

        // Written out, because those that the compiler makes are slow without the second compiler of the JVM.

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Id id && keyValues.equals(id.keyValues) && name.equals(id.name);
        }

        @Override
        public int hashCode() {
            return keyValues.hashCode();
        }

        List<Tag> tags() {
            List<Tag> tags = new ArrayList<>();
            for (KeyValue each : keyValues) {
                tags.add(Tag.of(each.getKey(), each.getValue()));
            }
            return tags;
        }
    }

    private void forget() {
        removals.incrementAndGet();
        timers.clear();
        active.clear();
    }

    @Override
    public void onStart(ReconcileObservationContext context) {
        Id id = Id.of(context);
        Optional<LongTaskTimer> known = active.get(id);
        if (known == null) {
            int removed = removals.get();
            meters.onStart(context);
            remember(active, id, activeTimer(id, context), removed);
            return;
        }
        if (known.isPresent()) {
            context.put(LongTaskTimer.Sample.class, known.get().start());
        }
        context.put(Timer.Sample.class, Timer.start(registry));
    }

    private Optional<LongTaskTimer> activeTimer(Id id, Observation.Context started) {
        return started.containsKey(LongTaskTimer.Sample.class)
                ? Optional.of(LongTaskTimer.builder(id.name() + ".active")
                        .tags(id.tags())
                        .register(registry))
                : Optional.empty();
    }

    @Override
    public void onStop(ReconcileObservationContext context) {
        Id id = Id.of(context);
        Timer known = context.getError() == null ? timers.get(id) : null;
        if (known == null) {
            int removed = removals.get();
            meters.onStop(context);
            if (context.getError() == null) {
                remember(timers, id, timer(id), removed);
            }
            return;
        }
        Timer.Sample sample = context.getRequired(Timer.Sample.class);
        sample.stop(known);
        LongTaskTimer.Sample activeSample = context.get(LongTaskTimer.Sample.class);
        if (activeSample != null) {
            activeSample.stop();
        }
    }

    private Timer timer(Id id) {
        return Timer.builder(id.name()).tags(id.tags()).tag("error", "none").register(registry);
    }

    /** Remember a meter unless one was removed meanwhile, which may be this one. */
    private <T> void remember(Map<Id, T> known, Id id, T meter, int removed) {
        if (known.size() < MAX_TIMERS) {
            known.put(id, meter);
            if (removals.get() != removed) {
                known.remove(id);
            }
        }
    }

    @Override
    public void onEvent(Observation.Event event, ReconcileObservationContext context) {
        meters.onEvent(event, context);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return isDefault && context instanceof ReconcileObservationContext;
    }
}
