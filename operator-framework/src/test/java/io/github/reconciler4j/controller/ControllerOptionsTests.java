package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.workqueue.RateLimiter;
import io.github.reconciler4j.workqueue.RateLimiters;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ControllerOptionsTests {

    private static final ControllerOptions DEFAULTS = ControllerOptions.defaults();

    @Test
    void defaultsAreThoseDocumented() {
        assertThat(DEFAULTS.maxConcurrentReconciles()).isEqualTo(1);
        assertThat(DEFAULTS.virtualThreads()).isFalse();
        assertThat(DEFAULTS.cacheSyncTimeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(DEFAULTS.runs().timeout()).isZero();
        assertThat(DEFAULTS.runs().stuckAfter()).isEqualTo(Duration.ofMinutes(5));
        assertThat(DEFAULTS.runs().interruptTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(DEFAULTS.runs().fatalErrors()).isFalse();
        assertThat(DEFAULTS.placement()).isEqualTo(Placement.leader());
        assertThat(DEFAULTS.placement().warmUp()).isFalse();
    }

    @Test
    void withersChangeOneThing() {
        ControllerOptions changed = DEFAULTS.withMaxConcurrentReconciles(3)
                .withVirtualThreads(true)
                .withCacheSyncTimeout(Duration.ofSeconds(1))
                .withRuns(RunOptions.defaults()
                        .withInterruptTimeout(Duration.ofSeconds(4))
                        .withFatalErrors(true))
                .withReconcileTimeout(Duration.ofSeconds(2))
                .withStuckAfter(Duration.ofSeconds(3))
                .withPlacement(Placement.allReplicas());
        assertThat(changed)
                .isEqualTo(new ControllerOptions(
                        3,
                        true,
                        Duration.ofSeconds(1),
                        new RunOptions(Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofSeconds(4), true),
                        DEFAULTS.queue(),
                        Placement.allReplicas()));
    }

    @Test
    void wrongValuesAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DEFAULTS.withMaxConcurrentReconciles(0))
                .withMessage("'maxConcurrentReconciles' must be at least 1, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DEFAULTS.withCacheSyncTimeout(Duration.ZERO))
                .withMessage("'cacheSyncTimeout' must be positive, was PT0S");
        assertThatIllegalArgumentException().isThrownBy(() -> DEFAULTS.withFairNamespaces(0));
        assertThatIllegalArgumentException().isThrownBy(() -> DEFAULTS.withNamespaceShare(0));
        assertThatIllegalArgumentException().isThrownBy(() -> DEFAULTS.withStuckAfter(Duration.ofSeconds(-1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DEFAULTS.withReconcileTimeout(Duration.ofSeconds(-1)))
                .withMessage("'reconcileTimeout' must not be negative, was PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RunOptions.defaults().withInterruptTimeout(Duration.ofSeconds(-1)))
                .withMessage("'interruptTimeout' must not be negative, was PT-1S");
        assertThatIllegalArgumentException().isThrownBy(() -> new Placement(StartGroup.CACHES, "", false));
        assertThatIllegalArgumentException().isThrownBy(() -> new Placement(StartGroup.ALL_REPLICAS, "lease", false));
    }

    @Test
    void queueChangesAddUp() {
        RateLimiter<Object> limiter = RateLimiters.constant(Duration.ofSeconds(1));
        WorkQueueOptions<Object> queue = DEFAULTS.withRateLimiter(() -> limiter)
                .withFairNamespaces(2)
                .withNamespaceShare(0.5)
                .queue()
                .apply(WorkQueueOptions.defaults("test"));
        assertThat(queue.rateLimiter()).isSameAs(limiter);
        assertThat(queue.fairness()).hasValueSatisfying(fairness -> {
            assertThat(fairness.maxRunning()).isEqualTo(2);
            assertThat(fairness.share()).isEqualTo(0.5);
            assertThat((Object) fairness.group().apply(new Request("a", "b"))).isEqualTo("a");
            assertThat((Object) fairness.group().apply("other")).isEqualTo("other");
        });
    }

    @Test
    void placementWhenOfTheLeaseOfItsOwnIsThatOfTheControllersName() {
        ControllerOptions options =
                DEFAULTS.withPlacement(Placement.dedicatedLease().withWarmUp(true));
        assertThat(List.of(named("left", options), named("right", options)))
                .extracting(controller -> controller.options().placement())
                .containsExactly(
                        Placement.leaseHolder("left").withWarmUp(true),
                        Placement.leaseHolder("right").withWarmUp(true));
        assertThat(named("left", options).lease()).isEqualTo("left");
    }

    private static Controller<Request> named(String name, ControllerOptions options) {
        return Controller.create(name, (request, context) -> Result.done(), options, OperatorMetrics.NONE);
    }
}
