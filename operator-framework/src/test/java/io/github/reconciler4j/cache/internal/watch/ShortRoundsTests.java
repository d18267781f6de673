package io.github.reconciler4j.cache.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.support.LogLimiter;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** An API server whose lists work and whose watches end again and again. */
class ShortRoundsTests {

    private static final KindInfo PODS = new KindInfo(KindName.of("v1", "Pod"), "pods", true);

    private final Scope scope = new Scope(PODS, "", ObjectSelector.everything(), List.of());
    private final ManualTimeSource time = new ManualTimeSource();
    private final SyncState state = new SyncState(time);
    private final Recovery recovery = new Recovery(
            scope, state, WatchOptions.defaults(), time, new LogLimiter(Duration.ofMinutes(1), time), () -> 0);

    ShortRoundsTests() {
        state.started();
        state.planned(List.of(scope));
    }

    private Duration refused(int code) {
        ApiException refused = new ApiException("refused", ErrorDetails.of(code, ""));
        return recovery.failed(SyncFailure.of(refused, scope, "watch"), refused);
    }

    private Duration listedAndGone() {
        recovery.started();
        recovery.listed();
        return refused(410);
    }

    private Duration changedAndEnded() {
        recovery.started();
        recovery.opened();
        recovery.delivered();
        return recovery.ended(false);
    }

    private Duration listedAndRefused() {
        recovery.started();
        if (recovery.mustList()) {
            recovery.listed();
        }
        return refused(500);
    }

    /** Return how many rounds there were in an hour. */
    private int hour(Supplier<Duration> round) {
        int rounds = 0;
        for (long end = time.nanoTime() + Duration.ofHours(1).toNanos(); time.nanoTime() < end; rounds++) {
            time.advance(round.get().plusMillis(1));
        }
        return rounds;
    }

    @Test
    void roundsWhenEachVersionIsGoneAreAboutTwoInAMinuteAndLoggedOnce() {
        try (CapturedLog log = CapturedLog.of(Recovery.class.getName())) {
            assertThat(listedAndGone()).as("the first").isZero();
            assertThat(state.failure()).isEmpty();
            assertThat(hour(this::listedAndGone)).isBetween(120, 400);
            assertThat(log.lines(Level.INFO)).singleElement().asString().contains("ends each watch at once", "410");
        }
        assertThat(state.failure())
                .hasValueSatisfying(failure -> assertThat(failure.message())
                        .contains("cannot follow pods", "because the version that it had just sent is gone (410)"));
    }

    @Test
    void roundsWhenWatchesEndAfterAChangeAreAboutTwoInAMinuteAndLoggedOnce() {
        try (CapturedLog log = CapturedLog.of(Recovery.class.getName())) {
            assertThat(changedAndEnded()).as("the first").isZero();
            changedAndEnded();
            assertThat(state.failure()).as("the second").isEmpty();
            changedAndEnded();
            assertThat(state.failure())
                    .as("the third")
                    .hasValueSatisfying(failure -> assertThat(failure.message())
                            .contains("It ended the last 3 within seconds")
                            .doesNotContain("410"));
            assertThat(hour(this::changedAndEnded)).isBetween(120, 400);
            assertThat(log.lines(Level.INFO)).hasSize(1);
        }
    }

    @Test
    void roundsWhenWatchesAreRefusedAfterEachListBecomeRare() {
        assertThat(hour(this::listedAndRefused)).isBetween(120, 500);
    }

    /** As a load balancer with a time limit does. */
    @Test
    void roundsWhenWatchesEndAfterAWhileFollowAtOnce() {
        for (int i = 0; i < 100; i++) {
            recovery.started();
            recovery.opened();
            recovery.delivered();
            time.advance(Duration.ofSeconds(10));
            assertThat(recovery.ended(false)).isZero();
        }
        assertThat(state.failure()).isEmpty();
    }

    @Test
    void failureEndsWhenAWatchHasLastedAlsoIfNothingArrives() {
        hour(this::changedAndEnded);
        recovery.started();
        recovery.opened();
        time.advance(Duration.ofSeconds(10).minusNanos(1));
        assertThat(state.failure()).isPresent();
        time.advance(Duration.ofNanos(1));
        assertThat(state.failure()).isEmpty();
        try (CapturedLog log = CapturedLog.of(Recovery.class.getName())) {
            recovery.delivered();
            assertThat(log.lines(Level.INFO)).singleElement().asString().contains("Resumed watching pods");
        }
    }

    @Test
    void backoffIsResetByTwoMinutesWithoutAShortRoundOnly() {
        hour(this::changedAndEnded);
        recovery.started();
        recovery.opened();
        recovery.delivered();
        time.advance(Duration.ofSeconds(119));
        assertThat(recovery.ended(false)).isZero();
        Duration longest = Duration.ZERO;
        for (int i = 0; i < 20; i++) {
            Duration delay = changedAndEnded();
            longest = delay.compareTo(longest) > 0 ? delay : longest;
        }
        assertThat(longest).as("119 s").isGreaterThan(Duration.ofSeconds(5));
        time.advance(Duration.ofSeconds(120));
        assertThat(changedAndEnded()).as("120 s").isZero();
        assertThat(changedAndEnded()).isLessThanOrEqualTo(Duration.ofMillis(800));
    }

    @Test
    void failureWhenAPermissionIsMissingNamesIt() {
        for (int i = 0; i < 5; i++) {
            recovery.started();
            recovery.listed();
            refused(403);
        }
        assertThat(state.failure())
                .hasValueSatisfying(
                        failure -> assertThat(failure.message()).contains("the permission to watch is missing"));
    }
}
