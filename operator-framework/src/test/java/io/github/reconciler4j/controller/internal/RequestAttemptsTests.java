package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.error.WriteRefusedException;
import io.github.reconciler4j.controller.FailingRequest;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.RequeueException;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.TerminalException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When the attempts of a request are exhausted. */
class RequestAttemptsTests extends RequestProcessorFixture {

    RequestAttemptsTests() {
        create(options.withMaxAttempts(3), null);
    }

    private List<Boolean> lastAttempts() {
        return contexts.stream().map(ReconcileContext::isLastAttempt).toList();
    }

    /** Processes the request again although its backoff has not ended, as after a change. */
    private void process(int times) {
        IntStream.range(0, times).forEach(ignored -> process(A, 0));
    }

    @Test
    void requestThatFailsAsOftenAsAllowedIsNotRetried() {
        reconciler = failing();
        try (CapturedLog log = CapturedLog.of(LOGGER)) {
            process(2);
            assertThat(queue.snapshot().backoff()).isEqualTo(1);
            assertThat(processor.failures().stalled()).isZero();
            process(1);
            assertThat(log.lines(Level.WARN))
                    .last()
                    .asString()
                    .contains("(attempt 3) failed; not retried until something changes");
        }
        assertThat(lastAttempts()).containsExactly(false, false, true);
        assertThat(queue.snapshot().backoff()).isZero();
        assertThat(queue.size()).isZero();
        assertThat(queue.retries(A)).isZero();
        assertThat(processor.failures().stalled()).isEqualTo(1);
        assertThat(processor.failures().failing(queue.snapshot(), 5))
                .singleElement()
                .satisfies(failing -> assertThat(failing.terminal()).isTrue())
                .extracting(FailingRequest::failures)
                .isEqualTo(3);
    }

    @Test
    void requestThatChangesAfterwardsHasAllAttemptsAgain() {
        reconciler = failing();
        process(7);
        assertThat(lastAttempts()).containsExactly(false, false, true, false, false, true, false);
        assertThat(queue.snapshot().backoff()).isEqualTo(1);
        assertThat(processor.failures().stalled()).isZero();
        reconciler = (request, context) -> Result.done();
        process(1);
        assertThat(processor.failures().count()).isZero();
        reconciler = failing();
        process(3);
        assertThat(lastAttempts().subList(8, 11)).containsExactly(false, false, true);
    }

    @Test
    void waitingIsNoFailure() {
        reconciler = (request, context) -> {
            throw RequeueException.withBackoff("not yet");
        };
        process(5);
        reconciler = failing();
        process(2);
        assertThat(lastAttempts()).doesNotContain(true);
        assertThat(queue.snapshot().backoff()).isEqualTo(1);
        reconciler = (request, context) -> Result.requeueWithBackoff();
        process(1);
        reconciler = failing();
        process(2);
        assertThat(processor.failures().stalled()).isZero();
    }

    static Stream<RuntimeException> passing() {
        ApiException unavailable = new ApiException("away", ErrorDetails.of(503, "ServiceUnavailable"));
        return Stream.of(
                unavailable,
                new IllegalStateException("wrapped", unavailable),
                new ApiException("busy", ErrorDetails.of(429, "TooManyRequests")),
                new ApiException("internal", ErrorDetails.of(500, "InternalError")),
                new ConflictException("changed"),
                new WriteRefusedException("no lease"),
                new RequestInterruptedException("interrupted"),
                new ConnectionException("refused", ConnectionException.Problem.REFUSED, null));
    }

    @ParameterizedTest
    @MethodSource("passing")
    void failureThatPassesByItselfDoesNotCount(RuntimeException failure) {
        reconciler = (request, context) -> {
            throw failure;
        };
        process(5);
        reconciler = failing();
        process(2);
        reconciler = (request, context) -> {
            throw failure;
        };
        process(4);
        assertThat(contexts.get(7).isLastAttempt()).isTrue();
        assertThat(queue.snapshot().backoff()).isEqualTo(1);
        assertThat(processor.failures().stalled()).isZero();
        reconciler = failing();
        process(1);
        assertThat(processor.failures().stalled()).isEqualTo(1);
    }

    static Stream<Throwable> lasting() {
        return Stream.of(
                new IllegalStateException("no"),
                new StackOverflowError("deep"),
                new ApiException("invalid", ErrorDetails.of(422, "Invalid")),
                new ApiException("forbidden", ErrorDetails.of(403, "Forbidden")),
                new ConflictException(
                        "owned",
                        ErrorDetails.of(409, "Conflict")
                                .withCauses(List.of(new ApiException.Cause(
                                        "spec.a", "FieldManagerConflict", "owned by kubectl")))));
    }

    @ParameterizedTest
    @MethodSource("lasting")
    void failureThatLastsCounts(Throwable failure) {
        reconciler = (request, context) -> {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        };
        process(3);
        assertThat(lastAttempts()).containsExactly(false, false, true);
        assertThat(processor.failures().stalled()).isEqualTo(1);
        assertThat(queue.snapshot().backoff()).isZero();
    }

    @Test
    void withoutALimitNoAttemptIsTheLast() {
        create(options, null);
        reconciler = failing();
        process(50);
        assertThat(lastAttempts()).doesNotContain(true);
        assertThat(queue.snapshot().backoff()).isEqualTo(1);
        assertThat(processor.failures().failing(queue.snapshot(), 1).get(0).next())
                .isPresent()
                .get()
                .isNotEqualTo(Duration.ZERO);
    }

    /** Outcomes are drawn; the model counts failures that last, and starts again after a success and after the last attempt. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void attemptsOfADrawnHistoryAreThoseOfTheModel(long seed) {
        Random random = new Random(seed);
        int max = 1 + random.nextInt(5);
        create(options.withMaxAttempts(max), null);
        List<Throwable> passing = passing().map(Throwable.class::cast).toList();
        List<Throwable> lasting = lasting().toList();
        int counted = 0;
        for (int step = 0; step < 2_000; step++) {
            int draw = random.nextInt(6);
            Throwable failure = draw == 0
                    ? passing.get(random.nextInt(passing.size()))
                    : draw == 1 ? new TerminalException("for good") : lasting.get(random.nextInt(lasting.size()));
            reconciler = (request, context) -> {
                if (draw > 3) {
                    throw RequeueException.withBackoff("not yet");
                }
                return draw == 3 ? Result.done() : thrown(failure);
            };
            boolean last = counted >= max - 1;
            process(1);
            boolean lasts = draw == 1 || draw == 2;
            boolean waits = draw == 1 || draw == 2 && last;
            counted = draw > 2 || waits ? 0 : counted + (lasts ? 1 : 0);
            String history = "seed " + seed + ", step " + step;
            assertThat(contexts.get(contexts.size() - 1).isLastAttempt())
                    .as(history)
                    .isEqualTo(last);
            assertThat(processor.failures().stalled()).as(history).isEqualTo(waits ? 1 : 0);
            assertThat(processor.failures().count()).as(history).isEqualTo(draw > 2 ? 0 : 1);
            assertThat(queue.snapshot().backoff()).as(history).isEqualTo(draw == 3 || waits ? 0 : 1);
        }
    }

    private static Result thrown(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }
}
