package io.github.reconciler4j.leaderelection.internal;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What goes wrong with the requests for one lease. Logs it, each kind once a minute and a few lines a minute in all, and describes it for
 * health from the third time on. It is over when nothing has gone wrong for a while, not after one success: a server can alternate.
 *
 * <p>Confined to the thread of the election, except for {@link #text}.
 */
final class LeaseFailures {

    private static final Logger LOG = LoggerFactory.getLogger(Election.class);
    private static final int MANY = 3;
    private static final int NOT_FOUND = 404;

    /** The requests of a step, and the pauses between two. */
    private static final int REQUESTS = 3;

    private final ObjectKey key;
    private final TimeSource time;
    private final long quiet;
    private final LogLimiter kinds;
    private final LogLimiter lines;
    private volatile Seen seen = new Seen(0, 0, "");

    /** What happened last, and how often since it was quiet. */
    private record Seen(int times, long nanos, String text) {}

    LeaseFailures(ObjectKey key, LeaseTiming timing, TimeSource time) {
        this.key = key;
        this.time = time;
        this.quiet = timing.leaseDuration()
                .plus(timing.requestTimeout().plus(timing.retryPeriod()).multipliedBy(REQUESTS))
                .toNanos();
        this.kinds = new LogLimiter(Duration.ofMinutes(1), time);
        this.lines = new LogLimiter(Duration.ofMinutes(1), LeaderElector.MAX_LINES, time);
    }

    /** A request failed; returns its message. */
    String failed(String verb, Throwable e) {
        String message = messageOf(e);
        int times = happened(message);
        log(
                verb + " " + kindOf(e),
                now -> LOG.warn(
                        "Could not {} lease {}{} (R4J-201): {}{}", verb, key, again(times), message, now.suffix()));
        return message;
    }

    /** The lease was deleted; returns a text that says so. */
    String deleted() {
        String text = "it was deleted by another client";
        int times = happened(text);
        log(
                "deleted",
                now -> LOG.warn(
                        "Lease {} was deleted by another client{}; creating it again (R4J-203){}",
                        key,
                        again(times),
                        now.suffix()));
        return text;
    }

    /** A renewal was refused: another client has written the lease, which is normal unless it happens often, or has deleted it. */
    String refused(ApiException e) {
        String text = messageOf(e);
        if (e.code() == NOT_FOUND) {
            return text;
        }
        int times = happened(text);
        if (times >= MANY) {
            log(
                    "refused",
                    now -> LOG.warn(
                            "The API server refuses renewals of lease {}{}; is there another client that writes it? (R4J-202): {}{}",
                            key,
                            again(times),
                            text,
                            now.suffix()));
        }
        return text;
    }

    /** The lease was lost; {@link LeaderElector} logs it. */
    void lost(String reason) {
        happened("it was lost: " + reason);
    }

    private void log(String kind, Consumer<LogLimiter.Occurrence> statement) {
        kinds.log(kind, now -> lines.log("all", any -> statement.accept(now)));
    }

    private static String again(int times) {
        return times < MANY ? "" : ", for the " + times + ". time in short succession";
    }

    private int happened(String text) {
        Seen before = seen;
        long now = time.nanoTime();
        int times = before.times == 0 || now - before.nanos > quiet ? 1 : before.times + 1;
        seen = new Seen(times, now, text);
        return times;
    }

    /** Returns what has gone wrong three times or more, {@code ""} if nothing has or it was a while ago. Any thread may ask. */
    String text() {
        Seen now = seen;
        return now.times < MANY || time.nanoTime() - now.nanos > quiet
                ? ""
                : now.times + " failures in short succession, the last: " + now.text;
    }

    /** What a failure is counted as in the log, whatever its text says. */
    private static Object kindOf(Throwable e) {
        if (e instanceof ConnectionException connection) {
            return connection.problem();
        }
        return e instanceof ApiException api && api.code() != 0 ? api.code() : LogLimiter.cause(e);
    }

    static String messageOf(Throwable e) {
        return e instanceof ApiException ? Texts.inOneLine(String.valueOf(e.getMessage())) : Texts.of(e);
    }
}
