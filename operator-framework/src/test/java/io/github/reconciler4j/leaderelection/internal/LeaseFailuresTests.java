package io.github.reconciler4j.leaderelection.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What log and health say of the requests for a lease. */
class LeaseFailuresTests {

    private static final LeaseTiming TIMING = LeaseTiming.defaults();
    private static final Duration QUIET = TIMING.leaseDuration()
            .plus(TIMING.requestTimeout().multipliedBy(3))
            .plus(TIMING.retryPeriod().multipliedBy(3));

    private final ManualTimeSource time = new ManualTimeSource();
    private final LeaseFailures failures = new LeaseFailures(ObjectKey.of("ns", "lock"), TIMING, time);
    private final CapturedLog log = CapturedLog.of(Election.class.getName());

    @AfterEach
    void release() {
        log.close();
    }

    private static ApiException refusal(int code, String text) {
        return new ApiException(text, ErrorDetails.of(code, ""));
    }

    private List<String> lines() {
        return log.lines(Level.WARN);
    }

    @Test
    void textFromTheThirdFailureOnSaysHowManyAndTheLast() {
        assertThat(failures.failed("renew", refusal(500, "one"))).isEqualTo("one");
        failures.failed("renew", refusal(500, "two"));
        assertThat(failures.text()).isEmpty();
        time.advance(QUIET); // not quiet for longer than that
        failures.failed("renew", refusal(500, "three"));
        assertThat(failures.text()).isEqualTo("3 failures in short succession, the last: three");
        time.advance(QUIET);
        assertThat(failures.text()).isNotEmpty();
        time.advance(Duration.ofNanos(1));
        assertThat(failures.text()).isEmpty();
        for (int i = 0; i < 2; i++) {
            failures.failed("renew", refusal(500, "later"));
        }
        assertThat(failures.text()).as("counted from one again").isEmpty();
        failures.lost("the time is over");
        assertThat(failures.text())
                .isEqualTo("3 failures in short succession, the last: it was lost: the time is over");
    }

    @Test
    void logWhenRequestsFailHasALineAMinuteForEachKind() {
        failures.failed("renew", refusal(500, "id 1"));
        failures.failed("renew", refusal(500, "id 2"));
        failures.failed("acquire", refusal(500, "id 3"));
        assertThat(lines())
                .containsExactly(
                        "WARN Could not renew lease ns/lock (R4J-201): id 1",
                        "WARN Could not acquire lease ns/lock, for the 3. time in short succession (R4J-201): id 3");
        time.advance(Duration.ofMinutes(1));
        failures.failed("renew", refusal(500, "id 4"));
        assertThat(lines())
                .last()
                .isEqualTo("WARN Could not renew lease ns/lock (R4J-201): id 4 (1 more since the last message)");
    }

    @Test
    void logWhenFailuresDifferHasThreeLinesAMinute() {
        failures.failed("renew", new ConnectionException("a", Problem.TIMEOUT, null));
        failures.failed("renew", new ConnectionException("b", Problem.TIMEOUT, null));
        assertThat(lines()).hasSize(1);
        failures.failed("renew", new ConnectionException("c", Problem.CONNECTION_RESET, null));
        failures.failed("renew", new IllegalStateException("d"));
        failures.failed("renew", refusal(0, "e"));
        failures.failed("renew", refusal(403, "f"));
        assertThat(lines()).hasSize(3);
        time.advance(Duration.ofMinutes(1));
        for (String text : List.of("g", "h")) {
            failures.failed("renew", refusal(0, text)); // of one place in the code
        }
        assertThat(lines()).hasSize(4).last().asString().contains("g").doesNotContain("h");
    }

    @Test
    void logWhenThereAreTwoReasonsHasALineForEach() {
        for (Problem problem : List.of(Problem.TIMEOUT, Problem.CONNECTION_RESET, Problem.TIMEOUT)) {
            failures.failed("renew", new ConnectionException("connection " + problem, problem, null));
        }
        assertThat(lines()).hasSize(2).last().asString().contains("connection CONNECTION_RESET");
        time.advance(Duration.ofMinutes(2));
        for (int code : new int[] {500, 503, 500}) {
            failures.failed("renew", refusal(code, "status " + code));
        }
        assertThat(lines()).hasSize(4).last().asString().contains("status 503");
    }

    @Test
    void refusedWhenItHappensOftenAsksForAnotherClient() {
        assertThat(failures.refused(refusal(404, "gone"))).isEqualTo("gone");
        assertThat(failures.refused(refusal(409, "first"))).isEqualTo("first");
        failures.refused(refusal(409, "second"));
        assertThat(failures.text()).isEmpty();
        assertThat(lines()).isEmpty();
        failures.refused(refusal(409, "third"));
        assertThat(lines())
                .containsExactly(
                        "WARN The API server refuses renewals of lease ns/lock, for the 3. time in short succession;"
                                + " is there another client that writes it? (R4J-202): third");
        assertThat(failures.text()).endsWith("third");
    }

    @Test
    void deletedSaysSoAndCounts() {
        for (int i = 0; i < 3; i++) {
            assertThat(failures.deleted()).isEqualTo("it was deleted by another client");
        }
        assertThat(lines())
                .containsExactly("WARN Lease ns/lock was deleted by another client; creating it again (R4J-203)");
        assertThat(failures.text())
                .isEqualTo("3 failures in short succession, the last: it was deleted by another client");
    }

    @Test
    void messageWhenTheFailureHasLinesOrNoTextIsOneLine() {
        assertThat(failures.failed("renew", new IllegalStateException("a\nb")))
                .isEqualTo("java.lang.IllegalStateException: a\\nb");
        assertThat(failures.failed("renew", new IllegalStateException() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public String toString() {
                        throw new UnsupportedOperationException();
                    }
                }))
                .contains("toString throws");
    }
}
