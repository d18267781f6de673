package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.spring.RunOn;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of controllers, as the properties {@code reconciler4j.all-controllers.*} and
 * {@code reconciler4j.controllers.<name>.*} and the annotation give them. Null means that the next layer decides.
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
 * @param reconcileOn Updates of the reconciled kind that lead to a reconciliation. Defaults to spec-or-metadata for custom
 *     resources and to any-change for built-in kinds.
 * @param labelSelector Label selector of the objects that the controller reconciles. Defaults to all objects.
 * @param clusters Clusters in which the controller runs. An asterisk stands for all other clusters that join, a name selects a
 *     cluster, a name after a hyphen excludes it, and 'home' is the cluster of the operator.
 * @param namespaces Namespaces of the objects that the controller reconciles. Defaults to all watched namespaces.
 * @param finalizer Name of the finalizer that the controller adds if its reconciler cleans up. Defaults to
 *     '<plural>.<group>/finalizer'.
 * @param resync Interval at which all objects of the reconciled kind are enqueued again for this controller alone.
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
        @Nullable ReconcileOn reconcileOn,
        @Nullable String labelSelector,
        @Nullable List<String> clusters,
        @Nullable List<String> namespaces,
        @Nullable String finalizer,
        @Nullable Duration resync,
        @Nullable StorageForm storage) {

    /** Settings that leave everything to the next layer. */
    static final ControllerProperties NONE = new ControllerProperties(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
            null, null, null);
}
