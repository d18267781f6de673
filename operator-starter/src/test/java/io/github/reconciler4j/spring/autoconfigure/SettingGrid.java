package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.Placement;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.spring.RunOn;
import io.github.reconciler4j.workqueue.Fairness;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;

/** All settings of controllers with a value for each layer, and which layer sets which of them in one of 16 applications. */
final class SettingGrid {

    static final int CUSTOMIZER = 0;
    static final int DECLARATION = 1;
    static final int ALL = 2;
    static final int OWN = 3;

    /**
     * A setting.
     *
     * @param values what each layer sets
     * @param setter how code sets it
     * @param reader how it is read from a controller with a name
     */
    record Option(
            String name,
            List<?> values,
            BiFunction<ControllerOptions, Object, ControllerOptions> setter,
            BiFunction<ControllerOptions, String, Object> reader) {}

    /** A setting of a builder; the field that keeps it is read. */
    record OfKind(String name, List<?> values, BiFunction<ControllerBuilder<?>, Object, Object> set, String field) {}

    static <V> Option option(
            String name,
            List<V> values,
            BiFunction<ControllerOptions, V, ControllerOptions> setter,
            Function<ControllerOptions, V> reader) {
        return new Option(
                name, values, (options, value) -> setter.apply(options, cast(value)), (o, c) -> reader.apply(o));
    }

    static List<Duration> seconds(int first) {
        return IntStream.range(first, first + 4).mapToObj(Duration::ofSeconds).toList();
    }

    static final List<Boolean> BOOLEANS = List.of(true, false, true, false);

    static final List<Option> OPTIONS = List.of(
            option(
                    "max-concurrent-reconciles",
                    List.of(2, 3, 4, 5),
                    ControllerOptions::withMaxConcurrentReconciles,
                    ControllerOptions::maxConcurrentReconciles),
            option(
                    "virtual-threads",
                    BOOLEANS,
                    ControllerOptions::withVirtualThreads,
                    ControllerOptions::virtualThreads),
            option(
                    "cache-sync-timeout",
                    seconds(1),
                    ControllerOptions::withCacheSyncTimeout,
                    ControllerOptions::cacheSyncTimeout),
            option(
                    "reconcile-timeout",
                    seconds(11),
                    ControllerOptions::withReconcileTimeout,
                    ControllerOptions::reconcileTimeout),
            option("stuck-after", seconds(21), ControllerOptions::withStuckAfter, ControllerOptions::stuckAfter),
            option(
                    "interrupt-timeout",
                    seconds(31),
                    ControllerOptions::withInterruptTimeout,
                    ControllerOptions::interruptTimeout),
            option("fatal-errors", BOOLEANS, ControllerOptions::withFatalErrors, ControllerOptions::fatalErrors),
            option(
                    "max-per-namespace",
                    List.of(2, 3, 4, 5),
                    ControllerOptions::withFairNamespaces,
                    options -> options.fairness().map(Fairness::maxRunning).orElse(null)),
            option(
                    "namespace-share",
                    List.of(0.1, 0.2, 0.3, 0.4),
                    ControllerOptions::withNamespaceShare,
                    options -> options.fairness().map(Fairness::share).orElse(null)),
            new Option(
                    "run-on",
                    List.of(RunOn.ALL_REPLICAS, RunOn.DEDICATED_LEASE, RunOn.LEADER, RunOn.ALL_REPLICAS),
                    (options, on) -> options.withPlacement(placement((RunOn) on, "")
                            .withWarmUp(options.placement().warmUp())),
                    (options, name) -> Arrays.stream(RunOn.values())
                            .filter(on -> placement(on, name)
                                    .equals(options.placement().withWarmUp(false)))
                            .findFirst()
                            .orElse(null)),
            option(
                    "warm-up",
                    BOOLEANS,
                    (options, warm) -> options.withPlacement(options.placement().withWarmUp(warm)),
                    options -> options.placement().warmUp()),
            option(
                    "initial-backoff",
                    seconds(1),
                    (options, delay) -> options.withBackoff(delay, options.maxBackoff()),
                    ControllerOptions::initialBackoff),
            option(
                    "max-backoff",
                    seconds(50),
                    (options, delay) -> options.withBackoff(options.initialBackoff(), delay),
                    ControllerOptions::maxBackoff),
            option("min-interval", seconds(71), ControllerOptions::withMinInterval, ControllerOptions::minInterval),
            option(
                    "max-attempts",
                    List.of(2, 3, 4, 5),
                    ControllerOptions::withMaxAttempts,
                    ControllerOptions::maxAttempts),
            option(
                    "pause-annotation",
                    List.of("a.b/p0", "a.b/p1", "a.b/p2", "p3"),
                    ControllerOptions::withPauseAnnotation,
                    ControllerOptions::pauseAnnotation),
            option(
                    "field-manager",
                    List.of("a", "b", "c", "d"),
                    ControllerOptions::withFieldManager,
                    options -> options.fieldManager().orElse(null)),
            option(
                    "service-account",
                    List.of("ns/a", "ns/b", "ns/c", "ns/d"),
                    ControllerOptions::withServiceAccount,
                    ControllerOptions::serviceAccount));

    static final List<OfKind> OF_KIND = List.of(
            new OfKind(
                    "reconcile-on",
                    List.of(
                            ReconcileOn.GENERATION,
                            ReconcileOn.ANY_CHANGE,
                            ReconcileOn.SPEC_OR_METADATA,
                            ReconcileOn.GENERATION),
                    (builder, value) -> builder.reconcileOn((ReconcileOn) value),
                    "settings.reconcileOn"),
            new OfKind(
                    "label-selector",
                    List.of("a=0", "a=1", "a=2", "a=3"),
                    (builder, value) -> builder.withLabelSelector((String) value),
                    "settings.labels"),
            new OfKind(
                    "namespaces",
                    List.of("n0", "n1", "n2", "n3"),
                    (builder, value) -> builder.inNamespaces((String) value),
                    "settings.namespaces"),
            new OfKind(
                    "finalizer",
                    List.of("a.b/f0", "a.b/f1", "a.b/f2", "a.b/f3"),
                    (builder, value) -> builder.finalizer((String) value),
                    "settings.finalizer"),
            new OfKind("resync", seconds(61), (builder, value) -> builder.resync((Duration) value), "resync"));

    private SettingGrid() {}

    static Placement placement(RunOn on, String lease) {
        return switch (on) {
            case LEADER -> Placement.leader();
            case DEDICATED_LEASE -> lease.isEmpty() ? Placement.dedicatedLease() : Placement.leaseHolder(lease);
            case ALL_REPLICAS -> Placement.allReplicas();
        };
    }

    /** Which layers set which setting in one of the 16 applications. */
    record Plan(int number) {

        /** Placeholders cannot stand for the values of enums, so all of these are annotated, or none. */
        static final Set<String> TOGETHER = Set.of("run-on", "warm-up", "reconcile-on");

        boolean sets(int layer, String setting) {
            int shift = TOGETHER.contains(setting) ? 0 : Math.floorMod(setting.hashCode(), 16);
            return ((number + shift) % 16 & 1 << layer) != 0;
        }

        boolean annotates() {
            return (number & 1 << DECLARATION) != 0;
        }

        <V> V expected(String setting, List<? extends V> values, List<Integer> layers, V otherwise) {
            return layers.stream()
                    .filter(layer -> sets(layer, setting))
                    .reduce((weaker, stronger) -> stronger)
                    .<V>map(values::get)
                    .orElse(otherwise);
        }

        ControllerOptions set(int layer, ControllerOptions before) {
            ControllerOptions options = before;
            for (Option option : OPTIONS) {
                if (sets(layer, option.name)) {
                    options = option.setter.apply(options, option.values.get(layer));
                }
            }
            return options;
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    static <V> V cast(Object value) {
        return (V) value;
    }
}
