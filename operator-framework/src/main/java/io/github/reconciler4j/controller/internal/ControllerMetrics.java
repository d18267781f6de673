package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.metrics.OperatorMetrics.Counter;
import io.github.reconciler4j.metrics.OperatorMetrics.Histogram;
import io.github.reconciler4j.metrics.OperatorMetrics.Registration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;

/**
 * The metrics of one controller, with the names, labels and buckets of controller-runtime. All counters are registered at
 * the start, so that a rate over them is correct from the first event. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ControllerMetrics {

    private static final double[] TIME_BUCKETS = {
        .005, .01, .025, .05, .1, .15, .2, .25, .3, .35, .4, .45, .5, .6, .7, .8, .9, 1, 1.25, 1.5, 1.75, 2, 2.5, 3,
        3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60
    };

    private static final String CLUSTER = "cluster";

    private final OperatorMetrics metrics;
    private final String controller;
    private final boolean atHome;

    /** Those of requests of other clusters, from the first request of a cluster until it leaves. */
    private final Map<String, Optional<ControllerMetrics>> ofClusters = new ConcurrentHashMap<>();

    private final Counter success;
    private final Counter error;
    private final Counter requeue;
    private final Counter requeueAfter;
    private final Counter errors;
    private final Counter terminalErrors;
    private final Counter panics;
    private final Counter timeouts;
    private final Histogram time;

    /** Register the metrics of a controller of a cluster, {@code ""} for that of the manager. */
    static ControllerMetrics of(OperatorMetrics metrics, String controller, String cluster) {
        return cluster.isEmpty()
                ? new ControllerMetrics(OperatorMetrics.guarded(metrics), controller, true)
                : new ControllerMetrics(metrics.withLabel(CLUSTER, cluster), controller, false);
    }

    private ControllerMetrics(OperatorMetrics metrics, String controller, boolean atHome) {
        this.metrics = metrics;
        this.controller = controller;
        this.atHome = atHome;
        success = result("success");
        error = result("error");
        requeue = result("requeue");
        requeueAfter = result("requeue_after");
        errors = counter(
                "controller_runtime_reconcile_errors_total", "Reconciliations that failed, including terminal errors");
        terminalErrors = counter(
                "controller_runtime_terminal_reconcile_errors_total",
                "Reconciliations that failed with a terminal error");
        panics = counter(
                "controller_runtime_reconcile_panics_total", "Reconciliations that ended with a java.lang.Error");
        timeouts = counter(
                "controller_runtime_reconcile_timeouts_total", "Reconciliations that exceeded their time limit");
        time = metrics.histogram(
                "controller_runtime_reconcile_time_seconds",
                "Duration of reconciliations",
                TIME_BUCKETS,
                "controller",
                controller);
    }

    private Counter result(String result) {
        return metrics.counter(
                "controller_runtime_reconcile_total",
                "Reconciliations by result",
                "controller",
                controller,
                "result",
                result);
    }

    private Counter counter(String name, String help) {
        return metrics.counter(name, help, "controller", controller);
    }

    /** Report the number of workers of a run, until the caller closes the registration. */
    Registration maxWorkers(DoubleSupplier value) {
        return gauge("controller_runtime_max_concurrent_reconciles", "Workers that the controller has", value);
    }

    /** Report the number of busy workers of a run, until the caller closes the registration. */
    Registration activeWorkers(DoubleSupplier value) {
        return gauge("controller_runtime_active_workers", "Workers that are reconciling", value);
    }

    /** Report the number of stuck reconciliations of a run, until the caller closes the registration. */
    Registration stuck(DoubleSupplier value) {
        return gauge("reconciler4j_controller_stuck_reconciles", "Reconciliations that do not return", value);
    }

    /** Report the number of requests that are reconciled very often, until the caller closes the registration. */
    Registration busyRequests(DoubleSupplier value) {
        return gauge(
                "reconciler4j_controller_busy_requests",
                "Requests that are reconciled more than ten times per second",
                value);
    }

    /** Report the number of requests that are not retried, until the caller closes the registration. */
    Registration stalled(DoubleSupplier value) {
        return gauge(
                "reconciler4j_controller_stalled_requests",
                "Requests that failed and are not retried until something changes",
                value);
    }

    /** Report the number of paused objects, until the caller closes the registration. */
    Registration paused(DoubleSupplier value) {
        return gauge("reconciler4j_controller_paused_objects", "Objects that an annotation pauses", value);
    }

    /** Report the number of objects whose changes have not been processed, until the caller closes the registration. */
    Registration undelivered(DoubleSupplier value) {
        return gauge(
                "reconciler4j_controller_undelivered_objects",
                "Objects with changes that a predicate, mapper or handler has failed to process",
                value);
    }

    private Registration gauge(String name, String help, DoubleSupplier value) {
        return metrics.gauge(name, help, value, "controller", controller);
    }

    /** Return where these are reported. */
    OperatorMetrics destination() {
        return metrics;
    }

    /** Report requests of a cluster that has joined as its own, if there are any. */
    public void joined(String cluster) {
        ofClusters.putIfAbsent(cluster, Optional.empty());
    }

    /** Forget a cluster, whose metrics end. */
    public void left(String cluster) {
        ofClusters.remove(cluster);
    }

    /** Return the metrics for requests of a cluster. */
    ControllerMetrics of(String cluster) {
        if (!atHome || cluster.isEmpty()) {
            return this;
        }
        Optional<ControllerMetrics> its = ofClusters.computeIfPresent(
                cluster, (name, known) -> known.or(() -> Optional.of(of(metrics, controller, name))));
        return its == null ? this : its.orElse(this);
    }

    void took(long nanos) {
        time.record(nanos / 1e9);
    }

    void succeeded() {
        success.increment();
    }

    void requeued() {
        requeue.increment();
    }

    void requeuedAfter() {
        requeueAfter.increment();
    }

    void failed(Throwable failure, boolean terminal) {
        error.increment();
        errors.increment();
        if (terminal) {
            terminalErrors.increment();
        }
        if (failure instanceof Error) {
            panics.increment();
        }
    }

    void timedOut() {
        timeouts.increment();
    }
}
