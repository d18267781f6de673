package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.scheme.GroupVersionKind;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What stays the same of a controller from one start to the next.
 *
 * @param name names it
 * @param kind the kind it is for; null if it is not for one
 * @param reconciler what its workers run
 * @param options its settings
 * @param operatorMetrics where the queue's measurements go
 * @param metrics its own measurements
 * @param vmFailures the failures of the JVM that its runs ended with
 * @param abandonedRuns the runs that outlived a stop
 * @param <R> what a request is
 * @since 0.1.0
 */
public record Definition<R>(
        String name,
        @Nullable GroupVersionKind kind,
        RequestReconciler<R> reconciler,
        ControllerOptions options,
        OperatorMetrics operatorMetrics,
        ControllerMetrics metrics,
        VmFailures vmFailures,
        AbandonedRuns abandonedRuns) {

    /** A definition with instruments of its own. */
    public static <R> Definition<R> of(
            String name,
            @Nullable GroupVersionKind kind,
            RequestReconciler<R> reconciler,
            ControllerOptions options,
            OperatorMetrics metrics) {
        Objects.requireNonNull(reconciler, "'reconciler' must not be null");
        return new Definition<>(
                name,
                kind,
                reconciler,
                options,
                metrics,
                new ControllerMetrics(metrics, name),
                new VmFailures(options.fatalErrors()),
                new AbandonedRuns(name));
    }
}
