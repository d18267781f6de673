package io.github.reconciler4j.benchmarks;

import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.source.RequestSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A whole controller on 20,000 queued requests with a reconciler that does nothing: from resume until the last run. What
 * is measured is what a controller adds to the work: queue, triggers, context, log context, outcome.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgs = "-Xmx1g")
@Warmup(iterations = 5)
@Measurement(iterations = 10)
public class ControllerDrainBenchmark {

    private static final int DRAINED = 20_000;

    /** Workers of the controller. */
    @Param({"1", "10"})
    public int workers;

    private CountDownLatch left = new CountDownLatch(0);
    private Controller<Request> controller = create();

    private Controller<Request> create() {
        return Controller.create(
                "benchmark",
                (request, context) -> {
                    left.countDown();
                    return Result.done();
                },
                ControllerOptions.defaults().withMaxConcurrentReconciles(Math.max(1, workers)),
                OperatorMetrics.NONE);
    }

    /** Fills the queue of a paused controller. */
    @Setup(Level.Iteration)
    public void fill() throws InterruptedException {
        left = new CountDownLatch(DRAINED);
        controller = create();
        controller.operations().pause();
        controller.watch(new Filled());
        controller.start();
    }

    /** Ends it. */
    @TearDown(Level.Iteration)
    public void stop() {
        controller.stop(Duration.ofSeconds(30));
    }

    /** Runs all that is queued. */
    @Benchmark
    public void drain() throws InterruptedException {
        controller.operations().resume();
        left.await();
    }

    private record Filled() implements RequestSource<Request> {

        @Override
        public String name() {
            return "filled";
        }

        @Override
        public Running start(RequestSink<Request> target) {
            for (int i = 0; i < DRAINED; i++) {
                target.add(
                        new Request("namespace-" + i % 50, "object-" + i), Duration.ZERO, 0, Trigger.external(name()));
            }
            return () -> {};
        }
    }
}
