package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.metrics.OperatorMetrics.Counter;
import io.github.reconciler4j.metrics.OperatorMetrics.Histogram;
import io.github.reconciler4j.metrics.OperatorMetrics.Registration;
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

    private final OperatorMetrics metrics;
    private final String controller;
    private final Counter success;
    private final Counter error;
    private final Counter requeue;
    private final Counter requeueAfter;
    private final Counter errors;
    private final Counter terminalErrors;
    private final Counter panics;
    private final Counter timeouts;
    private final Histogram time;

    /** Register the metrics of a controller. */
    public ControllerMetrics(OperatorMetrics metrics, String controller) {
        this.metrics = metrics;
        this.controller = controller;
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
