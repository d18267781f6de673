package io.github.reconciler4j.benchmarks;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.sun.management.ThreadMXBean;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.metrics.MicrometerMetrics;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.reconcile.ReconcileObserver.Outcome;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.source.ChannelSource;
import io.github.reconciler4j.spring.autoconfigure.observation.OperatorObservationAutoConfiguration;
import io.github.reconciler4j.spring.autoconfigure.observation.RunHistory;
import io.github.reconciler4j.spring.observation.DefaultReconcileObservationConvention;
import io.github.reconciler4j.spring.observation.OperatorObservation.ReconcileDetails;
import io.github.reconciler4j.spring.observation.OperatorObservation.ReconcileKeys;
import io.github.reconciler4j.spring.observation.ReconcileObservationContext;
import io.github.reconciler4j.spring.observation.ReconcileObservationConvention;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler.IgnoredMeters;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * What metrics and tracing cost: 20,000 reconciliations that do nothing on one worker, with each kind of observation in turns. Prints
 * microseconds of the worker's processor time and of elapsed time per reconciliation, and the bytes that the worker allocates. "eager" is the convention without its memory, as it was
 * before.
 */
public final class ObservationCost {

    private static final int REQUESTS = 20_000;
    private static final int WARM_UPS = 5;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private ObservationCost() {}

    /** What observes reconciliations, and what each round took. */
    private record Mode(ReconcileObserver observer, OperatorMetrics metrics, List<double[]> rounds) {

        Mode(ReconcileObserver observer, OperatorMetrics metrics) {
            this(observer, metrics, new ArrayList<>());
        }

        /** Return the least and the median of one column of the rounds. */
        String summary(int column) {
            double[] sorted =
                    rounds.stream().mapToDouble(round -> round[column]).sorted().toArray();
            return String.format(Locale.ROOT, "%.2f, %.2f", sorted[0], sorted[sorted.length / 2]);
        }
    }

    /** What an application does with observations. */
    private record Setup(boolean remembersMeters, boolean activeTimers, double sampled) {

        /** Spring Boot's default. */
        static final Setup DEFAULT = new Setup(true, true, 0);

        Setup lookingUpMeters() {
            return new Setup(false, activeTimers, sampled);
        }

        Setup withoutActiveTimers() {
            return new Setup(remembersMeters, false, sampled);
        }

        Setup sampling(double share) {
            return new Setup(remembersMeters, activeTimers, share);
        }

        DefaultMeterObservationHandler meterHandler(MeterRegistry meters) {
            return activeTimers
                    ? new DefaultMeterObservationHandler(meters)
                    : new DefaultMeterObservationHandler(meters, IgnoredMeters.LONG_TASK_TIMER);
        }
    }

    /** Return the observer that an application with a registry has, whose handlers are grouped as Spring Boot groups them. */
    @SuppressWarnings("resource") // the context has nothing to close
    private static ReconcileObserver observer(
            MeterRegistry meters, Setup setup, ReconcileObservationConvention... convention) {
        AnnotationConfigApplicationContext context = context(convention);
        DefaultMeterObservationHandler lookingUp = setup.meterHandler(meters);
        if (setup.remembersMeters()) {
            context.registerBean(MeterRegistry.class, () -> meters);
            context.registerBean(
                    "defaultMeterObservationHandler", DefaultMeterObservationHandler.class, () -> lookingUp);
        }
        context.register(OperatorObservationAutoConfiguration.class);
        context.refresh();
        ObservationRegistry registry = context.getBean(ObservationRegistry.class);
        List<ObservationHandler<?>> handlers = new ArrayList<>();
        context.getBeanProvider(MeterObservationHandler.class).orderedStream().forEach(handlers::add);
        handlers.add(lookingUp);
        registry.observationConfig().observationHandler(new FirstMatchingCompositeObservationHandler(handlers));
        if (setup.sampled() > 0) {
            registry.observationConfig().observationHandler(spans(setup.sampled()));
        }
        return context.getBean(ReconcileObserver.class);
    }

    private static AnnotationConfigApplicationContext context(ReconcileObservationConvention... convention) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean(ObservationRegistry.class, ObservationRegistry::create);
        for (ReconcileObservationConvention each : convention) {
            context.registerBean(ReconcileObservationConvention.class, () -> each);
        }
        return context;
    }

    @SuppressWarnings("resource") // the context has nothing to close
    private static ReconcileObserver observerWithoutHandlers() {
        AnnotationConfigApplicationContext context = context();
        context.register(OperatorObservationAutoConfiguration.class);
        context.refresh();
        return context.getBean(ReconcileObserver.class);
    }

    private static DefaultTracingObservationHandler spans(double sampled) {
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(sampled)))
                .build();
        return new DefaultTracingObservationHandler(
                new OtelTracer(provider.get("benchmark"), new OtelCurrentTraceContext(), event -> {}));
    }

    private static Map<String, Mode> modes() {
        MeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        OperatorMetrics metrics = new MicrometerMetrics(meters);
        Map<String, Mode> modes = new LinkedHashMap<>();
        modes.put("off", new Mode(ReconcileObserver.NONE, OperatorMetrics.NONE));
        modes.put("registry without handlers", new Mode(observerWithoutHandlers(), OperatorMetrics.NONE));
        modes.put("history of runs", new Mode(new RunHistory(), OperatorMetrics.NONE));
        modes.put("metrics", new Mode(ReconcileObserver.NONE, metrics));
        Setup usual = Setup.DEFAULT;
        modes.put("metrics, timers", new Mode(observer(meters, usual.withoutActiveTimers()), metrics));
        modes.put("metrics, timers, active timers", new Mode(observer(meters, usual), metrics));
        modes.put("the same, meters looked up", new Mode(observer(meters, usual.lookingUpMeters()), metrics));
        modes.put("the same, eager", new Mode(observer(meters, usual.lookingUpMeters(), new Eager()), metrics));
        modes.put("metrics, timers, spans of a tenth", new Mode(observer(meters, usual.sampling(0.1)), metrics));
        modes.put("metrics, timers, all spans", new Mode(observer(meters, usual.sampling(1)), metrics));
        modes.put("off again", new Mode(ReconcileObserver.NONE, OperatorMetrics.NONE));
        return modes;
    }

    /** The convention without its memory. */
    private static final class Eager extends DefaultReconcileObservationConvention {

        @Override
        public KeyValues getLowCardinalityKeyValues(ReconcileObservationContext context) {
            return KeyValues.of(
                    ReconcileKeys.CONTROLLER.withValue(context.run().controller()),
                    ReconcileKeys.KIND.withValue("none"),
                    ReconcileKeys.OUTCOME.withValue(
                            context.outcome().map(Outcome::label).orElse("none")),
                    ReconcileKeys.TRIGGER.withValue("external"));
        }

        @Override
        public KeyValues getHighCardinalityKeyValues(ReconcileObservationContext context) {
            ReconcileContext call = context.run().context();
            return KeyValues.of(
                    ReconcileDetails.NAMESPACE.withValue(call.request().namespace()),
                    ReconcileDetails.NAME.withValue(call.request().name()),
                    ReconcileDetails.RECONCILE_ID.withValue(call.reconcileId()),
                    ReconcileDetails.ATTEMPT.withValue(Integer.toString(call.attempt())),
                    ReconcileDetails.TRIGGERS.withValue(
                            call.triggers().stream().map(Trigger::toString).collect(Collectors.joining(", "))),
                    ReconcileDetails.QUEUE_WAIT.withValue(
                            Long.toString(context.run().waited().toMillis())));
        }
    }

    /** Reconcile all requests once and return processor time, elapsed time in microseconds, and bytes per reconciliation. */
    private static double[] run(Mode mode) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(REQUESTS);
        long[] processor = new long[2];
        long[] allocated = new long[2];
        ChannelSource<Request, Request> channel = ChannelSource.ofRequests("channel");
        Controller<Request> controller = Controller.create(
                "benchmark",
                (request, context) -> {
                    if (done.getCount() == REQUESTS || done.getCount() == 1) {
                        int end = done.getCount() == 1 ? 1 : 0;
                        processor[end] = THREADS.getCurrentThreadCpuTime();
                        allocated[end] = THREADS.getCurrentThreadAllocatedBytes();
                    }
                    done.countDown();
                    return Result.done();
                },
                ControllerOptions.defaults().withObserver(mode.observer()),
                mode.metrics());
        controller.watch(channel);
        controller.operations().pause();
        controller.start();
        for (int i = 0; i < REQUESTS; i++) {
            channel.send(new Request("default", "object-" + i));
        }
        while (queued(controller) < REQUESTS) {
            Thread.sleep(5);
        }
        long start = System.nanoTime();
        controller.operations().resume();
        done.await();
        double[] costs = {
            (processor[1] - processor[0]) / NANOS_PER_MICRO / REQUESTS,
            (System.nanoTime() - start) / NANOS_PER_MICRO / REQUESTS,
            (double) (allocated[1] - allocated[0]) / REQUESTS
        };
        controller.stop(Duration.ofSeconds(10));
        return costs;
    }

    private static int queued(Controller<Request> controller) {
        return controller.operations().queue().orElseThrow().depth().values().stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    /** Measure; the argument is the number of rounds, 15 by default. */
    public static void main(String[] arguments) throws InterruptedException {
        ((Logger) LoggerFactory.getLogger(Controller.class)).setLevel(Level.WARN);
        int rounds = arguments.length == 0 ? 15 : Integer.parseInt(arguments[0]);
        Map<String, Mode> modes = modes();
        for (int round = -WARM_UPS; round < rounds; round++) {
            for (Mode mode : modes.values()) {
                double[] costs = run(mode);
                if (round >= 0) {
                    mode.rounds().add(costs);
                }
            }
        }
        String format = "%-40s %26s %26s %26s%n";
        System.out.printf(
                format,
                "microseconds per reconciliation",
                "processor: least, median",
                "elapsed: least, median",
                "bytes: least, median");
        modes.forEach(
                (name, mode) -> System.out.printf(format, name, mode.summary(0), mode.summary(1), mode.summary(2)));
    }
}
