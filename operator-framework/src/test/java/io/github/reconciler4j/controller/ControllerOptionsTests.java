package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.workqueue.PriorityAging;
import io.github.reconciler4j.workqueue.RateLimiter;
import io.github.reconciler4j.workqueue.RateLimiters;
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
        assertThat(DEFAULTS.reconcileTimeout()).isZero();
        assertThat(DEFAULTS.stuckAfter()).isEqualTo(Duration.ofMinutes(5));
        assertThat(DEFAULTS.interruptTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(DEFAULTS.fatalErrors()).isFalse();
        assertThat(DEFAULTS.minInterval()).isZero();
        assertThat(DEFAULTS.maxAttempts()).isZero();
        assertThat(DEFAULTS.pauseAnnotation()).isEqualTo("reconciler4j.io/paused");
        assertThat(DEFAULTS.placement()).isEqualTo(Placement.leader());
        assertThat(DEFAULTS.placement().warmUp()).isFalse();
    }

    @Test
    void withersChangeOneThing() {
        ControllerOptions changed = DEFAULTS.withMaxConcurrentReconciles(3)
                .withVirtualThreads(true)
                .withCacheSyncTimeout(Duration.ofSeconds(1))
                .withInterruptTimeout(Duration.ofSeconds(4))
                .withFatalErrors(true)
                .withReconcileTimeout(Duration.ofSeconds(2))
                .withStuckAfter(Duration.ofSeconds(3))
                .withPriorityAging(PriorityAging.off())
                .withPlacement(Placement.allReplicas());
        assertThat(changed.maxConcurrentReconciles()).isEqualTo(3);
        assertThat(changed.virtualThreads()).isTrue();
        assertThat(changed.cacheSyncTimeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(changed.reconcileTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(changed.stuckAfter()).isEqualTo(Duration.ofSeconds(3));
        assertThat(changed.interruptTimeout()).isEqualTo(Duration.ofSeconds(4));
        assertThat(changed.fatalErrors()).isTrue();
        assertThat(changed.priorityAging()).isEqualTo(PriorityAging.off());
        assertThat(changed.rateLimiter()).isSameAs(DEFAULTS.rateLimiter());
        assertThat(changed.fairness()).isEmpty();
        assertThat(changed.placement()).isEqualTo(Placement.allReplicas());
        assertThat(changed).asString().contains("stuckAfter=PT3S");
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
                .isThrownBy(() -> DEFAULTS.withInterruptTimeout(Duration.ofSeconds(-1)))
                .withMessage("'interruptTimeout' must not be negative, was PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DEFAULTS.withBackoff(Duration.ZERO, Duration.ofSeconds(1)))
                .withMessage("'initial' must be positive, was PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DEFAULTS.withBackoff(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .withMessage("'max' must not be less than 'initial' (PT2S), was PT1S");
        assertThatIllegalArgumentException().isThrownBy(() -> Placement.leaseHolder(" "));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DEFAULTS.withMinInterval(Duration.ofSeconds(-1)))
                .withMessage("'minInterval' must not be negative, was PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DEFAULTS.withMaxAttempts(-1))
                .withMessage("'maxAttempts' must not be negative, was -1");
    }

    @Test
    void pauseAnnotationWhenItIsNoNameIsRefused() {
        for (String wrong :
                List.of("", "/", "a/", "/a", "a/b/c", "a b", "A.b/c", "-a", "a".repeat(64), "a/" + "b".repeat(64))) {
            assertThatIllegalArgumentException()
                    .as(wrong)
                    .isThrownBy(() -> DEFAULTS.withPauseAnnotation(wrong))
                    .withMessage(
                            "'pauseAnnotation' must be the name of an annotation, such as example.com/paused, was '"
                                    + wrong + "'");
        }
        for (String right : List.of("paused", "a.b/c", "a-b.c/D_e.f", "a".repeat(63), "a/" + "b".repeat(63))) {
            assertThat(DEFAULTS.withPauseAnnotation(right).pauseAnnotation()).isEqualTo(right);
        }
    }

    @Test
    void namespaceFairnessWhenSetTwiceKeepsBothLimits() {
        ControllerOptions options = DEFAULTS.withFairNamespaces(2).withNamespaceShare(0.5);
        assertThat(options.fairness()).hasValueSatisfying(fairness -> {
            assertThat(fairness.maxRunning()).isEqualTo(2);
            assertThat(fairness.share()).isEqualTo(0.5);
            assertThat((Object) fairness.group().apply(new Request("a", "b"))).isEqualTo("a");
            assertThat((Object) fairness.group().apply("other")).isEqualTo("other");
        });
    }

    @Test
    void backoffWhenSetGrowsFromInitialToMax() {
        RateLimiter<Object> limiter = DEFAULTS.withBackoff(Duration.ofSeconds(1), Duration.ofSeconds(3))
                .rateLimiter()
                .get();
        Exception failure = new IllegalStateException();
        assertThat(limiter.next("a", failure)).isBetween(Duration.ofMillis(800), Duration.ofSeconds(1));
        assertThat(limiter.next("a", failure)).isBetween(Duration.ofMillis(1600), Duration.ofSeconds(2));
        assertThat(limiter.next("a", failure)).isBetween(Duration.ofMillis(2400), Duration.ofSeconds(3));
        assertThat(limiter.next("a", failure)).isBetween(Duration.ofMillis(2400), Duration.ofSeconds(3));
    }

    @Test
    void rateLimiterWhenSetReplacesTheBackoff() {
        RateLimiter<Object> limiter = RateLimiters.constant(Duration.ofSeconds(1));
        ControllerOptions options = DEFAULTS.withBackoff(Duration.ofSeconds(5), Duration.ofSeconds(5))
                .withRateLimiter(() -> limiter);
        assertThat(options.rateLimiter().get()).isSameAs(limiter);
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

    @Test
    void placementsAreEqualIfAllPartsAre() {
        Placement leader = Placement.leader();
        assertThat(leader).isEqualTo(Placement.leader()).hasSameHashCodeAs(Placement.leader());
        assertThat(leader)
                .isNotEqualTo(leader.withWarmUp(true))
                .isNotEqualTo(Placement.leaseHolder("a"))
                .isNotEqualTo(Placement.allReplicas())
                .isNotEqualTo("leader");
        assertThat(leader.withWarmUp(true).warmUp()).isTrue();
        assertThat(leader.withWarmUp(true)).asString().isNotEqualTo(leader.toString());
        assertThat(Placement.leaseHolder("a")).asString().contains("a");
    }
}
