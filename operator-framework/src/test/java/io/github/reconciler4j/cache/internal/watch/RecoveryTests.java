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
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecoveryTests {

    private static final KindInfo PODS = new KindInfo(KindName.of("v1", "Pod"), "pods", true);

    private final Scope scope = new Scope(PODS, "", ObjectSelector.everything(), List.of());
    private final WatchOptions options =
            WatchOptions.defaults().withBackoff(Duration.ofMillis(100), Duration.ofSeconds(30));
    private final ManualTimeSource time = new ManualTimeSource();
    private final SyncState state = new SyncState(time);
    private final Recovery recovery =
            new Recovery(scope, state, options, time, new LogLimiter(Duration.ofMinutes(1), time), () -> 0);

    RecoveryTests() {
        state.started();
        state.planned(List.of(scope));
    }

    private Duration failed(int code, Duration retryAfter) {
        ErrorDetails details = ErrorDetails.of(code, "");
        ApiException failure =
                new ApiException("refused", retryAfter.isZero() ? details : details.withRetryAfter(retryAfter));
        return recovery.failed(SyncFailure.of(failure, scope, "watch"), failure);
    }

    @Test
    void failedWhenServerSendsRetryAfterWaitsAtLeastThatLong() {
        assertThat(failed(429, Duration.ofSeconds(7))).isGreaterThanOrEqualTo(Duration.ofSeconds(7));
        assertThat(failed(503, Duration.ofSeconds(50))).isEqualTo(Duration.ofSeconds(50));
    }

    @Test
    void failedWhenItHappensAgainAndAgainWaitsAtRandomUpToABoundThatDoubles() {
        for (int i = 0; i < 40; i++) {
            double bound = Math.min(30, 0.1 * Math.pow(2, Math.min(i, 30)));
            IOException cut = new IOException("cut");
            assertThat(recovery.failed(SyncFailure.of(cut, scope, "watch"), cut))
                    .isBetween(Duration.ZERO, Duration.ofMillis((long) (bound * 1000)));
        }
        recovery.delivered();
        assertThat(failed(500, Duration.ZERO)).isLessThanOrEqualTo(Duration.ofMillis(100));
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void failedWhenItRequiresActionRetriesSlowlyFromTheFirst(int code) {
        recovery.listed(); // which a role may permit that does not permit to watch
        assertThat(failed(code, Duration.ZERO)).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(30));
        assertThat(state.requiresAction()).isTrue();
        recovery.delivered();
        assertThat(state.failure()).isEmpty();
        assertThat(state.lastFailure()).isPresent();
    }

    /** An API server that starts answers so until it has read its roles and definitions. */
    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404})
    void failedWhenItRequiresActionAndHasWorkedBacksOffAndLogsOnlyWhatLasts(int code) {
        recovery.opened();
        recovery.delivered();
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.cache")) {
            assertThat(failed(code, Duration.ZERO)).isLessThanOrEqualTo(Duration.ofMillis(100));
            assertThat(state.requiresAction()).isTrue();
            recovery.listed();
            time.advance(Duration.ofMinutes(1));
            assertThat(failed(code, Duration.ZERO)).isLessThanOrEqualTo(Duration.ofMillis(100));
            time.advance(Duration.ofSeconds(10).minusNanos(1));
            failed(code, Duration.ZERO);
            assertThat(log.lines(Level.WARN)).isEmpty();
            time.advance(Duration.ofNanos(1));
            failed(code, Duration.ZERO);
            time.advance(Duration.ofHours(1));
            failed(code, Duration.ZERO);
            assertThat(log.lines(Level.WARN)).hasSize(1);
        }
    }

    /** It is for a moment after a definition has changed, even before anything has worked. */
    @Test
    void failedWhenTheServerIsBusyLogsOnlyWhatLasts() {
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.cache")) {
            failed(429, Duration.ZERO);
            assertThat(log.lines(Level.WARN)).isEmpty();
            time.advance(Duration.ofSeconds(10));
            failed(429, Duration.ZERO);
            assertThat(log.lines(Level.WARN)).hasSize(1);
        }
    }

    @Test
    void failedWhenKindIsMissingRetriesEveryTenSecondsAtMost() {
        assertThat(failed(404, Duration.ZERO)).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
        recovery.listed();
        for (int i = 0; i < 100; i++) {
            assertThat(failed(404, Duration.ZERO)).isLessThanOrEqualTo(Duration.ofSeconds(10));
        }
    }

    @Test
    void failedWhenVersionIsGoneListsAtOnceTheFirstTimeOnly() {
        assertThat(failed(410, Duration.ZERO)).isZero();
        assertThat(state.failure()).isEmpty();
        assertThat(failed(410, Duration.ofSeconds(1))).isPositive();
    }

    @Test
    void logWhenTheApiServerIsAwayForAnHourHasALineAMinutePerCause() {
        IOException refused = new IOException("refused");
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.cache")) {
            Duration waited = Duration.ZERO;
            for (int i = 0; waited.compareTo(Duration.ofHours(1)) < 0; i++) {
                Duration delay = i % 2 == 0
                        ? failed(503, Duration.ZERO)
                        : recovery.failed(SyncFailure.of(refused, scope, "list"), refused);
                time.advance(delay.plusMillis(1));
                waited = waited.plus(delay).plusMillis(1);
            }
            assertThat(log.lines(Level.WARN)).hasSizeBetween(1, 2 * 61);
        }
    }

    @Test
    void logWhenTheApiServerComesAndGoesForAnHourHasALineAMinutePerCause() {
        IOException refused = new IOException("refused");
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.cache")) {
            for (int second = 0; second < 3600; second++) {
                failed(503, Duration.ZERO);
                recovery.delivered();
                recovery.failed(SyncFailure.of(refused, scope, "list"), refused);
                recovery.delivered();
                time.advance(Duration.ofSeconds(1));
            }
            assertThat(log.lines(Level.WARN)).hasSizeBetween(2 * 59, 2 * 61);
            assertThat(log.lines(Level.INFO)).hasSizeBetween(3 * 59, 3 * 61);
            assertThat(log.lines(Level.WARN)).last().asString().contains("(59 more since the last message)");
        }
    }

    @Test
    void openedWhenOpeningHadFailedReportsNoFailure() {
        failed(500, Duration.ZERO);
        assertThat(state.failure()).isPresent();
        recovery.opened();
        assertThat(state.failure()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {301, 31_536_000, Long.MAX_VALUE})
    void failedWhenRetryAfterIsLongWaitsFiveMinutes(long seconds) {
        assertThat(failed(429, Duration.ofSeconds(seconds))).isEqualTo(Duration.ofMinutes(5));
        assertThat(failed(403, Duration.ofSeconds(seconds))).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void failedWhenRetryAfterIsNegativeBacksOffAsUsual() {
        assertThat(failed(429, Duration.ofSeconds(Long.MIN_VALUE))).isBetween(Duration.ZERO, Duration.ofMillis(100));
    }

    @Test
    void mustListWhenWatchesStaySilentDependsOnTheirNumberAndTheTime() {
        recovery.listed();
        for (int i = 0; i < 2; i++) {
            recovery.opened();
            time.advance(Duration.ofSeconds(50));
            assertThat(recovery.ended(false)).isZero();
        }
        assertThat(recovery.mustList()).as("two silent watches in 100 seconds").isFalse();
        recovery.opened();
        time.advance(Duration.ofSeconds(200));
        recovery.ended(false);
        assertThat(recovery.mustList())
                .as("three silent watches in 300 seconds")
                .isTrue();
        recovery.listed();
        assertThat(recovery.mustList()).isFalse();
        recovery.opened();
        time.advance(Duration.ofSeconds(500));
        recovery.ended(false);
        assertThat(recovery.mustList()).as("one silent watch").isFalse();
    }

    @Test
    void endedWhenNoWatchDeliversBacksOffAcrossLists() {
        Duration longest = Duration.ZERO;
        for (int i = 0; i < 60; i++) {
            recovery.opened();
            Duration pause = recovery.ended(false);
            longest = pause.compareTo(longest) > 0 ? pause : longest;
            if (recovery.mustList()) {
                recovery.listed();
            }
        }
        assertThat(longest).isGreaterThan(Duration.ofSeconds(15));
        assertThat(state.failure()).isPresent();
        recovery.delivered();
        assertThat(state.failure()).isEmpty();
    }

    @Test
    void mustListWhenRequestsAreRefusedFourTimesUnlessTheServerIsOnlyBusy() {
        for (int i = 0; i < 10; i++) {
            failed(429, Duration.ZERO);
            failed(503, Duration.ZERO);
            failed(403, Duration.ZERO);
            failed(0, Duration.ZERO);
        }
        assertThat(recovery.mustList()).as("not because of the version").isFalse();
        for (int i = 0; i < 3; i++) {
            failed(500, Duration.ZERO);
        }
        assertThat(recovery.mustList()).as("three refusals").isFalse();
        failed(500, Duration.ZERO);
        assertThat(recovery.mustList()).as("four refusals").isTrue();
        recovery.delivered();
        assertThat(recovery.mustList()).isFalse();
        refuseFourTimes();
        assertThat(recovery.mustList()).isTrue();
        recovery.listed();
        assertThat(recovery.mustList()).isFalse();
    }

    private void refuseFourTimes() {
        for (int i = 0; i < 4; i++) {
            failed(500, Duration.ZERO);
        }
    }

    @Test
    void mustListWhenFourWatchesBrokeAndAgainAfterFourMore() {
        for (int i = 0; i < 3; i++) {
            recovery.opened();
            recovery.ended(false);
            assertThat(recovery.mustList()).isFalse();
            assertThat(state.failure()).isEmpty();
        }
        recovery.opened();
        failed(500, Duration.ZERO);
        assertThat(recovery.mustList()).as("four broken watches").isTrue();
        recovery.listed();
        assertThat(recovery.mustList()).isFalse();
        assertThat(state.failure())
                .as("a list does not prove that watches work")
                .isPresent();
        recovery.opened();
        assertThat(state.failure()).as("nor does an open watch").isPresent();
        recovery.ended(false);
        assertThat(recovery.mustList()).as("the first of four more").isFalse();
        for (int i = 0; i < 3; i++) {
            recovery.opened();
            recovery.ended(false);
        }
        assertThat(recovery.mustList()).isTrue();
        recovery.delivered();
        assertThat(recovery.mustList()).isFalse();
        assertThat(state.failure()).isEmpty();
    }

    @Test
    void mustListWhenWatchesDeliveredOrTheirVersionWasGoneCountsNone() {
        for (int i = 0; i < 10; i++) {
            recovery.opened();
            recovery.delivered();
            recovery.ended(false);
            recovery.opened();
            recovery.delivered();
            failed(500, Duration.ZERO);
        }
        for (int i = 0; i < 10; i++) {
            recovery.opened();
            failed(410, Duration.ZERO);
        }
        assertThat(recovery.mustList()).isFalse();
    }

    @Test
    void endedWhenTheWatchWasIdleOrLastedASecondIsNoFailure() {
        recovery.opened();
        assertThat(recovery.ended(true)).isZero();
        failed(500, Duration.ZERO);
        recovery.opened();
        time.advance(Duration.ofSeconds(1));
        assertThat(recovery.ended(false)).isZero();
        for (int i = 0; i < 3; i++) {
            recovery.opened();
            recovery.ended(false);
        }
        assertThat(recovery.mustList()).as("three broken watches").isFalse();
    }

    @Test
    void failedUndescribedShowsTheClassAndBacksOff() {
        for (int i = 0; i < 20; i++) {
            recovery.failedUndescribed(new StackOverflowError());
        }
        assertThat(state.failure().orElseThrow().message())
                .isEqualTo("cannot watch pods: java.lang.StackOverflowError");
        Duration longest = Duration.ZERO;
        for (int i = 0; i < 50; i++) {
            Duration delay = recovery.failedUndescribed(new StackOverflowError());
            longest = delay.compareTo(longest) > 0 ? delay : longest;
        }
        assertThat(longest).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(30));
        recovery.delivered();
        assertThat(state.failure()).isEmpty();
        assertThat(recovery.failedUndescribed(new StackOverflowError())).isLessThanOrEqualTo(Duration.ofMillis(100));
    }

    @Test
    void failedWhenAWatchBrokeIsNoRefusalOfTheVersion() {
        for (int i = 0; i < 3; i++) {
            recovery.opened();
            failed(500, Duration.ZERO);
        }
        failed(500, Duration.ZERO);
        assertThat(recovery.mustList())
                .as("three broken watches and one refusal")
                .isFalse();
    }

    @Test
    void mustListWhenTwoWatchesWereSilentForTheWholeTimeIsTrueAtItsEnd() {
        time.advance(Duration.ofHours(1));
        Recovery minute = new Recovery(
                scope,
                state,
                options.withIdleTimeout(Duration.ofMinutes(1)),
                time,
                new LogLimiter(Duration.ofMinutes(1), time),
                () -> 0);
        for (int seconds : new int[] {60, 59}) {
            minute.opened();
            time.advance(Duration.ofSeconds(seconds));
            minute.ended(true);
        }
        assertThat(minute.mustList()).as("after 119 seconds").isFalse();
        time.advance(Duration.ofSeconds(1));
        assertThat(minute.mustList()).as("after 120 seconds").isTrue();
    }

    @Test
    void endedWhenAWatchLastedResetsTheBackoffUnlessWatchesAreBroken() {
        time.advance(Duration.ofHours(1));
        failTwentyTimes();
        recovery.opened();
        time.advance(Duration.ofSeconds(1));
        recovery.ended(false);
        assertThat(failed(500, Duration.ZERO)).isLessThanOrEqualTo(Duration.ofMillis(100));
        for (int i = 0; i < 4; i++) {
            recovery.opened();
            recovery.ended(false);
        }
        recovery.opened();
        time.advance(Duration.ofSeconds(1));
        recovery.ended(false);
        assertThat(state.failure()).as("no watch has delivered anything").isPresent();
        recovery.delivered();
        assertThat(state.failure()).isEmpty();
    }

    private void failTwentyTimes() {
        for (int i = 0; i < 20; i++) {
            failed(500, Duration.ZERO);
        }
    }

    @Test
    void listedWhenRequestsHadFailedRecovers() {
        failTwentyTimes();
        assertThat(state.failure()).isPresent();
        recovery.listed();
        assertThat(state.failure()).isEmpty();
        assertThat(failed(500, Duration.ZERO)).isLessThanOrEqualTo(Duration.ofMillis(100));
    }

    @Test
    void logWhenAFailureIsUnexpectedHasItsStackTrace() {
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.cache")) {
            IOException cut = new IOException("cut");
            recovery.failed(SyncFailure.of(cut, scope, "watch"), cut);
            recovery.delivered();
            for (Throwable bug : List.of(new IllegalStateException("bug"), new StackOverflowError("deep"))) {
                recovery.failed(SyncFailure.of(bug, scope, "watch"), bug);
                recovery.delivered();
            }
            assertThat(log.lines(Level.WARN))
                    .containsExactly(
                            "WARN cannot watch pods: java.io.IOException: cut; retrying",
                            "ERROR cannot watch pods: java.lang.IllegalStateException: bug; retrying +stack",
                            "ERROR cannot watch pods: java.lang.StackOverflowError: deep; retrying +stack");
        }
    }
}
