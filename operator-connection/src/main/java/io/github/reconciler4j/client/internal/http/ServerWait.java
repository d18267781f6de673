package io.github.reconciler4j.client.internal.http;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.error.ServerNotReadyException;
import io.github.reconciler4j.client.error.UnauthorizedException;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.RetryPace;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until an API server is ready and logs why it is not, or asks once. Can be used again, at the same pace. Used by one thread at a
 * time.
 *
 * @since 0.1.0
 */
public final class ServerWait {

    private static final Logger logger = LoggerFactory.getLogger(ServerWait.class);
    private static final Duration INITIAL_DELAY = Duration.ofMillis(500);
    private static final Duration MAX_DELAY = Duration.ofSeconds(2);
    private static final Duration MAX_ATTEMPT = Duration.ofSeconds(10);
    private static final Duration MIN_ATTEMPT = Duration.ofSeconds(1);
    private static final int MAX_PERMANENT_FAILURES = 3;

    private final ApiConnection connection;
    private final Duration progressInterval;
    private final TimeSource time;
    private final RetryPace pace;
    private Duration timeout = Duration.ZERO;
    private long start;
    private int attempts;
    private int permanentFailures;
    private long loggedAt;
    private String logged = "";

    /**
     * Create a wait.
     *
     * @param progressInterval how often to log a reason that does not change
     * @param pace bounds the requests of all waits
     */
    public ServerWait(ApiConnection connection, Duration progressInterval, TimeSource time, RetryPace pace) {
        this.connection = connection;
        this.progressInterval = progressInterval;
        this.time = time;
        this.pace = pace;
    }

    /** Wait once until the server is ready, in the time of the system; see {@link ApiConnection#awaitServer}. */
    public static void run(ApiConnection connection, Duration timeout, Duration progressInterval)
            throws InterruptedException {
        TimeSource system = TimeSource.system();
        new ServerWait(connection, progressInterval, system, new RetryPace(system, 1)).await(timeout);
    }

    /** Wait until the server is ready; see {@link ApiConnection#awaitServer}. */
    public void await(Duration longest) throws InterruptedException {
        timeout = Nanos.bounded(longest);
        start = time.nanoTime();
        attempts = 0;
        permanentFailures = 0;
        Duration delay = INITIAL_DELAY;
        while (true) {
            ApiException failure = attempt();
            if (failure == null) {
                if (attempts > 1) {
                    logger.info("The API server at {} is ready after {} s", address(), waited().toSeconds());
                }
                return;
            }
            checkPermanentFailures(failure);
            checkTime(failure);
            log(failure);
            pace.sleep(delay.compareTo(left()) < 0 ? delay : left());
            checkTime(failure);
            delay = delay.multipliedBy(2).compareTo(MAX_DELAY) > 0 ? MAX_DELAY : delay.multipliedBy(2);
        }
    }

    /**
     * Ask once whether the server is ready, for at most 10 seconds.
     *
     * @throws ServerNotReadyException if it is not
     */
    public void ask(Duration longest) throws InterruptedException {
        timeout = longest.compareTo(MAX_ATTEMPT) < 0 ? longest : MAX_ATTEMPT;
        start = time.nanoTime();
        attempts = 0;
        ApiException failure = attempt();
        if (failure != null) {
            throw new ServerNotReadyException(
                    "The API server at " + address() + " is not ready: " + failure.getMessage(), failure);
        }
    }

    /** Send one request; return the failure, null if the server is ready. */
    private @Nullable ApiException attempt() throws InterruptedException {
        pace.await();
        attempts++;
        Duration limit = left().compareTo(MAX_ATTEMPT) < 0 ? left().plus(MIN_ATTEMPT) : MAX_ATTEMPT;
        ApiRequest request =
                ApiRequest.of("get", "GET", "/readyz").withAccept("*/*").withTimeout(limit);
        try {
            connection.send(request);
            return null;
        } catch (ForbiddenException | NotFoundException e) {
            // The server answers and has authenticated the request.
            return null;
        } catch (RequestInterruptedException e) {
            Thread.interrupted();
            throw new InterruptedException("Interrupted while waiting for the API server");
        } catch (ApiException e) {
            return e;
        }
    }

    private void checkPermanentFailures(ApiException failure) {
        permanentFailures = isPermanent(failure) ? permanentFailures + 1 : 0;
        if (permanentFailures >= MAX_PERMANENT_FAILURES) {
            throw new ServerNotReadyException(
                    "The API server at " + address() + " cannot be used (tried " + times() + "): "
                            + failure.getMessage(),
                    failure);
        }
    }

    private void checkTime(ApiException failure) {
        if (left().isZero()) {
            throw new ServerNotReadyException(
                    "The API server at " + address() + " was not ready within " + timeout.toSeconds() + " s (tried "
                            + times() + "): " + failure.getMessage(),
                    failure);
        }
    }

    private String times() {
        return attempts == 1 ? "once" : attempts + " times";
    }

    /** Waiting does not fix wrong credentials and certificates; a server that is starting may report them too. */
    private static boolean isPermanent(ApiException failure) {
        return failure instanceof UnauthorizedException
                || failure instanceof ConnectionException e
                        && (e.problem() == Problem.TLS || e.problem() == Problem.CREDENTIALS);
    }

    private void log(ApiException failure) {
        String reason = String.valueOf(failure.getMessage());
        long now = time.nanoTime();
        if (reason.equals(logged) && now - loggedAt < Nanos.of(progressInterval)) {
            return;
        }
        logged = reason;
        loggedAt = now;
        logger.warn(
                "Waiting for the API server at {}, {} s so far, giving up in {} s: {}",
                address(),
                waited().toSeconds(),
                left().toSeconds(),
                reason);
    }

    private Duration waited() {
        return Duration.ofNanos(time.nanoTime() - start);
    }

    private Duration left() {
        Duration left = timeout.minus(waited());
        return left.isNegative() ? Duration.ZERO : left;
    }

    private String address() {
        return connection.server();
    }
}
