package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.metrics.OperatorMetrics.Counter;
import io.github.reconciler4j.metrics.OperatorMetrics.Histogram;
import io.github.reconciler4j.metrics.OperatorMetrics.Registration;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * The measurements of one controller, with the names, labels and buckets of controller-runtime. All counters exist from
 * the beginning, so that a rate over them is right from the first event on. Safe for use by many threads.
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

    /** Makes the instruments of a controller. */
    public ControllerMetrics(OperatorMetrics metrics, String controller) {
        this.metrics = metrics;
        this.controller = controller;
        success = result("success");
        error = result("error");
        requeue = result("requeue");
        requeueAfter = result("requeue_after");
        errors = counter(
                "controller_runtime_reconcile_errors_total", "Reconciles that failed, terminal errors included");
        terminalErrors =
                counter("controller_runtime_terminal_reconcile_errors_total", "Reconciles that failed for good");
        panics = counter("controller_runtime_reconcile_panics_total", "Reconciles that ended with a java.lang.Error");
        timeouts = counter("controller_runtime_reconcile_timeouts_total", "Reconciles that ran into their time limit");
        time = metrics.histogram(
                "controller_runtime_reconcile_time_seconds",
                "How long reconciles took",
                TIME_BUCKETS,
                "controller",
                controller);
    }

    private Counter result(String result) {
        return metrics.counter(
                "controller_runtime_reconcile_total",
                "Reconciles by result",
                "controller",
                controller,
                "result",
                result);
    }

    private Counter counter(String name, String help) {
        return metrics.counter(name, help, "controller", controller);
    }

    /** Begins to report the numbers that belong to a running controller; the caller closes what is returned. */
    List<Registration> startGauges(DoubleSupplier maxWorkers, DoubleSupplier activeWorkers, DoubleSupplier stuck) {
        return List.of(
                gauge("controller_runtime_max_concurrent_reconciles", "Workers there may be", maxWorkers),
                gauge("controller_runtime_active_workers", "Workers that are reconciling now", activeWorkers),
                gauge("reconciler4j_controller_stuck_reconciles", "Reconciles that do not return", stuck));
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
