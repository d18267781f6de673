package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.ControllerSelection;
import io.github.reconciler4j.controller.Placement;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.spring.RunOn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one controller, or of all, from several layers. The first layer that has a value for a setting decides.
 * Immutable.
 */
final class ControllerSettings {

    /** The word for the cluster of the operator. */
    private static final String HOME = "home";

    private static final Duration DEFAULT_INITIAL_BACKOFF = Duration.ofMillis(5);
    private static final Duration DEFAULT_MAX_BACKOFF = Duration.ofSeconds(1000);

    private final List<Layer> layers;

    /**
     * Create settings.
     *
     * @param layers the layers, the strongest first
     */
    ControllerSettings(Layer... layers) {
        this.layers = List.of(layers);
    }

    /** One source of values, and how it reports an invalid value. */
    record Layer(ControllerProperties values, BiFunction<String, RuntimeException, RuntimeException> invalid) {

        /** Create a layer of properties below a prefix. */
        static Layer ofProperties(String prefix, ControllerProperties values) {
            return new Layer(
                    values,
                    (name, cause) -> OperatorConfigurationException.property(
                            prefix + "." + name, "has an invalid value: " + cause.getMessage(), cause));
        }
    }

    /** Return whether a layer turns the controller on or off. */
    Optional<Boolean> enabled() {
        return first(ControllerProperties::enabled);
    }

    /** Return the form in which the cache keeps the reconciled kind. */
    Optional<StorageForm> storage() {
        return first(ControllerProperties::storage);
    }

    /** Return the clusters in which the controller runs; empty for that of the operator alone. */
    Optional<Predicate<Cluster>> clusters() {
        List<Predicate<Cluster>> selected = new ArrayList<>();
        accept("clusters", ControllerProperties::clusters, words -> {
            ControllerSelection selection = ControllerSelection.of(words);
            selected.add(cluster -> cluster.name().isEmpty()
                    ? selection.selects(HOME, false)
                    : selection.selects(cluster.name(), true));
        });
        return selected.stream().findFirst();
    }

    /** Set everything that a layer sets for a controller of a kind. */
    void applyTo(ControllerBuilder<?> builder, String controller) {
        accept("reconcile-on", ControllerProperties::reconcileOn, builder::reconcileOn);
        accept("label-selector", ControllerProperties::labelSelector, builder::withLabelSelector);
        accept("namespaces", ControllerProperties::namespaces, names -> {
            NamespaceNames.check("reconciler4j.controllers." + controller + ".namespaces", names);
            builder.inNamespaces(names.toArray(String[]::new));
        });
        accept("finalizer", ControllerProperties::finalizer, builder::finalizer);
        accept("resync", ControllerProperties::resync, builder::resync);
        builder.customizeOptions(this::applyTo);
    }

    /** Return options with all values that a layer sets. */
    ControllerOptions applyTo(ControllerOptions defaults) {
        Merge merge = new Merge(defaults);
        merge.set(
                "max-concurrent-reconciles",
                ControllerProperties::maxConcurrentReconciles,
                ControllerOptions::withMaxConcurrentReconciles);
        merge.set("virtual-threads", ControllerProperties::virtualThreads, ControllerOptions::withVirtualThreads);
        merge.set(
                "cache-sync-timeout", ControllerProperties::cacheSyncTimeout, ControllerOptions::withCacheSyncTimeout);
        merge.set("reconcile-timeout", ControllerProperties::reconcileTimeout, ControllerOptions::withReconcileTimeout);
        merge.set("stuck-after", ControllerProperties::stuckAfter, ControllerOptions::withStuckAfter);
        merge.set("interrupt-timeout", ControllerProperties::interruptTimeout, ControllerOptions::withInterruptTimeout);
        merge.set("fatal-errors", ControllerProperties::fatalErrors, ControllerOptions::withFatalErrors);
        merge.set("max-per-namespace", ControllerProperties::maxPerNamespace, ControllerOptions::withFairNamespaces);
        merge.set("namespace-share", ControllerProperties::namespaceShare, ControllerOptions::withNamespaceShare);
        merge.set("initial-backoff", ControllerProperties::initialBackoff, this::withBackoff);
        merge.set("max-backoff", ControllerProperties::maxBackoff, this::withBackoff);
        merge.set("run-on", ControllerProperties::runOn, ControllerSettings::withRunOn);
        merge.set(
                "warm-up",
                ControllerProperties::warmUp,
                (options, warmUp) -> options.withPlacement(options.placement().withWarmUp(warmUp)));
        return merge.options;
    }

    /** Each delay is combined with the other one, which can come from another layer, or with its default. */
    private ControllerOptions withBackoff(ControllerOptions options, Duration delay) {
        return options.withBackoff(
                first(ControllerProperties::initialBackoff).orElse(DEFAULT_INITIAL_BACKOFF),
                first(ControllerProperties::maxBackoff).orElse(DEFAULT_MAX_BACKOFF));
    }

    private static ControllerOptions withRunOn(ControllerOptions options, RunOn runOn) {
        Placement placement = switch (runOn) {
            case LEADER -> Placement.leader();
            case DEDICATED_LEASE -> Placement.dedicatedLease();
            case ALL_REPLICAS -> Placement.allReplicas();
        };
        return options.withPlacement(placement.withWarmUp(options.placement().warmUp()));
    }

    private <V> Optional<V> first(Function<ControllerProperties, @Nullable V> getter) {
        return layers.stream()
                .flatMap(layer -> Optional.<V>ofNullable(getter.apply(layer.values())).stream())
                .findFirst();
    }

    private <V> void accept(String name, Function<ControllerProperties, @Nullable V> getter, Consumer<V> setter) {
        for (Layer layer : layers) {
            V value = getter.apply(layer.values());
            if (value != null) {
                try {
                    setter.accept(value);
                } catch (IllegalArgumentException e) {
                    throw layer.invalid().apply(name, e);
                }
                return;
            }
        }
    }

    /** Collects the options while the layers are applied. */
    private final class Merge {

        private ControllerOptions options;

        private Merge(ControllerOptions defaults) {
            options = defaults;
        }

        private <V> void set(
                String name,
                Function<ControllerProperties, @Nullable V> getter,
                BiFunction<ControllerOptions, V, ControllerOptions> setter) {
            accept(name, getter, value -> options = setter.apply(options, value));
        }
    }
}
