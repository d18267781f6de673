package io.github.reconciler4j.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.reconcile.Result.Next;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ResultTests {

    @Test
    void doneComesBackOnlyWhenSomethingChanges() {
        assertThat(Result.done()).isEqualTo(new Result(Next.DONE, Duration.ZERO, OptionalInt.empty()));
    }

    @Test
    void requeueAfterComesBackAfterTheTimeAndAtOnceIfThatIsNegative() {
        assertThat(Result.requeueAfter(Duration.ofSeconds(3)))
                .isEqualTo(new Result(Next.AFTER_DELAY, Duration.ofSeconds(3), OptionalInt.empty()));
        assertThat(Result.requeueAfter(Duration.ofSeconds(-3)).delay()).isZero();
    }

    @Test
    void requeueWithBackoffLeavesTheTimeToTheLimiter() {
        assertThat(Result.requeueWithBackoff().next()).isEqualTo(Next.WITH_BACKOFF);
    }

    @Test
    void withPriorityChangesNothingElse() {
        assertThat(Result.requeueAfter(Duration.ofSeconds(3)).withPriority(7))
                .isEqualTo(new Result(Next.AFTER_DELAY, Duration.ofSeconds(3), OptionalInt.of(7)));
    }

    @Test
    void terminalExceptionKeepsItsMessageAndCause() {
        IllegalStateException cause = new IllegalStateException("why");
        assertThat(new TerminalException("what", cause)).hasMessage("what").hasCause(cause);
        assertThat(new TerminalException("what")).hasMessage("what").hasNoCause();
    }
}
