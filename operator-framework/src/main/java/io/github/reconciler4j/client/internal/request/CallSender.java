package io.github.reconciler4j.client.internal.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Throttle;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.error.ServerUnavailableException;
import io.github.reconciler4j.client.error.TooManyRequestsException;
import io.github.reconciler4j.client.internal.http.RequestMetrics;
import io.github.reconciler4j.client.internal.spi.WriteGate;
import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.RetryPace;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends calls: through the interceptors, with retries where they are safe, within the limits of the client, and past the write
 * gate. Derived clients share it. Thread-safe.
 *
 * @since 0.1.0
 */
public final class CallSender {

    private static final int MAX_RETRIES = 3;
    private static final Duration MAX_RETRY_DELAY = Duration.ofSeconds(10);
    private static final Backoff RETRY_BACKOFF =
            Backoff.of(Duration.ofMillis(50), MAX_RETRY_DELAY).withJitter(0.5, 1.5);

    private final ApiConnection connection;
    private final WriteGate gate;
    /** Null without limits. */
    private final @Nullable Limiter limiter;

    private final DryRunRecorder recorder;
    private final RequestMetrics metrics;
    private final WarningLog warnings;
    private final @Nullable RetryPace pace;

    /** Create a sender with the throttle of the options. */
    public CallSender(ApiConnection connection, WriteGate gate, ClientOptions options) {
        this.connection = connection;
        this.gate = gate;
        this.limiter = Limiter.of(options.throttle());
        this.recorder = new DryRunRecorder(connection);
        this.metrics = new RequestMetrics(connection.metrics(), RequestMetrics.host(connection.server()));
        this.warnings = new WarningLog();
        this.pace = null;
    }

    private CallSender(CallSender from, RetryPace pace) {
        this.connection = from.connection;
        this.gate = from.gate;
        this.limiter = from.limiter;
        this.recorder = from.recorder;
        this.metrics = from.metrics;
        this.warnings = from.warnings;
        this.pace = pace;
    }

    /** Return a sender that also waits for a pace, and repeats nothing: for callers that repeat what fails themselves. */
    CallSender paced(RetryPace newPace) {
        return new CallSender(this, newPace);
    }

    ApiResponse send(ClientCall call, ClientOptions options) {
        ApiResponse response = next(options.interceptors(), 0, options).proceed(call);
        if (!response.warnings().isEmpty()) {
            warnings.log(call, response.warnings());
        }
        return response;
    }

    private ClientInterceptor.Next next(List<ClientInterceptor> interceptors, int at, ClientOptions options) {
        if (at == interceptors.size()) {
            return call -> deliver(call, options);
        }
        ClientInterceptor interceptor = interceptors.get(at);
        return call -> checked(interceptor, call, interceptor.intercept(call, next(interceptors, at + 1, options)));
    }

    private static ApiResponse checked(ClientInterceptor interceptor, ClientCall call, @Nullable ApiResponse response) {
        if (response == null) {
            throw new NullPointerException(Call.describe(call) + ": the interceptor "
                    + interceptor.getClass().getName()
                    + " returned null; let it return the response of next.proceed, or one of its own");
        }
        return response;
    }

    private ApiResponse deliver(ClientCall call, ClientOptions options) {
        Supplier<ApiResponse> send =
                () -> call.verb().isWrite() ? gate.send(call, this::sendRepeatedly) : sendRepeatedly(call);
        return options.mode() == WriteMode.OBSERVE && call.verb().isWrite()
                ? recorder.record(call, options.writeObserver(), send)
                : send.get();
    }

    private ApiResponse sendRepeatedly(ClientCall call) {
        if (pace != null) {
            return sendPaced(call, pace);
        }
        ApiException unanswered = null;
        for (int failures = 1; ; failures++) {
            try {
                return sendWithinLimits(call);
            } catch (ApiException e) {
                if (failures > MAX_RETRIES || !mayRetry(call, e)) {
                    if (unanswered != null && unanswered != e) {
                        e.addSuppressed(unanswered);
                    }
                    throw e;
                }
                unanswered = mayHaveBeenCarriedOut(e) ? e : unanswered;
                metrics.retry(call.request().method(), e.code() == 0 ? "<error>" : Integer.toString(e.code()));
                awaitRetry(call, e, failures);
            }
        }
    }

    private ApiResponse sendPaced(ClientCall call, RetryPace bound) {
        try {
            bound.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException(
                    Call.describe(call) + ": interrupted while waiting for the next attempt");
        }
        return sendWithinLimits(call);
    }

    /**
     * Return whether the server may have carried out a request that failed in this way, or an earlier attempt of it. An API
     * server also answers 500 when its storage does not answer in time.
     */
    static boolean mayHaveBeenCarriedOut(ApiException failure) {
        boolean sent = failure instanceof ConnectionException lost
                ? !lost.problem().isBeforeSending()
                : failure instanceof RequestInterruptedException || failure.code() >= 500;
        return sent
                || Arrays.stream(failure.getSuppressed())
                        .anyMatch(earlier -> earlier instanceof ApiException api && mayHaveBeenCarriedOut(api));
    }

    /**
     * Return whether a call may be sent again: after 429, since nothing was done, and, if sending it twice has the same effect
     * as sending it once, after a lost connection or if the server is unavailable. A plain 500 is not retried, since it usually
     * stems from the object: a webhook fails for it, for example.
     */
    private static boolean mayRetry(ClientCall call, ApiException failure) {
        if (failure.retryAfter()
                .filter(asked -> asked.compareTo(MAX_RETRY_DELAY) > 0)
                .isPresent()) {
            return false;
        }
        if (failure instanceof TooManyRequestsException) {
            // An eviction is refused with 429 for minutes while a disruption budget is used up.
            return !call.subresource().equals("eviction");
        }
        if (failure instanceof ServerUnavailableException) {
            return call.idempotent();
        }
        return failure instanceof ConnectionException lost
                && lost.problem() == Problem.CONNECTION_RESET
                && call.idempotent();
    }

    private static void awaitRetry(ClientCall call, ApiException failure, int failures) {
        long backoff = RETRY_BACKOFF.delay(failures).toNanos();
        long asked = failure.retryAfter().map(Duration::toNanos).orElse(0L);
        try {
            TimeSource.system().sleep(Math.max(backoff, asked));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException(Call.describe(call) + ": interrupted while waiting for a retry");
        }
    }

    private ApiResponse sendWithinLimits(ClientCall call) {
        Limiter bound = limiter;
        if (bound == null) {
            return sendNow(call);
        }
        long start = TimeSource.system().nanoTime();
        try {
            bound.acquire();
            metrics.limited(call.request().method(), TimeSource.system().nanoTime() - start);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException(
                    Call.describe(call) + ": interrupted while waiting for the rate limit of the client");
        }
        try {
            return sendNow(call);
        } finally {
            bound.release();
        }
    }

    private ApiResponse sendNow(ClientCall call) {
        if (call.verb().isWrite() && !call.dryRun()) {
            gate.check();
        }
        return connection.send(call.request());
    }

    /** A token bucket for the rate and a semaphore for the concurrency of a {@link Throttle}. Thread-safe and fair. */
    static final class Limiter {

        private final Throttle throttle;
        private final Semaphore permits;
        private final ReentrantLock lock = new ReentrantLock();

        /** When the bucket will be full again, in {@link System#nanoTime}. */
        @GuardedBy("lock")
        private long fullAt = TimeSource.system().nanoTime();

        Limiter(Throttle throttle) {
            this.throttle = throttle;
            this.permits = new Semaphore(throttle.maxConcurrent(), true);
        }

        /** Return a limiter, null if the throttle limits nothing. */
        static @Nullable Limiter of(Throttle throttle) {
            return throttle.queriesPerSecond() == 0 && throttle.maxConcurrent() == 0 ? null : new Limiter(throttle);
        }

        /** Wait for a permit, which must be released, and a token. */
        void acquire() throws InterruptedException {
            if (throttle.maxConcurrent() > 0) {
                permits.acquire();
            }
            try {
                TimeSource.system().sleep(reserve());
            } catch (InterruptedException e) {
                release();
                throw e;
            }
        }

        void release() {
            if (throttle.maxConcurrent() > 0) {
                permits.release();
            }
        }

        /** Take a token, possibly a future one, and return the nanoseconds until it is available. */
        private long reserve() {
            if (throttle.queriesPerSecond() == 0) {
                return 0;
            }
            long token = (long) (1e9 / throttle.queriesPerSecond());
            lock.lock();
            try {
                long now = TimeSource.system().nanoTime();
                fullAt = Math.max(fullAt, now) + token;
                return Math.max(0, fullAt - now - token * throttle.burst());
            } finally {
                lock.unlock();
            }
        }
    }

    /** Logs the warnings of the server, each text once. Thread-safe. */
    private static final class WarningLog {

        private static final Logger logger = LoggerFactory.getLogger("io.github.reconciler4j.client.warnings");
        private static final int MAX_WARNINGS = 1000;

        private final Set<String> logged = ConcurrentHashMap.newKeySet();

        void log(ClientCall call, List<String> warnings) {
            for (String warning : warnings) {
                if (logged.size() < MAX_WARNINGS && logged.add(warning)) {
                    logger.warn("Warning of the API server for {}: {}", Call.describe(call), warning);
                }
            }
        }
    }
}
