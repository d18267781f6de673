package io.github.reconciler4j.client.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Throttle;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.error.ServerUnavailableException;
import io.github.reconciler4j.client.error.TooManyRequestsException;
import io.github.reconciler4j.client.error.WriteRefusedException;
import io.github.reconciler4j.client.internal.spi.WriteGate;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.RecordingMetrics;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is sent again, after how long, and what waits for the limits of the client. */
@Timeout(120)
class CallSenderTests {

    private static final KindInfo POD = new KindInfo(KindName.of("v1", "Pod"), "pods", true);
    private static final ApiResponse OK = new ApiResponse(200, new byte[0], List.of());

    private final RecordingMetrics metrics = new RecordingMetrics();
    private final List<Long> sent = new CopyOnWriteArrayList<>();

    private CallSender sender(Throttle throttle, WriteGate gate, IntFunction<ApiResponse> server) {
        ApiConnection connection = new ApiConnection() {
            @Override
            public String server() {
                return "https://test";
            }

            @Override
            public ApiResponse send(ApiRequest request) {
                sent.add(System.nanoTime());
                return server.apply(sent.size());
            }

            @Override
            public ApiStream stream(ApiRequest request) {
                throw new UnsupportedOperationException();
            }

            @Override
            public OperatorMetrics metrics() {
                return metrics;
            }

            @Override
            public void close() {}
        };
        return new CallSender(connection, gate, ClientOptions.defaults().withThrottle(throttle));
    }

    private CallSender failingOnce(ApiException failure) {
        return sender(Throttle.off(), WriteGate.OPEN, attempt -> {
            if (attempt == 1) {
                throw failure;
            }
            return OK;
        });
    }

    private static ClientCall get() {
        return Call.read(ClientCall.Verb.GET, POD, Optional.empty(), "", ApiRequest.of("get", "GET", "/api/v1/pods"));
    }

    private static ClientCall create(String subresource, boolean dryRun) {
        ApiRequest request = ApiRequest.of("create", "POST", "/api/v1/pods");
        return new Call(ClientCall.Verb.CREATE, POD, Optional.empty(), subresource, dryRun, false, request);
    }

    private static ApiResponse send(CallSender sender, ClientCall call) {
        return sender.send(call, ClientOptions.defaults());
    }

    private static ServerUnavailableException unavailable(Duration retryAfter) {
        return new ServerUnavailableException(
                "later", ErrorDetails.of(503, "ServiceUnavailable").withRetryAfter(retryAfter));
    }

    @Test
    void retryWhenTheServerNamesADelayWaitsForItAndIsCounted() {
        assertThat(send(failingOnce(unavailable(Duration.ofMillis(700))), get()))
                .isSameAs(OK);
        assertThat(sent).hasSize(2);
        assertThat(Duration.ofNanos(sent.get(1) - sent.get(0))).isGreaterThanOrEqualTo(Duration.ofMillis(700));
        assertThat(metrics.count("rest_client_request_retries_total{code=503,verb=GET,host=test}"))
                .isEqualTo(1);
    }

    @Test
    void retryWhenTheServerNamesAShortDelayBacksOff() {
        assertThat(send(failingOnce(unavailable(Duration.ZERO)), get())).isSameAs(OK);
        assertThat(Duration.ofNanos(sent.get(1) - sent.get(0))).isGreaterThanOrEqualTo(Duration.ofMillis(25));
    }

    @Test
    void retryWhenThereIsNoResponseIsCountedAsAnError() {
        send(failingOnce(new ConnectionException("reset", Problem.CONNECTION_RESET, null)), get());
        assertThat(metrics.count("rest_client_request_retries_total{code=<error>,verb=GET,host=test}"))
                .isEqualTo(1);
    }

    @Test
    void retryWhenEveryAttemptFailsEndsAfterThree() {
        CallSender sender = sender(Throttle.off(), WriteGate.OPEN, attempt -> {
            throw unavailable(Duration.ZERO);
        });
        assertThatThrownBy(() -> send(sender, get())).isInstanceOf(ServerUnavailableException.class);
        assertThat(sent).hasSize(4);
    }

    @Test
    void retryWhenEveryAttemptFailsWithTheSameExceptionThrowsIt() {
        ApiException failure = unavailable(Duration.ZERO);
        CallSender sender = sender(Throttle.off(), WriteGate.OPEN, attempt -> {
            throw failure;
        });
        assertThatThrownBy(() -> send(sender, get())).isSameAs(failure).hasNoSuppressedExceptions();
    }

    private void assertSentOnce(ApiException failure, ClientCall call) {
        sent.clear();
        assertThatThrownBy(() -> send(failingOnce(failure), call)).isSameAs(failure);
        assertThat(sent).hasSize(1);
    }

    @Test
    void requestWhenARetryCouldDoHarmOrTakesTooLongIsSentOnce() {
        assertSentOnce(unavailable(Duration.ofMillis(10_001)), get());
        assertSentOnce(new TooManyRequestsException("disruption budget"), create("eviction", false));
        assertSentOnce(unavailable(Duration.ZERO), create("", false));
        assertSentOnce(new ConnectionException("reset", Problem.CONNECTION_RESET, null), create("", false));
        assertSentOnce(new ConnectionException("refused", Problem.REFUSED, null), get());
    }

    @Test
    void retryWhenTheServerIsBusyIsSafeForAnyOtherWrite() {
        assertThat(send(failingOnce(new TooManyRequestsException("busy")), create("binding", false)))
                .isSameAs(OK);
    }

    @Test
    void retryWhenInterruptedInTheLongestDelayThrowsAndKeepsTheInterrupt() throws Exception {
        CallSender sender = failingOnce(unavailable(Duration.ofSeconds(10)));
        assertInterrupted(sender, "get pods: interrupted while waiting for a retry", Thread.State.TIMED_WAITING);
        assertThat(sent).hasSize(1);
    }

    private static void assertInterrupted(CallSender sender, String message, Thread.State state) throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        AtomicReference<Boolean> flag = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            thrown.set(catchThrowable(() -> send(sender, get())));
            flag.set(Thread.currentThread().isInterrupted());
        });
        caller.start();
        await("caller to wait")
                .atMost(Duration.ofSeconds(30))
                .until(() -> caller.getState() == state || !caller.isAlive());
        caller.interrupt();
        caller.join();
        assertThat(thrown.get()).isInstanceOf(RequestInterruptedException.class).hasMessage(message);
        assertThat(flag.get()).isTrue();
    }

    @Test
    void callWhenLimitedToOneWaitsForTheOtherAndReleasesItsPermit() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        CallSender sender = sender(Throttle.off().withMaxConcurrent(1), WriteGate.OPEN, attempt -> {
            first.countDown();
            try {
                finish.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return OK;
        });
        Thread holding = new Thread(() -> send(sender, get()));
        holding.start();
        first.await();
        assertInterrupted(
                sender, "get pods: interrupted while waiting for the rate limit of the client", Thread.State.WAITING);
        assertThat(sent).hasSize(1);
        finish.countDown();
        holding.join();
        assertThat(send(sender, get())).isSameAs(OK);
        assertThat(metrics.recorded("rest_client_rate_limiter_duration_seconds{verb=GET,host=test}"))
                .hasSize(2)
                .allMatch(seconds -> seconds >= 0 && seconds < 100);
    }

    @Test
    void callWhenOnlyTheRateIsLimitedWaitsForItsToken() {
        CallSender sender = sender(Throttle.off().withRate(20, 1), WriteGate.OPEN, attempt -> OK);
        send(sender, get());
        long start = System.nanoTime();
        send(sender, get());
        send(sender, get());
        assertThat(Duration.ofNanos(sent.get(2) - start)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
    }

    @Test
    void permitWhenACallFailsIsReleased() {
        CallSender sender = sender(Throttle.off().withMaxConcurrent(1), WriteGate.OPEN, attempt -> {
            if (attempt == 1) {
                throw new ConnectionException("refused", Problem.REFUSED, null);
            }
            return OK;
        });
        assertThatThrownBy(() -> send(sender, get())).isInstanceOf(ConnectionException.class);
        assertThat(send(sender, get())).isSameAs(OK);
    }

    @Test
    void gateWhenClosedRefusesWritesExceptDryRuns() {
        CallSender sender = sender(
                Throttle.off(),
                () -> {
                    throw new WriteRefusedException("not the leader");
                },
                attempt -> OK);
        assertThatThrownBy(() -> send(sender, create("", false))).isInstanceOf(WriteRefusedException.class);
        assertThat(sent).isEmpty();
        assertThat(send(sender, create("", true))).isSameAs(OK);
        assertThat(send(sender, get())).isSameAs(OK);
    }

    @Test
    void warningWhenItComesAgainIsLoggedOnce() {
        CallSender sender = sender(
                Throttle.off(),
                WriteGate.OPEN,
                attempt -> new ApiResponse(200, new byte[0], List.of("v1 is deprecated")));
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.client.warnings")) {
            send(sender, get());
            send(sender, get());
            assertThat(log.lines(Level.WARN))
                    .containsExactly("WARN Warning of the API server for get pods: v1 is deprecated");
        }
    }
}
