package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.Placement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of all controllers.
 *
 * @since 0.1.0
 */
public class ControllerProperties {

    /** Number of requests worked on at the same time; 1 unless set. */
    private @Nullable Integer maxConcurrentReconciles;

    /** Whether reconcilers run on virtual threads; spring.threads.virtual.enabled unless set. */
    private @Nullable Boolean virtualThreads;

    /** Longest time that start waits for the watched kinds; 2 minutes unless set. */
    private @Nullable Duration cacheSyncTimeout;

    /** Time after which a run is interrupted; zero, the default, is never. */
    private @Nullable Duration reconcileTimeout;

    /** Time after which a run is reported as stuck; 5 minutes unless set. */
    private @Nullable Duration stuckAfter;

    /** Longest time that a stop waits for runs it has interrupted before it leaves them behind; 5 seconds unless set. */
    private @Nullable Duration interruptTimeout;

    /** Whether any Error that a run ends with makes health say not alive; only those of the JVM do unless set. */
    private @Nullable Boolean fatalErrors;

    /** Greatest number of requests of one namespace worked on at the same time; no such limit unless set. */
    private @Nullable Integer maxPerNamespace;

    /** Part of the workers that one namespace may have at a time, above 0 and at most 1; all of them unless set. */
    private @Nullable Double namespaceShare;

    /** Replicas on which controllers work when one leader is chosen; the leader unless set. */
    private @Nullable RunOn runOn;

    /** Whether replicas that stand by fill the queues of controllers ahead of their turn; false unless set. */
    private @Nullable Boolean warmUp;

    /**
     * On which replicas a controller works when one leader is chosen among several.
     *
     * @since 0.1.0
     */
    public enum RunOn {
        /** On the leader. */
        LEADER,
        /** On the holder of a Lease of the controller's own, so that controllers spread over the replicas. */
        DEDICATED_LEASE,
        /** On every replica. */
        ALL_REPLICAS
    }

    /** Creates settings that change nothing. */
    public ControllerProperties() {}

    /**
     * The options with what is set here in place of what was set before.
     *
     * @param prefix the properties' prefix, for errors
     */
    ControllerOptions applyTo(ControllerOptions before, String prefix) {
        ControllerOptions options = before;
        options = Setting.set(
                prefix + ".max-concurrent-reconciles",
                options,
                maxConcurrentReconciles,
                ControllerOptions::withMaxConcurrentReconciles);
        options = Setting.set(
                prefix + ".virtual-threads", options, virtualThreads, ControllerOptions::withVirtualThreads);
        options = Setting.set(
                prefix + ".cache-sync-timeout", options, cacheSyncTimeout, ControllerOptions::withCacheSyncTimeout);
        options = Setting.set(
                prefix + ".reconcile-timeout", options, reconcileTimeout, ControllerOptions::withReconcileTimeout);
        options = Setting.set(prefix + ".stuck-after", options, stuckAfter, ControllerOptions::withStuckAfter);
        options = Setting.set(
                prefix + ".max-per-namespace", options, maxPerNamespace, ControllerOptions::withFairNamespaces);
        options = Setting.set(
                prefix + ".namespace-share", options, namespaceShare, ControllerOptions::withNamespaceShare);
        options = Setting.set(
                prefix + ".interrupt-timeout", options, interruptTimeout, ControllerOptions::withInterruptTimeout);
        options = Setting.set(prefix + ".fatal-errors", options, fatalErrors, ControllerOptions::withFatalErrors);
        return placed(options, prefix);
    }

    private ControllerOptions placed(ControllerOptions before, String prefix) {
        ControllerOptions options = Setting.set(
                prefix + ".run-on",
                before,
                runOn,
                (settings, where) -> settings.withPlacement(
                        placement(where).withWarmUp(settings.placement().warmUp())));
        return Setting.set(
                prefix + ".warm-up",
                options,
                warmUp,
                (settings, warm) -> settings.withPlacement(settings.placement().withWarmUp(warm)));
    }

    private static Placement placement(RunOn where) {
        return switch (where) {
            case LEADER -> Placement.leader();
            case DEDICATED_LEASE -> Placement.dedicatedLease();
            case ALL_REPLICAS -> Placement.allReplicas();
        };
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

    /** How long a stop waits for runs it has interrupted, null for the default. */
    public @Nullable Duration getInterruptTimeout() {
        return interruptTimeout;
    }

    /** Sets how long a stop waits for runs it has interrupted. */
    public void setInterruptTimeout(@Nullable Duration interruptTimeout) {
        this.interruptTimeout = interruptTimeout;
    }

    /** Whether any error of a run makes health say not alive, null for the default. */
    public @Nullable Boolean getFatalErrors() {
        return fatalErrors;
    }

    /** Sets whether any error of a run makes health say not alive. */
    public void setFatalErrors(@Nullable Boolean fatalErrors) {
        this.fatalErrors = fatalErrors;
    }

    /** The most requests of one namespace worked on at the same time, null for no such limit. */
    public @Nullable Integer getMaxPerNamespace() {
        return maxPerNamespace;
    }

    /** Sets the most requests of one namespace worked on at the same time. */
    public void setMaxPerNamespace(@Nullable Integer maxPerNamespace) {
        this.maxPerNamespace = maxPerNamespace;
    }

    /** The replicas on which controllers work, null for the default. */
    public @Nullable RunOn getRunOn() {
        return runOn;
    }

    /** Sets the replicas on which controllers work. */
    public void setRunOn(@Nullable RunOn runOn) {
        this.runOn = runOn;
    }

    /** The part of the workers that one namespace may have, null for all of them. */
    public @Nullable Double getNamespaceShare() {
        return namespaceShare;
    }

    /** Sets the part of the workers that one namespace may have. */
    public void setNamespaceShare(@Nullable Double namespaceShare) {
        this.namespaceShare = namespaceShare;
    }

    /** Whether replicas that stand by fill the queues, null for the default. */
    public @Nullable Boolean getWarmUp() {
        return warmUp;
    }

    /** Sets whether replicas that stand by fill the queues. */
    public void setWarmUp(@Nullable Boolean warmUp) {
        this.warmUp = warmUp;
    }
}
