package io.github.reconciler4j.webhook.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.metrics.OperatorMetrics.Counter;
import io.github.reconciler4j.metrics.OperatorMetrics.Histogram;
import io.github.reconciler4j.metrics.OperatorMetrics.Registration;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.webhook.internal.Endpoint.BadReviewException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls endpoints on threads of its own, so that a call ends in time even if the code of the operator does not. A failure of that
 * code is a real HTTP error: then the failure policy decides, which a denial would not let it. Thread-safe.
 */
public final class Dispatcher implements AutoCloseable {

    /** The number of calls at the same time. An API server sends as many as it has requests in flight for the kinds. */
    static final int MAX_CALLS = 512;

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    /** The number of calls of one webhook that may run on after their time limit, before it gets no more calls. */
    static final int MAX_OVERDUE = 64;

    /** The response must arrive before the API server gives up. */
    private static final Duration MARGIN = Duration.ofMillis(200);

    private static final double[] SECONDS = {
        0.001, 0.002, 0.003, 0.004, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7,
        0.8, 0.9, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30
    };

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private final Map<String, Target> targets = new LinkedHashMap<>();
    private final ExecutorService threads;

    /** Large reviews take half of the processors at most, so that they do not slow down the others. */
    private final Semaphore turns =
            new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), true);

    private final LogLimiter warnings = new LogLimiter();
    private final Failures failures = new Failures();
    private final Counter admissionPanics;
    private final Counter conversionPanics;

    /**
     * A response.
     *
     * @param status the HTTP status
     * @param body JSON if the status is 200, otherwise a text for the user
     */
    public record Answer(int status, byte[] body) {

        static Answer text(int status, String text) {
            return new Answer(status, text.getBytes(UTF_8));
        }
    }

    /**
     * Create a dispatcher.
     *
     * @param virtual whether to use virtual threads if the JVM has them
     */
    public Dispatcher(Collection<Endpoint> endpoints, OperatorMetrics metrics, boolean virtual) {
        for (Endpoint endpoint : endpoints) {
            targets.put(endpoint.path(), new Target(endpoint, metrics));
        }
        admissionPanics =
                metrics.counter("controller_runtime_webhook_panics_total", "Failures of validators and defaulters");
        conversionPanics =
                metrics.counter("controller_runtime_conversion_webhook_panics_total", "Failures of converters");
        threads = Threads.pool(
                MAX_CALLS,
                Duration.ofMinutes(1),
                task -> Threads.create("webhook-call", WriteScope.everywhere().wrap(task), virtual));
    }

    /**
     * Answer a review.
     *
     * @param path the path of the request
     * @param timeout the time that the client waits; zero if it did not say
     */
    Answer dispatch(String path, Duration timeout, byte[] body) throws InterruptedException {
        Target target = targets.get(path);
        if (target == null) {
            return Answer.text(404, "there is no webhook at " + path + ", only at " + targets.keySet());
        }
        target.inFlight.incrementAndGet();
        long start = TimeSource.system().nanoTime();
        try {
            Answer answer = call(target, timeout, body);
            (answer.status() < 500 ? target.successes : target.failures).increment();
            return answer;
        } finally {
            target.seconds.record((TimeSource.system().nanoTime() - start) / 1e9);
            target.inFlight.decrementAndGet();
        }
    }

    private Answer call(Target target, Duration timeout, byte[] body) throws InterruptedException {
        Endpoint endpoint = target.endpoint;
        Duration wait = timeout.isZero() ? DEFAULT_TIMEOUT : timeout;
        Duration limit = wait.compareTo(MARGIN.multipliedBy(2)) > 0 ? wait.minus(MARGIN) : wait.dividedBy(2);
        if (target.overdue() >= MAX_OVERDUE - 1) { // this call is in progress too
            warn(
                    endpoint,
                    "overdue",
                    "Rejected a call of the webhook {}: " + MAX_OVERDUE
                            + " calls run on although they were interrupted;"
                            + " let the code of the webhook end when its thread is interrupted");
            return Answer.text(503, "the operator has not finished " + MAX_OVERDUE + " calls that were interrupted");
        }
        Future<byte[]> call;
        try {
            call = threads.submit(() -> answer(target, body));
        } catch (RejectedExecutionException e) {
            warn(endpoint, "rejected", "Rejected a call of the webhook {}: " + MAX_CALLS + " calls are in progress");
            return Answer.text(503, "the operator is answering " + MAX_CALLS + " calls already");
        }
        try {
            return new Answer(200, call.get(Math.max(1, limit.toMillis()), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            warn(
                    endpoint,
                    "interrupted",
                    "A call of the webhook {} was interrupted because it took " + limit.toMillis() + " ms");
            return Answer.text(504, "the operator did not finish within " + limit.toMillis() + " ms");
        } catch (ExecutionException e) {
            return failure(endpoint, e.getCause() == null ? e : e.getCause());
        } finally {
            call.cancel(true);
        }
    }

    private byte[] answer(Target target, byte[] body) throws Exception {
        target.running.incrementAndGet();
        try (CallWorkers work = CallWorkers.of(body.length, turns)) {
            return Endpoint.encode(target.endpoint.respond(Endpoint.parse(body), work));
        } finally {
            target.running.decrementAndGet();
        }
    }

    /** Return the number of calls that run on although they were interrupted, by the path of the webhook, without zeros. */
    public Map<String, Integer> overdue() {
        Map<String, Integer> overdue = new LinkedHashMap<>();
        targets.forEach((path, target) -> {
            if (target.overdue() > 0) {
                overdue.put(path, target.overdue());
            }
        });
        return overdue;
    }

    private Answer failure(Endpoint endpoint, Throwable cause) {
        if (cause instanceof BadReviewException) {
            return Answer.text(400, String.valueOf(cause.getMessage()));
        }
        (endpoint.isConversion() ? conversionPanics : admissionPanics).increment();
        String id = failures.log(endpoint.path(), "The webhook " + endpoint.path() + " failed", cause);
        return Answer.text(500, "internal error " + id + ", see the log of the operator");
    }

    /** Log a message, which can have a time limit of the client, once a minute for each cause and endpoint. */
    private void warn(Endpoint endpoint, String cause, String message) {
        warnings.log(
                cause + " " + endpoint.path(),
                occurrence -> LOG.warn(message + "{}", endpoint.path(), occurrence.suffix()));
    }

    /** Interrupt running calls and unregister the metrics. */
    @Override
    public void close() {
        threads.shutdownNow();
        targets.values().forEach(target -> target.registrations.forEach(Registration::close));
    }

    private static final class Target {
        private final Endpoint endpoint;
        private final Counter successes;
        private final Counter failures;
        private final Histogram seconds;
        private final AtomicInteger inFlight = new AtomicInteger();

        /** The calls whose threads have not ended. */
        private final AtomicInteger running = new AtomicInteger();

        private final List<Registration> registrations = new ArrayList<>();

        Target(Endpoint endpoint, OperatorMetrics metrics) {
            this.endpoint = endpoint;
            String path = endpoint.path();
            String total = "controller_runtime_webhook_requests_total";
            String help = "Calls of webhooks by HTTP status";
            successes = metrics.counter(total, help, "webhook", path, "code", "200");
            failures = metrics.counter(total, help, "webhook", path, "code", "500");
            seconds = metrics.histogram(
                    "controller_runtime_webhook_latency_seconds",
                    "Duration of calls of webhooks",
                    SECONDS,
                    "webhook",
                    path);
            registrations.add(metrics.gauge(
                    "controller_runtime_webhook_requests_in_flight",
                    "Calls of webhooks in progress",
                    inFlight::get,
                    "webhook",
                    path));
        }

        int overdue() {
            return Math.max(0, running.get() - inFlight.get());
        }
    }
}
