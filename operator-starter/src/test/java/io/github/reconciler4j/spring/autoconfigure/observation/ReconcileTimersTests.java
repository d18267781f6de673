package io.github.reconciler4j.spring.autoconfigure.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.reconcile.ReconcileObserver.Outcome;
import io.github.reconciler4j.spring.observation.DefaultReconcileObservationConvention;
import io.github.reconciler4j.spring.observation.ReconcileObservationContext;
import io.github.reconciler4j.spring.observation.ReconcileObservationConvention;
import io.github.reconciler4j.spring.observation.TestRun;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler.IgnoredMeters;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The timers of reconciliations, beside those of Micrometer's own handler. */
class ReconcileTimersTests {

    private static final Outcome[] OUTCOMES = {
        Outcome.SUCCESS, Outcome.SUCCESS, Outcome.REQUEUE, Outcome.ERROR, Outcome.SUCCESS, Outcome.ERROR
    };

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    MetricsAutoConfiguration.class,
                    CompositeMeterRegistryAutoConfiguration.class,
                    SimpleMetricsExportAutoConfiguration.class,
                    ObservationAutoConfiguration.class,
                    OperatorObservationAutoConfiguration.class))
            .withPropertyValues("management.simple.metrics.export.enabled=true");

    /** Meters, and the reconciliations that are recorded in them. */
    private static final class Recording {

        private final MockClock clock = new MockClock();
        private final MeterRegistry meters = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
        private final ObservationRegistry observations = ObservationRegistry.create();
        private final @Nullable ReconcileObservationConvention convention;

        Recording(
                Function<MeterRegistry, ObservationHandler<?>> handler,
                @Nullable ReconcileObservationConvention convention) {
            this.convention = convention;
            observations.observationConfig().observationHandler(handler.apply(meters));
        }

        void reconcile(String controller, Outcome outcome, Runnable reconciler) {
            ReconcileObserver.Scope scope =
                    new ObservedReconciliations(observations, convention).started(new TestRun(controller, ""));
            clock.add(Duration.ofMillis(7));
            reconciler.run();
            scope.ended(outcome, outcome == Outcome.ERROR ? new IllegalStateException("broken") : null);
        }

        /** Return the counts and sums of all meters by their ids. */
        Map<String, String> values() {
            Map<String, String> values = new TreeMap<>();
            for (Meter meter : meters.getMeters()) {
                StringBuilder text = new StringBuilder();
                meter.measure().forEach(each -> text.append(each.getStatistic() == Statistic.MAX ? "" : each + " "));
                values.put(meter.getId().getType() + " " + meter.getId(), text.toString());
            }
            return values;
        }
    }

    private static ObservationHandler<?> remembering(MeterRegistry meters) {
        return new ReconcileTimers(new DefaultMeterObservationHandler(meters), meters);
    }

    private static void reconcileAll(Recording recording) {
        for (int round = 0; round < 3; round++) {
            for (Outcome outcome : OUTCOMES) {
                recording.reconcile("apps", outcome, () -> {});
                recording.reconcile(
                        "pages",
                        outcome,
                        () -> recording.observations.getCurrentObservation().event(Observation.Event.of("seen")));
            }
        }
    }

    private static void assertSameAsDefault(
            Function<MeterRegistry, DefaultMeterObservationHandler> handler,
            @Nullable ReconcileObservationConvention convention,
            Consumer<Recording> work) {
        Recording expected = new Recording(handler::apply, convention);
        Recording actual = new Recording(meters -> new ReconcileTimers(handler.apply(meters), meters), convention);
        work.accept(expected);
        work.accept(actual);
        assertThat(expected.values()).isNotEmpty();
        assertThat(actual.values()).isEqualTo(expected.values());
    }

    @Test
    void metersAreThoseOfTheDefaultHandler() {
        assertSameAsDefault(DefaultMeterObservationHandler::new, null, ReconcileTimersTests::reconcileAll);
    }

    @Test
    void metersWhenActiveOnesAreIgnoredAreThoseOfTheDefaultHandler() {
        assertSameAsDefault(
                meters -> new DefaultMeterObservationHandler(meters, IgnoredMeters.LONG_TASK_TIMER),
                null,
                ReconcileTimersTests::reconcileAll);
    }

    @Test
    void metersWhenThereIsAConventionAreThoseOfTheDefaultHandler() {
        ReconcileObservationConvention named = new DefaultReconcileObservationConvention() {
            @Override
            public String getName() {
                return "shop.reconcile";
            }

            @Override
            public KeyValues getLowCardinalityKeyValues(ReconcileObservationContext context) {
                KeyValues all = super.getLowCardinalityKeyValues(context).and("shop", "north");
                return context.outcome().isPresent() ? all.and("ended", "yes") : all;
            }
        };
        assertSameAsDefault(DefaultMeterObservationHandler::new, named, ReconcileTimersTests::reconcileAll);
    }

    @Test
    void metersWhenTheReconcilerAddsKeyValuesAreThoseOfTheDefaultHandler() {
        assertSameAsDefault(DefaultMeterObservationHandler::new, null, recording -> {
            for (int i = 0; i < 6; i++) {
                String parity = i % 2 == 0 ? "even" : "odd";
                recording.reconcile(
                        "apps",
                        Outcome.SUCCESS,
                        () -> recording
                                .observations
                                .getCurrentObservation()
                                .lowCardinalityKeyValue("parity", parity)
                                .lowCardinalityKeyValue("trigger", "replaced"));
            }
        });
    }

    @Test
    void metersWhenAFilterChangesKeyValuesAreThoseOfTheDefaultHandler() {
        assertSameAsDefault(DefaultMeterObservationHandler::new, null, recording -> {
            recording
                    .observations
                    .observationConfig()
                    .observationFilter(context -> context.addLowCardinalityKeyValues(
                                    KeyValues.of("region", "west", "outcome", "filtered"))
                            .removeLowCardinalityKeyValue("trigger"));
            reconcileAll(recording);
        });
    }

    @Test
    void activeTimerWhileReconcilingCountsTheReconciliation() {
        Recording recording = new Recording(ReconcileTimersTests::remembering, null);
        for (int i = 0; i < 3; i++) {
            recording.reconcile(
                    "apps",
                    Outcome.SUCCESS,
                    () -> assertThat(recording
                                    .meters
                                    .get("reconciler4j.reconcile.active")
                                    .longTaskTimer()
                                    .activeTasks())
                            .isEqualTo(1));
        }
        assertThat(recording
                        .meters
                        .get("reconciler4j.reconcile.active")
                        .longTaskTimer()
                        .activeTasks())
                .isZero();
    }

    @Test
    void meterWhenItWasRemovedIsRegisteredAgain() {
        Recording recording = new Recording(ReconcileTimersTests::remembering, null);
        recording.reconcile("apps", Outcome.SUCCESS, () -> {});
        recording.reconcile("apps", Outcome.SUCCESS, () -> {});
        recording.meters.clear();
        recording.reconcile("apps", Outcome.SUCCESS, () -> {});
        recording.reconcile("apps", Outcome.SUCCESS, () -> {});

        assertThat(recording.meters.get("reconciler4j.reconcile").timer().count())
                .isEqualTo(2);
        assertThat(recording.meters.get("reconciler4j.reconcile.active").longTaskTimers())
                .hasSize(1);
    }

    @Test
    void timersWhenTheHandlerIsOfASubclassLeaveAllToIt() {
        MeterRegistry meters = new SimpleMeterRegistry();
        MeterObservationHandler<?> timers = new ReconcileTimers(new DefaultMeterObservationHandler(meters) {}, meters);

        assertThat(timers.supportsContext(new ReconcileObservationContext(new TestRun("apps", ""))))
                .isFalse();
    }

    @Test
    void timersInAnApplicationRecordReconciliationsOnce() {
        application.run(context -> {
            assertThat(context).hasSingleBean(ReconcileTimers.class);
            ReconcileObserver observer = context.getBean(ReconcileObserver.class);
            for (int i = 0; i < 5; i++) {
                observer.started(new TestRun("apps", "")).ended(Outcome.SUCCESS, null);
            }
            assertThat(context.getBean(MeterRegistry.class)
                            .get("reconciler4j.reconcile")
                            .tags("controller", "apps", "outcome", "success", "error", "none")
                            .timers())
                    .singleElement()
                    .satisfies(timer -> assertThat(timer.count()).isEqualTo(5));
        });
    }

    @Test
    void timersWhenObservationsOfTheOperatorAreDisabledRecordNothing() {
        application
                .withPropertyValues("management.observations.enable.reconciler4j=false")
                .run(context -> {
                    context.getBean(ReconcileObserver.class)
                            .started(new TestRun("apps", ""))
                            .ended(Outcome.SUCCESS, null);
                    assertThat(context.getBean(MeterRegistry.class).getMeters()).isEmpty();
                });
    }

    /** Counts starts, and records no meters. */
    private static final class OwnHandler implements MeterObservationHandler<Observation.Context> {

        private int starts;

        @Override
        public void onStart(Observation.Context context) {
            starts++;
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    @Test
    void timersWhenTheApplicationHasAHandlerOfItsOwnAreLeftToIt() {
        application.withBean(OwnHandler.class, OwnHandler::new).run(context -> {
            assertThat(context).doesNotHaveBean(ReconcileTimers.class);
            context.getBean(ReconcileObserver.class)
                    .started(new TestRun("apps", ""))
                    .ended(Outcome.SUCCESS, null);
            assertThat(context.getBean(OwnHandler.class).starts).isEqualTo(1);
        });
    }
}
