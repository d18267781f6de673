package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.controller.ControllerOptions;
import java.time.Duration;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Settings of one controller, or of all of them.
 *
 * @since 0.1.0
 */
public class ControllerProperties {

    /** Whether the controller is started. */
    private @Nullable Boolean enabled;

    /** Number of requests worked on at the same time. */
    private @Nullable Integer maxConcurrentReconciles;

    /** Whether reconcilers run on virtual threads; spring.threads.virtual.enabled unless set. */
    private @Nullable Boolean virtualThreads;

    /** Longest time that start waits for the watched kinds. */
    private @Nullable Duration cacheSyncTimeout;

    /** Time after which a run is interrupted; zero is never. */
    private @Nullable Duration reconcileTimeout;

    /** Time after which a run is reported as stuck. */
    private @Nullable Duration stuckAfter;

    /** Greatest number of requests of one namespace worked on at the same time. */
    private @Nullable Integer maxPerNamespace;

    /** Creates settings that change nothing. */
    public ControllerProperties() {}

    /** The options with what is set here in place of what was set before. */
    ControllerOptions applyTo(ControllerOptions before) {
        ControllerOptions options = before;
        options = set(options, maxConcurrentReconciles, ControllerOptions::withMaxConcurrentReconciles);
        options = set(options, virtualThreads, ControllerOptions::withVirtualThreads);
        options = set(options, cacheSyncTimeout, ControllerOptions::withCacheSyncTimeout);
        options = set(options, reconcileTimeout, ControllerOptions::withReconcileTimeout);
        options = set(options, stuckAfter, ControllerOptions::withStuckAfter);
        return set(options, maxPerNamespace, ControllerOptions::withFairNamespaces);
    }

    private static <V> ControllerOptions set(
            ControllerOptions options, @Nullable V value, BiFunction<ControllerOptions, V, ControllerOptions> setter) {
        return value == null ? options : setter.apply(options, value);
    }

    /** Whether the controller is started; null leaves it to the settings of all, and those to true. */
    public @Nullable Boolean getEnabled() {
        return enabled;
    }

    /** Sets whether the controller is started. */
    public void setEnabled(@Nullable Boolean enabled) {
        this.enabled = enabled;
    }

    /** How many requests are worked on at the same time, null for the default. */
    public @Nullable Integer getMaxConcurrentReconciles() {
        return maxConcurrentReconciles;
    }

    /** Sets how many requests are worked on at the same time. */
    public void setMaxConcurrentReconciles(@Nullable Integer maxConcurrentReconciles) {
        this.maxConcurrentReconciles = maxConcurrentReconciles;
    }

    /** Whether reconcilers run on virtual threads, null for the default. */
    public @Nullable Boolean getVirtualThreads() {
        return virtualThreads;
    }

    /** Sets whether reconcilers run on virtual threads. */
    public void setVirtualThreads(@Nullable Boolean virtualThreads) {
        this.virtualThreads = virtualThreads;
    }

    /** The longest time that start waits for the watched kinds, null for the default. */
    public @Nullable Duration getCacheSyncTimeout() {
        return cacheSyncTimeout;
    }

    /** Sets the longest time that start waits for the watched kinds. */
    public void setCacheSyncTimeout(@Nullable Duration cacheSyncTimeout) {
        this.cacheSyncTimeout = cacheSyncTimeout;
    }

    /** The time after which a run is interrupted, null for the default. */
    public @Nullable Duration getReconcileTimeout() {
        return reconcileTimeout;
    }

    /** Sets the time after which a run is interrupted. */
    public void setReconcileTimeout(@Nullable Duration reconcileTimeout) {
        this.reconcileTimeout = reconcileTimeout;
    }

    /** The time after which a run is reported as stuck, null for the default. */
    public @Nullable Duration getStuckAfter() {
        return stuckAfter;
    }

    /** Sets the time after which a run is reported as stuck. */
    public void setStuckAfter(@Nullable Duration stuckAfter) {
        this.stuckAfter = stuckAfter;
    }

    /** The most requests of one namespace worked on at the same time, null for no such limit. */
    public @Nullable Integer getMaxPerNamespace() {
        return maxPerNamespace;
    }

    /** Sets the most requests of one namespace worked on at the same time. */
    public void setMaxPerNamespace(@Nullable Integer maxPerNamespace) {
        this.maxPerNamespace = maxPerNamespace;
    }
}
