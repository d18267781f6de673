package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.metrics.OperatorMetrics.Counter;
import io.github.reconciler4j.metrics.OperatorMetrics.Histogram;
import io.github.reconciler4j.metrics.OperatorMetrics.Registration;
import io.github.reconciler4j.workqueue.WorkQueueMetrics;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;

/** Reports the metrics of a queue under the names and labels of client-go. Thread-safe. */
final class QueueMetrics implements WorkQueueMetrics, AutoCloseable {

    /** 12 powers of ten from 1e-8. */
    private static final double[] DURATION_BUCKETS = {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, .1, 1, 10, 100, 1000};

    private final OperatorMetrics metrics;
    private final String[] labels;
    private final Counter adds;
    private final Counter retries;
    private final Histogram queueDuration;
    private final Histogram workDuration;
    private final List<Registration> gauges = new CopyOnWriteArrayList<>();

    QueueMetrics(OperatorMetrics metrics, String controller) {
        this.metrics = metrics;
        labels = new String[] {"name", controller, "controller", controller};
        adds = metrics.counter("workqueue_adds_total", "Requests that became ready", labels);
        retries = metrics.counter(
                "workqueue_retries_total", "Requests added with a delay or because they failed", labels);
        queueDuration = metrics.histogram(
                "workqueue_queue_duration_seconds",
                "How long requests were ready before they were dequeued",
                DURATION_BUCKETS,
                labels);
        workDuration = metrics.histogram(
                "workqueue_work_duration_seconds", "How long requests were processed", DURATION_BUCKETS, labels);
    }

    @Override
    public void depth(String priority, IntSupplier depth) {
        gauges.add(metrics.gauge(
                "workqueue_depth",
                "Requests that are ready",
                depth::getAsInt,
                labels[0],
                labels[1],
                labels[2],
                labels[3],
                "priority",
                priority));
    }

    @Override
    public void unfinishedWork(DoubleSupplier seconds) {
        gauges.add(metrics.gauge(
                "workqueue_unfinished_work_seconds",
                "How long the requests in process have taken so far, in total",
                seconds,
                labels));
    }

    @Override
    public void longestRunning(DoubleSupplier seconds) {
        gauges.add(metrics.gauge(
                "workqueue_longest_running_processor_seconds",
                "How long the oldest request in process has taken so far",
                seconds,
                labels));
    }

    @Override
    public void added(int count) {
        adds.add(count);
    }

    @Override
    public void retried() {
        retries.increment();
    }

    @Override
    public void waited(long nanos) {
        queueDuration.record(nanos / 1e9);
    }

    @Override
    public void worked(long nanos) {
        workDuration.record(nanos / 1e9);
    }

    /** Close the gauges. */
    @Override
    public void close() {
        gauges.forEach(Registration::close);
    }
}
