package io.github.reconciler4j.examples;

import io.github.reconciler4j.metrics.MicrometerMetrics;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.metrics.ProcessMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Queue;

/** What own metrics look like. */
final class MetricsUse {

    private MetricsUse() {}

    static OperatorMetrics metrics(MeterRegistry registry) {
        new ProcessMetrics().bindTo(registry);
        return new MicrometerMetrics(registry);
    }

    static OperatorMetrics.Registration measure(OperatorMetrics metrics, Queue<String> orders) {
        OperatorMetrics.Counter refused =
                metrics.counter("shop_orders_refused_total", "Refused orders", "cause", "stock");
        refused.increment();
        return metrics.gauge("shop_orders_waiting", "Orders that wait", orders::size);
    }
}
