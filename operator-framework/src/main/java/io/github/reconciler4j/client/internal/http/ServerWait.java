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
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until an API server answers, and says in the log what it waits for. For one wait in one thread.
 *
 * @since 0.1.0
 */
public final class ServerWait {

    private static final Logger logger = LoggerFactory.getLogger(ServerWait.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final Duration LONGEST_TRY = Duration.ofSeconds(10);
    private static final Duration SHORTEST_TRY = Duration.ofSeconds(1);
    private static final int HOPELESS_AFTER = 3;

    private final ApiConnection connection;
    private final Duration timeout;
    private final Duration progressInterval;
    private final long start = System.nanoTime();
    private int tries;
    private int hopeless;
    private long loggedAt;
    private String logged = "";

    private ServerWait(ApiConnection connection, Duration timeout, Duration progressInterval) {
        this.connection = connection;
        this.timeout = timeout;
        this.progressInterval = progressInterval;
    }

    /** Waits; see {@link ApiConnection#awaitServer}. */
    public static void run(ApiConnection connection, Duration timeout, Duration progressInterval)
            throws InterruptedException {
        new ServerWait(connection, timeout, progressInterval).run();
    }

    private void run() throws InterruptedException {
        Duration pause = FIRST_PAUSE;
        while (true) {
            ApiException obstacle = tryOnce();
            if (obstacle == null) {
                if (tries > 1) {
                    logger.info("The API server at {} is ready after {} s", address(), waited().toSeconds());
                }
                return;
            }
            checkHope(obstacle);
            checkTime(obstacle);
            log(obstacle);
            TimeUnit.NANOSECONDS.sleep(Math.max(0, Math.min(pause.toNanos(), left().toNanos())));
            checkTime(obstacle);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
        }
    }

    /** Asks once; returns what is in the way, null if nothing is. */
    private @Nullable ApiException tryOnce() throws InterruptedException {
        tries++;
        Duration patience = left().compareTo(LONGEST_TRY) < 0 ? left().plus(SHORTEST_TRY) : LONGEST_TRY;
        ApiRequest request =
                ApiRequest.of("get", "GET", "/readyz").withAccept("*/*").withTimeout(patience);
        try {
            connection.send(request);
            return null;
        } catch (ForbiddenException | NotFoundException e) {
            // It answers, and knows who asks.
            return null;
        } catch (RequestInterruptedException e) {
            Thread.interrupted();
            throw new InterruptedException("Interrupted while waiting for the API server");
        } catch (ApiException e) {
            return e;
        }
    }

    private void checkHope(ApiException obstacle) {
        hopeless = isHopeless(obstacle) ? hopeless + 1 : 0;
        if (hopeless >= HOPELESS_AFTER) {
            throw new ServerNotReadyException(
                    "The API server at " + address() + " cannot be used (tried " + tries + " times): "
                            + obstacle.getMessage(),
                    obstacle);
        }
    }

    private void checkTime(ApiException obstacle) {
        if (left().isZero()) {
            throw new ServerNotReadyException(
                    "The API server at " + address() + " was not ready within " + timeout.toSeconds() + " s (tried "
                            + tries + " times): " + obstacle.getMessage(),
                    obstacle);
        }
    }

    /** Wrong credentials and certificates do not mend themselves; a few tries leave room for a server that is starting. */
    private static boolean isHopeless(ApiException obstacle) {
        return obstacle instanceof UnauthorizedException
                || obstacle instanceof ConnectionException e && e.problem() == Problem.TLS;
    }

    private void log(ApiException obstacle) {
        String reason = String.valueOf(obstacle.getMessage());
        long now = System.nanoTime();
        if (reason.equals(logged) && now - loggedAt < progressInterval.toNanos()) {
            return;
        }
        logged = reason;
        loggedAt = now;
        logger.warn(
                "Waiting for the API server at {} since {} s, giving up in {} s: {}",
                address(),
                waited().toSeconds(),
                left().toSeconds(),
                reason);
    }

    private Duration waited() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private Duration left() {
        Duration left = timeout.minus(waited());
        return left.isNegative() ? Duration.ZERO : left;
    }

    private String address() {
        return connection.server();
    }
}
