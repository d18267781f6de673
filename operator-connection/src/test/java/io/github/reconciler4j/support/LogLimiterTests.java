package io.github.reconciler4j.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.fixtures.FailingTimeSource;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.support.LogLimiter.Occurrence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogLimiterTests {

    private final ManualTimeSource time = new ManualTimeSource();
    private final LogLimiter limiter = new LogLimiter(Duration.ofMinutes(1), time);
    private final List<String> lines = new ArrayList<>();

    private void log(Object cause) {
        limiter.log(cause, occurrence -> lines.add((occurrence.first() ? "first " : "") + cause + occurrence.suffix()));
    }

    @Test
    void logWhenCauseRepeatsWithinTheIntervalIsWrittenOnceAndCountedTheNextTime() {
        for (int i = 0; i < 67; i++) {
            log("a");
            time.advance(Duration.ofMillis(500));
        }
        assertThat(lines).containsExactly("first a");

        time.advance(Duration.ofMinutes(1));
        log("a");
        log("a");

        assertThat(lines).containsExactly("first a", "a (66 more since the last message)");
    }

    @Test
    void suffixOfAFailureHasItOnlyAfterTheStackTrace() {
        IllegalStateException failure = new IllegalStateException("broken");
        Occurrence first = new Occurrence(true, 0);
        Occurrence later = new Occurrence(false, 7);

        assertThat(first.suffix(failure)).isEmpty();
        assertThat(first.trace(failure)).isSameAs(failure);
        assertThat(later.suffix(failure))
                .isEqualTo(": java.lang.IllegalStateException: broken (7 more since the last message)");
        assertThat(later.trace(failure)).isNull();
    }

    @Test
    void logWhenSeveralLinesAreAllowedWritesSoManyInAnInterval() {
        LogLimiter three = new LogLimiter(Duration.ofMinutes(1), 3, time);
        for (int i = 0; i < 10; i++) {
            three.log("a", occurrence -> lines.add("a" + occurrence.suffix()));
        }
        assertThat(lines).containsExactly("a", "a", "a");

        time.advance(Duration.ofMinutes(1));
        for (int i = 0; i < 4; i++) {
            three.log("a", occurrence -> lines.add("later" + occurrence.suffix()));
        }
        assertThat(lines)
                .endsWith("a", "later (7 more since the last message)", "later", "later")
                .hasSize(6);
    }

    @Test
    void logWhenTheTimeCannotBeReadIsIgnored() {
        FailingTimeSource failing = new FailingTimeSource();
        LogLimiter broken = new LogLimiter(Duration.ofMinutes(1), failing);
        failing.failAlwaysIn(Thread.currentThread().getName());
        broken.log("a", occurrence -> lines.add("a"));
        assertThat(lines).isEmpty();
    }

    @Test
    void logWhenTheStatementFailsIsIgnored() {
        limiter.log("a", occurrence -> {
            throw new NoClassDefFoundError("layout");
        });
        log("b");

        assertThat(lines).containsExactly("first b");
    }

    @Test
    void logWhenCausesDifferWritesEach() {
        log("a");
        log("b");
        limiter.forget("a");
        log("a");

        assertThat(lines).containsExactly("first a", "first b", "first a");
    }

    @Test
    void logWhenThereAreMoreCausesThanRememberedCountsTheOthersAsOne() {
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < 1000; i++) {
                log(i);
            }
        }
        assertThat(lines).hasSize(257).endsWith("first 255", "first 256").doesNotContain("first 257");

        time.advance(Duration.ofMinutes(1));
        log(999);
        log(0);

        assertThat(lines).hasSize(259).endsWith("first 999", "first 0");
    }

    @Test
    void causeWhenExceptionsComeFromOnePlaceIsEqual() {
        List<String> causes = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            causes.add(LogLimiter.cause(new IllegalStateException("number " + i)));
        }

        assertThat(causes.get(0)).isEqualTo(causes.get(1));
        assertThat(LogLimiter.cause(new IllegalStateException("elsewhere"))).isNotEqualTo(causes.get(0));
        assertThat(new Occurrence(true, 0).suffix()).isEmpty();
    }
}
