package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.A;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.reconcile.ReconcileObserver.Outcome;
import io.github.reconciler4j.reconcile.ReconcileObserver.Run;
import io.github.reconciler4j.reconcile.ReconcileObserver.Scope;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.KindName;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class ReconcileObserverTests {

    private final List<Run> started = new CopyOnWriteArrayList<>();
    private final List<String> ended = new CopyOnWriteArrayList<>();

    private Scope observe(Run run) {
        started.add(run);
        assertThat(MDC.get("reconcileID")).isEqualTo(run.context().reconcileId());
        Thread thread = Thread.currentThread();
        return (outcome, failure) ->
                ended.add(outcome + " " + Objects.toString(failure) + " " + (Thread.currentThread() == thread));
    }

    private ControllerOptions observed() {
        return ControllerOptions.defaults().withObserver(this::observe);
    }

    private Result byCall() {
        return switch (started.size()) {
            case 1 -> Result.requeueWithBackoff();
            case 2 -> throw new IllegalStateException("second");
            case 3 -> Result.requeueAfter(Duration.ofMillis(1));
            default -> Result.done();
        };
    }

    @Test
    void observerWhenRunsEndSeesTheirOutcomesOnTheSameThread() throws Exception {
        try (ControllerFixture fixture = new ControllerFixture(observed(), (request, context) -> byCall())) {
            fixture.started().channel.send(A);
            ControllerFixture.eventually("ended", () -> ended.size() == 4);
            assertThat(started.get(0).controller()).isEqualTo("test");
            assertThat(started.get(0).kind()).isEmpty();
            assertThat(started.get(0).waited()).isPositive();
            assertThat(started.get(1).context()).isEqualTo(fixture.runs.get(1));
        }
        assertThat(ended)
                .containsExactly(
                        "REQUEUE null true",
                        "ERROR java.lang.IllegalStateException: second true",
                        "REQUEUE_AFTER null true",
                        "SUCCESS null true");
    }

    @Test
    void observerWhenTheControllerStopsSeesThat() throws Exception {
        ControllerFixture fixture = new ControllerFixture(observed(), (request, context) -> {
            Thread.sleep(60_000);
            return Result.done();
        });
        fixture.started().channel.send(A);
        fixture.awaitRuns(1);
        fixture.close();
        assertThat(ended).containsExactly("STOPPED java.lang.InterruptedException: sleep interrupted true");
    }

    @Test
    void observerWhenItFailsDoesNotAffectTheReconciliation() throws Exception {
        ControllerOptions options = ControllerOptions.defaults().withObserver(run -> {
            throw new IllegalStateException("start");
        });
        try (ControllerFixture fixture = new ControllerFixture(options, (request, context) -> Result.done())) {
            fixture.started().channel.send(A);
            ControllerFixture.eventually("success", () -> fixture.results("success") == 1);
            assertThat(MDC.get("reconcileID")).isNull();
        }
        options = ControllerOptions.defaults().withObserver(run -> (outcome, failure) -> {
            throw new StackOverflowError("end");
        });
        try (ControllerFixture fixture = new ControllerFixture(options, (request, context) -> Result.done())) {
            fixture.started().channel.send(A);
            ControllerFixture.eventually("success", () -> fixture.results("success") == 1);
        }
    }

    @Test
    void severalObserversAreNestedInOrder() {
        ReconcileObserver first = run -> {
            ended.add("start 1");
            return (outcome, failure) -> ended.add("end 1 " + outcome.label());
        };
        ReconcileObserver second = run -> {
            ended.add("start 2");
            return (outcome, failure) -> ended.add("end 2");
        };
        ReconcileObserver both = ReconcileObserver.all(List.of(first, second));
        both.started(new TestRun()).ended(Outcome.REQUEUE_AFTER, null);
        assertThat(ended).containsExactly("start 1", "start 2", "end 2", "end 1 requeue_after");
        assertThat(ReconcileObserver.all(List.of())).isSameAs(ReconcileObserver.NONE);
        assertThat(ReconcileObserver.all(List.of(first))).isSameAs(first);
        assertThat(ReconcileObserver.NONE.started(new TestRun())).isSameAs(Scope.NONE);
    }

    @Test
    void observerWhenAnotherOneThrowsIsNotifiedAllTheSame() {
        ReconcileObserver open = run -> (outcome, failure) -> ended.add("end");
        ReconcileObserver broken = run -> {
            throw new NoClassDefFoundError("observer");
        };
        Scope scope = ReconcileObserver.all(List.of(open, broken, open)).started(new TestRun());
        assertThatThrownBy(() -> scope.ended(Outcome.SUCCESS, null)).hasCauseInstanceOf(NoClassDefFoundError.class);
        assertThat(ended).containsExactly("end", "end");
    }

    private static final class TestRun implements Run {
        @Override
        public String controller() {
            return "test";
        }

        @Override
        public Optional<KindName> kind() {
            return Optional.empty();
        }

        @Override
        public ReconcileContext context() {
            return ReconcileContext.of(A);
        }

        @Override
        public Duration waited() {
            return Duration.ZERO;
        }
    }
}
