package io.github.reconciler4j.spring.autoconfigure.observation;

import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.metrics.MicrometerMetrics;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.ChannelSource;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * What metrics and tracing cost: the time of 20,000 reconciliations that do nothing, on one worker. Not a test; run it with
 * {@code -Dtest=ObservationOverheadBenchmark}.
 */
class ObservationOverheadBenchmark {

    private static final int REQUESTS = 20_000;
    private static final int WARM_UPS = 3;
    private static final int ROUNDS = 7;

    private static ReconcileObserver traced(SimpleMeterRegistry meters, boolean spans) {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        if (spans) {
            SdkTracerProvider provider = SdkTracerProvider.builder().build();
            registry.observationConfig()
                    .observationHandler(new DefaultTracingObservationHandler(
                            new OtelTracer(provider.get("test"), new OtelCurrentTraceContext(), event -> {})));
        }
        return new ObservedReconciliations(registry, null);
    }

    /** Return the microseconds per reconciliation. */
    private static double run(ReconcileObserver observer, OperatorMetrics metrics) throws Exception {
        CountDownLatch done = new CountDownLatch(REQUESTS);
        ChannelSource<Request, Request> channel = ChannelSource.ofRequests("channel");
        Controller<Request> controller = Controller.create(
                "test",
                (request, context) -> {
                    done.countDown();
                    return Result.done();
                },
                ControllerOptions.defaults().withObserver(observer),
                metrics);
        controller.watch(channel);
        controller.operations().pause();
        controller.start();
        for (int i = 0; i < REQUESTS; i++) {
            channel.send(new Request("default", "object-" + i));
        }
        while (controller.operations().queue().orElseThrow().depth().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum()
                < REQUESTS) {
            Thread.sleep(5);
        }
        long start = System.nanoTime();
        controller.operations().resume();
        done.await();
        long took = System.nanoTime() - start;
        controller.stop(Duration.ofSeconds(10));
        return took / 1e3 / REQUESTS;
    }

    private interface Mode {
        double run() throws Exception;
    }

    private static void measure(String name, Mode mode) throws Exception {
        double[] rounds = new double[ROUNDS];
        for (int i = -WARM_UPS; i < ROUNDS; i++) {
            double micros = mode.run();
            if (i >= 0) {
                rounds[i] = micros;
            }
        }
        Arrays.sort(rounds);
        System.out.printf(
                "%-40s median %.2f us, %.2f to %.2f us%n", name, rounds[ROUNDS / 2], rounds[0], rounds[ROUNDS - 1]);
    }

    @Test
    void reconciliationsThatDoNothing() throws Exception {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        Supplier<OperatorMetrics> metrics = () -> new MicrometerMetrics(meters);
        ReconcileObserver noHandler = new ObservedReconciliations(ObservationRegistry.create(), null);
        for (int i = 0; i < 2; i++) {
            measure("off", () -> run(ReconcileObserver.NONE, OperatorMetrics.NONE));
            measure("registry without handler", () -> run(noHandler, OperatorMetrics.NONE));
            measure("metrics", () -> run(ReconcileObserver.NONE, metrics.get()));
            measure("history of runs", () -> run(new RunHistory(), OperatorMetrics.NONE));
            measure("metrics, observation with timers", () -> run(traced(meters, false), metrics.get()));
            measure("metrics, observation with timers, spans", () -> run(traced(meters, true), metrics.get()));
        }
    }
}
