package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.reconcile.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FailureLogTests {

    private static final Request A = new Request("default", "a");

    private final CapturedLog captured = CapturedLog.of("io.github.reconciler4j.controller.Controller");
    private final ManualTimeSource time = new ManualTimeSource();
    private final FailureLog<Request> log = new FailureLog<>("test", Request.class::cast, time);

    @AfterEach
    void endCapture() {
        captured.close();
    }

    private void fail(Request request, int attempt, Throwable failure) {
        log.failed(request, context(request, attempt), failure, Duration.ZERO);
    }

    private record Attempt(Request request, int attempt) implements ReconcileContext {

        @Override
        public String reconcileId() {
            return "id";
        }

        @Override
        public List<Trigger> triggers() {
            return List.of();
        }

        @Override
        public Optional<Instant> deadline() {
            return Optional.empty();
        }
    }

    private static ReconcileContext context(Request request, int attempt) {
        return new Attempt(request, attempt);
    }

    private static ApiException api(int code) {
        return new ApiException("get pods default/a: " + code, ErrorDetails.of(code, "Reason"));
    }

    @Test
    void programmingErrorHasItsStackOnceAMinute() {
        for (int i = 0; i < 2; i++) {
            fail(new Request("default", "r" + i), 1, new NullPointerException("field"));
        }
        assertThat(captured.lines(Level.WARN))
                .containsExactly(
                        "ERROR Reconciliation of test default/r0 (attempt 1) failed +stack",
                        "WARN Reconciliation of test default/r1 (attempt 1) failed: NullPointerException: field");
    }

    @Test
    void apiErrorIsOneLineWithItsCauses() {
        fail(A, 1, new IllegalStateException("could not create\nthe deployment", api(403)));
        assertThat(captured.lines(Level.DEBUG))
                .containsExactly(
                        "WARN Reconciliation of test default/a (attempt 1) failed: IllegalStateException: could not"
                                + " create the deployment; caused by ApiException: get pods default/a: 403");
    }

    @Test
    void terminalErrorIsReportedAsSuch() {
        fail(A, 1, new TerminalException("spec.html is not valid"));
        assertThat(captured.lines(Level.WARN))
                .containsExactly("WARN Reconciliation of test default/a (attempt 1) failed; not retried until something"
                        + " changes: TerminalException: spec.html is not valid");
    }

    @Test
    void timeoutSaysItsLimit() {
        log.failed(A, context(A, 1), new InterruptedException(), Duration.ofSeconds(3));
        assertThat(captured.lines(Level.WARN))
                .containsExactly(
                        "WARN Reconciliation of test default/a (attempt 1) failed after its time limit of PT3S:"
                                + " InterruptedException");
    }

    @Test
    void sameFailureOfOneRequestIsSummedUp() {
        for (int attempt = 1; attempt <= 9; attempt++) {
            fail(A, attempt, api(500));
        }
        assertThat(captured.lines(Level.WARN))
                .hasSize(4)
                .element(3)
                .asString()
                .contains("(attempt 8) failed, 8 times in a row since 20");
    }

    @Test
    void failureWhenItDiffersFromTheLastIsReported() {
        fail(A, 1, api(500));
        fail(A, 2, api(500));
        fail(A, 3, new IllegalStateException("else"));
        assertThat(captured.lines(Level.WARN)).hasSize(3).element(2).asString().endsWith("+stack");
    }

    @Test
    void conflictIsReportedOnlyIfItContinues() {
        for (int attempt = 1; attempt <= 4; attempt++) {
            fail(A, attempt, api(409));
        }
        assertThat(captured.lines(Level.INFO)).singleElement().asString().contains("4 times in a row");
        assertThat(captured.lines(Level.DEBUG)).hasSize(4);
    }

    @Test
    void successIsReportedAfterAnOutageOnly() {
        fail(A, 1, api(500));
        log.succeeded(A);
        assertThat(captured.lines(Level.INFO)).hasSize(1);
        for (int attempt = 1; attempt <= 4; attempt++) {
            fail(A, attempt, api(500));
        }
        log.succeeded(A);
        log.succeeded(A);
        assertThat(captured.lines(Level.INFO))
                .last()
                .asString()
                .startsWith("INFO Reconciliation of test default/a succeeded after 4 failures since ");
    }

    @Test
    void causesThatAreACircleEnd() {
        Exception one = new IllegalStateException("one");
        Exception two = new IllegalStateException("two", one);
        one.initCause(two);
        assertThat(Failures.chain(one)).startsWith("IllegalStateException: one; caused by IllegalStateException: two");
        assertThat(Failures.isTerminal(one)).isFalse();
    }

    @Test
    void linesWhenMoreThanTenRequestsFailAreLimited() {
        for (int i = 0; i < 10; i++) {
            fail(new Request("default", "r" + i), 1, api(500));
        }
        assertThat(captured.lines(Level.WARN)).hasSize(10);
        fail(new Request("default", "r10"), 1, api(500));
        fail(new Request("default", "r11"), 1, api(500));
        assertThat(captured.lines(Level.WARN))
                .as("the first of the limited lines")
                .hasSize(11);
    }

    @Test
    void logWhenTheApiServerIsAwayForAnHourHasALineAMinute() {
        Exception away = new ConnectionException("refused", ConnectionException.Problem.REFUSED, null);
        for (int second = 0; second < 3600; second += 10) {
            for (int i = 0; i < 20; i++) {
                fail(new Request("default", "r" + i), second + 1, away);
            }
            time.advance(Duration.ofSeconds(10));
        }
        assertThat(captured.lines(Level.WARN)).hasSizeBetween(1, 61);
        for (int i = 0; i < 20; i++) {
            log.succeeded(new Request("default", "r" + i));
        }
        assertThat(captured.lines(Level.INFO)).hasSizeLessThan(61 + 12);
    }

    @Test
    void successesWhileMoreThanTenRequestsFailAreLimited() {
        for (int i = 0; i < 12; i++) {
            for (int attempt = 1; attempt <= 4; attempt++) {
                fail(new Request("default", "r" + i), attempt, api(500));
            }
        }
        int before = captured.lines(Level.INFO).size();
        List<Integer> lines = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            log.succeeded(new Request("default", "r" + i));
            lines.add(captured.lines(Level.INFO).size() - before);
        }
        assertThat(lines)
                .as("the first one of those that are limited, and each one once ten or fewer have failed")
                .containsExactly(1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }

    @Test
    void successAfterThreeFailuresIsNotReported() {
        for (int attempt = 1; attempt <= 3; attempt++) {
            fail(A, attempt, api(500));
        }
        log.succeeded(A);
        assertThat(captured.lines(Level.DEBUG)).noneMatch(line -> line.contains("succeeded"));
        assertThat(log.count()).isZero();
    }

    @Test
    void signatureDependsOnThePlaceAndWorksWithoutAStackTrace() {
        Exception here = new IllegalStateException("here");
        Exception there = new IllegalStateException("there");
        assertThat(Failures.signature(here)).isNotEqualTo(Failures.signature(there));
        here.setStackTrace(new StackTraceElement[0]);
        assertThat(Failures.signature(here)).isEqualTo("java.lang.IllegalStateException;");
    }

    @Test
    void signatureOfAnErrorOfTheApiHasItsStatusAndTheRejectedFields() {
        List<String> signatures = List.of(
                signature(422, "Invalid", "spec.selector"),
                signature(422, "Invalid", "spec.ports[0].port"),
                signature(422, "Invalid"),
                signature(404, "NotFound"),
                signature(409, "Conflict"),
                signature(409, "AlreadyExists"));
        assertThat(signatures).doesNotHaveDuplicates();
        assertThat(signature(422, "Invalid", "spec.selector")).isEqualTo(signatures.get(0));
        assertThat(signature(503, "ServiceUnavailable")).isEqualTo(signature(500, "InternalError"));
    }

    /** All of them are made in one line, as in a client. */
    private static String signature(int code, String reason, String... fields) {
        List<ApiException.Cause> causes = Stream.of(fields)
                .map(field -> new ApiException.Cause(field, "FieldValueInvalid", "is wrong"))
                .toList();
        return Failures.signature(new ApiException(
                "no " + System.nanoTime(), ErrorDetails.of(code, reason).withCauses(causes)));
    }
}
