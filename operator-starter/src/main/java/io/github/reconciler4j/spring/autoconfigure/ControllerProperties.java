package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.Placement;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.spring.RunOn;
import io.github.reconciler4j.spring.autoconfigure.ControllerSettings.Setting;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;

/**
 * Settings of controllers, as the properties {@code reconciler4j.all-controllers.*} and
 * {@code reconciler4j.controllers.<name>.*} and the annotation give them. Null means that the next layer decides.
 *
 * <p>A new setting is a component with its description here, and its row in {@link #SETTINGS}. If
 * {@link io.github.reconciler4j.spring.Reconciler} has an attribute with the same name, that sets it too.
 *
 * @param enabled Whether the controller runs.
 * @param maxConcurrentReconciles Maximum number of requests that are reconciled at the same time.
 * @param virtualThreads Whether reconcilers run on virtual threads.
 * @param cacheSyncTimeout Maximum time to wait at startup for the initial lists of the watched kinds.
 * @param reconcileTimeout Maximum duration of one reconciliation, after which it is interrupted; zero disables the limit.
 * @param stuckAfter Duration after which a reconciliation is reported as stuck and the application as not alive.
 * @param interruptTimeout Maximum time to wait at shutdown for interrupted reconciliations before their threads are
 *     abandoned.
 * @param fatalErrors Whether every Error thrown by a reconciler marks the application as not alive, instead of only those
 *     of the JVM.
 * @param maxPerNamespace Maximum number of requests of one namespace that are reconciled at the same time.
 * @param namespaceShare Maximum share of the workers that one namespace may occupy, above 0 and at most 1.
 * @param runOn Replicas on which the controller runs when leader election is enabled.
 * @param warmUp Whether standby replicas fill the queue before they become the leader.
 * @param initialBackoff Delay before the first retry of a failed reconciliation. The delay doubles with each further
 *     failure.
 * @param maxBackoff Maximum delay between two retries of a failed reconciliation.
 * @param minInterval Minimum time between the starts of two reconciliations of one object; zero disables the limit.
 * @param maxAttempts Maximum number of failures in a row, after which an object is not retried until something changes; zero
 *     disables the limit.
 * @param pauseAnnotation Name of the annotation that pauses an object.
 * @param fieldManager Field manager of the writes of the controller. Defaults to its name.
 * @param serviceAccount Service account that writes for the controller, as a name in the namespace of the operator or as
 *     namespace/name. Defaults to the account of the operator.
 * @param reconcileOn Updates of the reconciled kind that lead to a reconciliation. Defaults to spec-or-metadata for custom
 *     resources and to any-change for built-in kinds.
 * @param labelSelector Label selector of the objects that the controller reconciles. Defaults to all objects.
 * @param clusters Clusters in which the controller runs. An asterisk stands for all other clusters that join, a name selects a
 *     cluster, a name after a hyphen excludes it, and 'home' is the cluster of the operator.
 * @param namespaces Namespaces of the objects that the controller reconciles. Defaults to all watched namespaces.
 * @param finalizer Name of the finalizer that the controller adds if its reconciler cleans up. Defaults to
 *     '<plural>.<group>/finalizer'.
 * @param resync Interval at which all objects of the reconciled kind are enqueued again for this controller only.
 * @param schedule Times at which all objects of the reconciled kind are enqueued, as a cron expression with five or six fields; a
 *     hyphen disables it.
 * @param zone Time zone of the schedule. Defaults to that of the JVM.
 * @param storage Form in which the cache keeps the objects of the reconciled kind.
 */
record ControllerProperties(
        @Nullable Boolean enabled,
        @Nullable Integer maxConcurrentReconciles,
        @Nullable Boolean virtualThreads,
        @Nullable Duration cacheSyncTimeout,
        @Nullable Duration reconcileTimeout,
        @Nullable Duration stuckAfter,
        @Nullable Duration interruptTimeout,
        @Nullable Boolean fatalErrors,
        @Nullable Integer maxPerNamespace,
        @Nullable Double namespaceShare,
        @Nullable RunOn runOn,
        @Nullable Boolean warmUp,
        @Nullable Duration initialBackoff,
        @Nullable Duration maxBackoff,
        @Nullable Duration minInterval,
        @Nullable Integer maxAttempts,
        @Nullable String pauseAnnotation,
        @Nullable String fieldManager,
        @Nullable String serviceAccount,
        @Nullable ReconcileOn reconcileOn,
        @Nullable String labelSelector,
        @Nullable List<String> clusters,
        @Nullable List<String> namespaces,
        @Nullable String finalizer,
        @Nullable Duration resync,
        @Nullable String schedule,
        @Nullable ZoneId zone,
        @Nullable StorageForm storage) {

    static final Setting<Boolean> ENABLED = Setting.ofBean("enabled", ControllerProperties::enabled);
    static final Setting<List<String>> CLUSTERS = Setting.ofBean("clusters", ControllerProperties::clusters);
    static final Setting<StorageForm> STORAGE =
            Setting.ofKind("storage", ControllerProperties::storage, (builder, inTheOptionsOfTheCache) -> {});
    private static final Setting<Duration> INITIAL_BACKOFF =
            Setting.ofPair("initial-backoff", ControllerProperties::initialBackoff, ControllerProperties::withBackoff);
    private static final Setting<Duration> MAX_BACKOFF =
            Setting.ofPair("max-backoff", ControllerProperties::maxBackoff, ControllerProperties::withBackoff);

    private static final Setting<ZoneId> ZONE =
            Setting.ofKind("zone", ControllerProperties::zone, (builder, ofTheSchedule) -> {});

    /** Each setting once, in the order in which they are applied. */
    static final List<Setting<?>> SETTINGS = List.of(
            ENABLED,
            CLUSTERS,
            option(
                    "max-concurrent-reconciles",
                    ControllerProperties::maxConcurrentReconciles,
                    ControllerOptions::withMaxConcurrentReconciles),
            option("virtual-threads", ControllerProperties::virtualThreads, ControllerOptions::withVirtualThreads),
            option(
                    "cache-sync-timeout",
                    ControllerProperties::cacheSyncTimeout,
                    ControllerOptions::withCacheSyncTimeout),
            option(
                    "reconcile-timeout",
                    ControllerProperties::reconcileTimeout,
                    ControllerOptions::withReconcileTimeout),
            option("stuck-after", ControllerProperties::stuckAfter, ControllerOptions::withStuckAfter),
            option(
                    "interrupt-timeout",
                    ControllerProperties::interruptTimeout,
                    ControllerOptions::withInterruptTimeout),
            option("fatal-errors", ControllerProperties::fatalErrors, ControllerOptions::withFatalErrors),
            option("max-per-namespace", ControllerProperties::maxPerNamespace, ControllerOptions::withFairNamespaces),
            option("namespace-share", ControllerProperties::namespaceShare, ControllerOptions::withNamespaceShare),
            option("run-on", ControllerProperties::runOn, ControllerProperties::withRunOn),
            option(
                    "warm-up",
                    ControllerProperties::warmUp,
                    (options, warmUp) ->
                            options.withPlacement(options.placement().withWarmUp(warmUp))),
            INITIAL_BACKOFF,
            MAX_BACKOFF,
            option("min-interval", ControllerProperties::minInterval, ControllerOptions::withMinInterval),
            option("max-attempts", ControllerProperties::maxAttempts, ControllerOptions::withMaxAttempts),
            option("pause-annotation", ControllerProperties::pauseAnnotation, ControllerOptions::withPauseAnnotation),
            option("field-manager", ControllerProperties::fieldManager, ControllerOptions::withFieldManager),
            option("service-account", ControllerProperties::serviceAccount, ControllerOptions::withServiceAccount),
            Setting.ofKind("reconcile-on", ControllerProperties::reconcileOn, ControllerBuilder::reconcileOn),
            Setting.ofKind("label-selector", ControllerProperties::labelSelector, ControllerBuilder::withLabelSelector),
            Setting.ofKind(
                    "namespaces",
                    ControllerProperties::namespaces,
                    (builder, names) -> builder.inNamespaces(names.toArray(String[]::new))),
            Setting.ofKind("finalizer", ControllerProperties::finalizer, ControllerBuilder::finalizer),
            Setting.ofKind("resync", ControllerProperties::resync, ControllerBuilder::resync),
            Setting.ofKindAndPair("schedule", ControllerProperties::schedule, ControllerProperties::withSchedule),
            ZONE,
            STORAGE);

    private static <V> Setting<V> option(
            String name,
            Function<ControllerProperties, @Nullable V> getter,
            BiFunction<ControllerOptions, V, ControllerOptions> setter) {
        return Setting.ofPair(name, getter, (options, value, all) -> setter.apply(options, value));
    }

    /** Each delay is combined with the other one, which can come from another layer. */
    private static ControllerOptions withBackoff(ControllerOptions options, Duration delay, ControllerSettings all) {
        return options.withBackoff(
                all.get(INITIAL_BACKOFF).orElse(options.initialBackoff()),
                all.get(MAX_BACKOFF).orElse(options.maxBackoff()));
    }

    private static void withSchedule(ControllerBuilder<?> builder, String schedule, ControllerSettings all) {
        if (!schedule.equals(ScheduledTaskRegistrar.CRON_DISABLED)) {
            CronExpression expression = cron(schedule);
            ZoneId zone = all.get(ZONE).orElseGet(ZoneId::systemDefault);
            if (expression.next(TimeSource.system().instant().atZone(zone)) == null) {
                throw new IllegalArgumentException("'" + schedule + "' has no time in the future");
            }
            builder.schedule(expression::next, zone);
        }
    }

    /** Spring's expressions start with seconds, those of cron with minutes. */
    static CronExpression cron(String schedule) {
        boolean withoutSeconds = StringUtils.tokenizeToStringArray(schedule, " ").length == 5;
        return CronExpression.parse(withoutSeconds ? "0 " + schedule : schedule);
    }

    private static ControllerOptions withRunOn(ControllerOptions options, RunOn runOn) {
        Placement placement = switch (runOn) {
            case LEADER -> Placement.leader();
            case DEDICATED_LEASE -> Placement.dedicatedLease();
            case ALL_REPLICAS -> Placement.allReplicas();
        };
        return options.withPlacement(placement.withWarmUp(options.placement().warmUp()));
    }
}
