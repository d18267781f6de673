package io.github.reconciler4j.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.reconcile.Result.Next;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultTests {

    private static void assertResult(Result result, Next next, Duration delay) {
        assertThat(result.next()).isEqualTo(next);
        assertThat(result.delay()).isEqualTo(delay);
    }

    @Test
    void doneWaitsForAChange() {
        assertResult(Result.done(), Next.DONE, Duration.ZERO);
        assertThat(Result.done().priority()).isEmpty();
    }

    @Test
    void requeueAfterHasTheDelayAndNoneIfItIsNegative() {
        assertResult(Result.requeueAfter(Duration.ofSeconds(3)), Next.AFTER_DELAY, Duration.ofSeconds(3));
        assertResult(Result.requeueAfter(Duration.ofSeconds(-3)), Next.AFTER_DELAY, Duration.ZERO);
    }

    @Test
    void requeueWithBackoffLeavesTheDelayToTheRateLimiter() {
        assertResult(Result.requeueWithBackoff(), Next.WITH_BACKOFF, Duration.ZERO);
    }

    @Test
    void withPriorityChangesNothingElse() {
        Result result = Result.requeueAfter(Duration.ofSeconds(3)).withPriority(7);
        assertResult(result, Next.AFTER_DELAY, Duration.ofSeconds(3));
        assertThat(result.priority()).hasValue(7);
        assertThat(result)
                .isEqualTo(Result.requeueAfter(Duration.ofSeconds(3)).withPriority(7))
                .isNotEqualTo(Result.requeueAfter(Duration.ofSeconds(3)))
                .hasToString("AFTER_DELAY 3s priority 7");
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT0.25S, 250ms",
        "PT1.5S, 1500ms",
        "PT90S, 90s",
        "PT5M, 5m",
        "PT2H, 2h",
        "P2D, 48h",
        "PT0.0000015S, 1500ns"
    })
    void toStringShowsTheDelayInTheLargestUnitThatIsExact(Duration delay, String text) {
        assertThat(Result.requeueAfter(delay)).hasToString("AFTER_DELAY " + text);
    }

    @Test
    void cleanupResultNotYetHasTheDelay() {
        assertThat(CleanupResult.done().isDone()).isTrue();
        assertThat(CleanupResult.notYet().isDone()).isFalse();
        assertThat(CleanupResult.notYet().delay()).isEmpty();
        assertThat(CleanupResult.notYet(Duration.ofSeconds(3)).isDone()).isFalse();
        assertThat(CleanupResult.notYet(Duration.ofSeconds(3)).delay()).hasValue(Duration.ofSeconds(3));
        assertThat(CleanupResult.notYet(Duration.ofSeconds(-3)).delay()).hasValue(Duration.ZERO);
    }

    @Test
    void terminalExceptionKeepsItsMessageAndCause() {
        IllegalStateException cause = new IllegalStateException("why");
        assertThat(new TerminalException("what", cause)).hasMessage("what").hasCause(cause);
        assertThat(new TerminalException("what")).hasMessage("what").hasNoCause();
    }
}
