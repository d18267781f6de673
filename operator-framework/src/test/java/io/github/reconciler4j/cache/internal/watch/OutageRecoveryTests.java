package io.github.reconciler4j.cache.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Nanos;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A reflector that waits after an outage notices that the API server answers others. */
class OutageRecoveryTests {

    private static final KindInfo PODS = new KindInfo(KindName.of("v1", "Pod"), "pods", true);
    private static final long LEFT = Duration.ofSeconds(25).toNanos();
    private static final long FIRST = Duration.ofMillis(100).toNanos();

    private final Scope scope = new Scope(PODS, "", ObjectSelector.everything(), List.of());
    private final ManualTimeSource time = new ManualTimeSource();
    private final SyncState state = new SyncState(time);
    private final AtomicLong answers = new AtomicLong(7);
    private final Recovery recovery = new Recovery(
            scope,
            state,
            WatchOptions.defaults().withBackoff(Duration.ofMillis(100), Duration.ofSeconds(30)),
            time,
            new LogLimiter(Duration.ofMinutes(1), time),
            answers::get);

    OutageRecoveryTests() {
        state.started();
        state.planned(List.of(scope));
        recovery.opened();
        recovery.delivered();
        recovery.ended(false);
    }

    private Duration unanswered() {
        ConnectionException refused = new ConnectionException("no", ConnectionException.Problem.REFUSED, null);
        return recovery.failed(SyncFailure.of(refused, scope, "watch"), refused);
    }

    private Duration refused(int code, Duration retryAfter) {
        ErrorDetails details = ErrorDetails.of(code, "");
        ApiException refused =
                new ApiException("no", retryAfter.isZero() ? details : details.withRetryAfter(retryAfter));
        return recovery.failed(SyncFailure.of(refused, scope, "watch"), refused);
    }

    private void outage() {
        for (int i = 0; i < 12; i++) {
            unanswered();
        }
    }

    private boolean isShortened(Duration after) {
        time.advance(after);
        return recovery.shortened(LEFT) <= FIRST;
    }

    private void answer() {
        answers.incrementAndGet();
    }

    @Test
    void shortenedWhenTheServerAnswersOthersAfterAnOutageForgetsItsFailures() {
        outage();
        assertThat(recovery.nanosToCheck()).isEqualTo(Duration.ofMillis(250).toNanos());
        assertThat(isShortened(Duration.ofMinutes(1))).as("no answer").isFalse();
        answer();
        assertThat(isShortened(Duration.ZERO)).isTrue();
        assertThat(recovery.nanosToCheck()).isEqualTo(Nanos.MAX);
        assertThat(recovery.shortened(LEFT)).as("once").isEqualTo(LEFT);
        for (int i = 0; i < 3; i++) {
            assertThat(unanswered()).isLessThanOrEqualTo(Duration.ofMillis(100L << i));
        }
    }

    @Test
    void shortenedWhenLessIsLeftKeepsIt() {
        outage();
        time.advance(Duration.ofSeconds(1));
        answer();
        assertThat(recovery.shortened(1)).isLessThanOrEqualTo(1);
    }

    /** A server that ends still answers requests when it has ended the watches. */
    @Test
    void shortenedWhenTheAnswerCameWithinASecondOfTheFailureWaits() {
        outage();
        answer();
        assertThat(isShortened(Duration.ofSeconds(1).minusNanos(1))).isFalse();
        assertThat(isShortened(Duration.ofHours(1))).isFalse();
        answer();
        assertThat(isShortened(Duration.ZERO)).isTrue();
    }

    /** An API server that starts refuses what it allows. */
    @Test
    void shortenedWhenTheServerRefusesAfterAnOutageEndsTheWait() {
        outage();
        refused(403, Duration.ZERO);
        time.advance(Duration.ofSeconds(1));
        answer();
        assertThat(isShortened(Duration.ZERO)).isTrue();
    }

    @Test
    void shortenedWhenTheServerAsksToWaitObeys() {
        outage();
        refused(503, Duration.ofSeconds(25));
        time.advance(Duration.ofSeconds(1));
        answer();
        assertThat(isShortened(Duration.ZERO)).isFalse();
    }

    @Test
    void shortenedWithoutAnOutageWaits() {
        for (int i = 0; i < 12; i++) {
            refused(500, Duration.ZERO);
        }
        time.advance(Duration.ofSeconds(1));
        answer();
        assertThat(isShortened(Duration.ZERO)).isFalse();
        recovery.delivered();
        outage();
        recovery.delivered();
        refused(500, Duration.ZERO);
        time.advance(Duration.ofSeconds(1));
        answer();
        assertThat(isShortened(Duration.ZERO)).as("after a success").isFalse();
    }

    /** A proxy that ends all watches and passes everything else does not get more of them. */
    @Test
    void shortenedWhenOpenedWatchesBreakWaits() {
        for (int i = 0; i < 12; i++) {
            recovery.started();
            recovery.opened();
            unanswered();
        }
        time.advance(Duration.ofSeconds(1));
        answer();
        assertThat(isShortened(Duration.ZERO)).isFalse();
    }

    /** A proxy that lets no watch pass, and passes everything else. */
    @Test
    void shortenedWhenOthersAreAlwaysAnsweredHappensEveryTenSecondsAtMostAndKeepsTheDelay() {
        outage();
        time.advance(Duration.ofSeconds(1));
        answer();
        assertThat(isShortened(Duration.ZERO)).isTrue();
        outage();
        answer();
        assertThat(isShortened(Duration.ofSeconds(9))).isFalse();
        answer();
        assertThat(isShortened(Duration.ofSeconds(1))).isTrue();
        Duration longest = Duration.ZERO;
        for (int i = 0; i < 20; i++) {
            Duration delay = unanswered();
            longest = delay.compareTo(longest) > 0 ? delay : longest;
        }
        assertThat(longest).isGreaterThan(Duration.ofSeconds(2));
        recovery.delivered();
        outage();
        time.advance(Duration.ofSeconds(1));
        answer();
        assertThat(isShortened(Duration.ZERO)).as("after a success").isTrue();
    }

    @Test
    void shortenedWhenAWatchWasOpenedSinceTheOutageKeepsTheDelay() {
        outage();
        recovery.opened();
        recovery.ended(false);
        answer();
        assertThat(isShortened(Duration.ofSeconds(2))).isFalse();
    }

    @Test
    void resumedWhenTheFailuresOfAnOutageWereForgottenLogsAllAttempts() {
        outage();
        answer();
        assertThat(isShortened(Duration.ofSeconds(2))).isTrue();
        try (CapturedLog log = CapturedLog.of(Recovery.class.getName())) {
            recovery.listed();
            assertThat(log.lines(Level.INFO)).singleElement().asString().contains("(failed attempts: 12)");
        }
    }
}
