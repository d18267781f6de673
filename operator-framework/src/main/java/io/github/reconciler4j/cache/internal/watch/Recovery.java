package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides how a reflector continues after its requests ended or failed: when to list again, how long to back off, and
 * what to report. Confined to the thread of its reflector.
 *
 * <p>A watch that was opened is only worth something if it delivers whole events. A proxy can end every watch at once, cut
 * every event in the middle or answer with a sign-in page, all with status 200. Three counts bound how long the cache can
 * be stale without noticing:
 *
 * <ul>
 *   <li>broken watches: opened, failed or ended within a second, delivered nothing. After {@code MAX_BROKEN_WATCHES} the
 *       kind is listed, and again after as many more; backoff is not reset, so that lists stay rare.
 *   <li>silent watches: ended later, delivered nothing. A quiet kind looks the same, so they only count together with the
 *       time since anything was delivered. They also reveal a server that was restored from a backup: it stays silent
 *       until it has counted up to the version asked for.
 *   <li>refused requests: after {@code MAX_REFUSALS} the version that is asked for may be the reason.
 * </ul>
 *
 * <p>{@link ShortRounds} counts what got something and ended soon. It bounds the delay from below, and while there are many, a list
 * or an event that is followed by the next short round clears neither the failure nor the backoff.
 *
 * <p>During an outage of the API server the delay grows to the maximum. So a reflector that waits after a request without a response
 * looks at the answers to other requests to the same API server. If there are new ones, the failures of the outage no longer count, and it
 * waits no longer than after a first failure. Answers in the second after the failure do not count, because a server that ends still
 * sends some. Where the others are answered and these requests never are, that happens every 10 seconds at most.
 *
 * <p>What needs a person (a missing permission, credentials that are not accepted, a kind that is not served) is retried slowly
 * and logged at once, unless the reflector has watched before. Then it backs off as after any failure, and logs only what
 * lasts: an API server that starts refuses what it allows a few seconds later, when it has read its roles. The same holds for an
 * API server that is too busy.
 */
final class Recovery {

    /** The longest {@code Retry-After} that is obeyed; a longer one is a mistake of the server or a proxy. */
    static final Duration MAX_RETRY_AFTER = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final Duration MAX_MISSING_DELAY = Duration.ofSeconds(10);
    /** How long an API server that starts may refuse what it allows. */
    private static final Duration SERVER_START = Duration.ofSeconds(10);

    private static final Duration LIFETIME_GRACE = Duration.ofSeconds(30);

    /** For how long a server that ends may still answer. */
    private static final Duration SERVER_END = Duration.ofSeconds(1);

    private static final Duration CHECK_ANSWERS = Duration.ofMillis(250);
    private static final Duration BETWEEN_FORGIVENESS = Duration.ofSeconds(10);
    private static final Duration SHORTEST_WATCH = Duration.ofSeconds(1);
    private static final int MAX_BROKEN_WATCHES = 4;
    private static final int MAX_SILENT_WATCHES = 2;
    private static final int MAX_REFUSALS = 4;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;

    private final Scope scope;
    private final SyncState state;
    private final TimeSource time;
    private final LogLimiter log;
    private final Backoff backoff;
    private final ShortRounds rounds;
    private final WatchOptions options;
    private final long silence;

    private @Nullable SyncFailure failure;
    private long failedSince;
    /** Whether the present failure was logged. */
    private boolean logged;
    /** Whether a watch was ever opened: a list does not need the same permission. */
    private boolean worked;

    /** Whether a watch was ended because nothing arrived. */
    private boolean overdue;

    private boolean open;
    private boolean delivered;
    private long openedAt;

    /** Whether the present round got a list or a watch, and when it did last. */
    private boolean progressed;

    private long progressedAt;
    private long lastDelivery;
    /** Since anything was delivered; decides the delay. */
    private int failures;

    private int broken;
    private int brokenSinceList;
    private int silent;
    private int refusals;

    /** How often it failed since the last success, for the log; {@code failures} also starts again after an outage. */
    private int failedAttempts;

    /** Returns how many requests to the API server were answered. */
    private final LongSupplier answers;
    /** Whether a request had no response since the last success, and the API server has not been seen to answer others since. */
    private boolean outage;

    private long failedAt;
    private long answered;
    /** Whether the failures of an outage were forgotten since the last success, and when. */
    private boolean forgiven;

    private long forgivenAt;

    Recovery(
            Scope scope, SyncState state, WatchOptions options, TimeSource time, LogLimiter log, LongSupplier answers) {
        this.scope = scope;
        this.state = state;
        this.time = time;
        this.log = log;
        this.backoff = Backoff.of(options.backoffMin(), options.backoffMax()).withFullJitter();
        this.rounds = new ShortRounds(options, backoff);
        this.options = options;
        this.answers = answers;
        this.silence = MAX_SILENT_WATCHES * Math.min(Nanos.of(options.idleTimeout()), Nanos.of(options.lifetimeMin()));
        this.lastDelivery = time.nanoTime();
    }

    /** Return how long the next watch shall last. */
    long lifetimeSeconds() {
        long min = Nanos.bounded(options.lifetimeMin()).toSeconds();
        long max = Nanos.bounded(options.lifetimeMax()).toSeconds();
        return Math.max(1, ThreadLocalRandom.current().nextLong(min, max + 1));
    }

    /**
     * Return how long a watch may deliver nothing. API servers send a bookmark every minute, but if a watch was silent for so long
     * that one was due, the API server may send none.
     *
     * @param bookmarks whether the API server has sent one
     */
    Duration idleTimeout(boolean bookmarks) {
        return bookmarks || !overdue ? options.idleTimeout() : Nanos.sum(options.lifetimeMax(), LIFETIME_GRACE);
    }

    /** Record that a watch was opened. It need not deliver anything soon, so a failure to open one is over. */
    void opened() {
        worked = true;
        outage = false;
        open = true;
        delivered = false;
        openedAt = time.nanoTime();
        progressed();
        if (failure != null && !isDistrusted()) {
            state.failure(scope, null);
        }
    }

    /** Record that the round got something. A failure that short rounds are to blame for is over if it lasts from now on. */
    private void progressed() {
        progressed = true;
        progressedAt = time.nanoTime();
        if (rounds.areMany() && !isBroken()) {
            state.endsAt(scope, progressedAt + rounds.shorterThan());
        }
    }

    /** Record that a watch delivered a whole event. */
    void delivered() {
        delivered = true;
        broken = 0;
        brokenSinceList = 0;
        silent = 0;
        lastDelivery = time.nanoTime();
        if (progressed && lastDelivery - progressedAt >= rounds.shorterThan()) {
            rounds.settle();
        }
        if (!rounds.areMany()) {
            recovered();
        }
    }

    /** Record that a whole list was read. It does not prove that watches work. */
    void listed() {
        brokenSinceList = 0;
        silent = 0;
        refusals = 0;
        lastDelivery = time.nanoTime();
        progressed();
        if (!isDistrusted()) {
            broken = 0;
            recovered();
        }
    }

    /** Record that a list of gained parts was read. It does not prove that the position can be trusted, which stays. */
    void gained() {
        progressed();
        if (!isDistrusted()) {
            succeeded();
        }
    }

    private void recovered() {
        refusals = 0;
        succeeded();
    }

    private void succeeded() {
        int attempts = failedAttempts;
        failures = 0;
        failedAttempts = 0;
        outage = false;
        forgiven = false;
        if (failure != null) {
            failure = null;
            state.failure(scope, null);
            log.log(
                    "resumed",
                    now -> LOG.info("Resumed watching {} (failed attempts: {}){}", scope, attempts, now.suffix()));
        }
    }

    /** Whether the position cannot be trusted to lead to the present state any more. */
    boolean mustList() {
        boolean quiet = silent >= MAX_SILENT_WATCHES && time.nanoTime() - lastDelivery >= silence;
        return quiet || brokenSinceList >= MAX_BROKEN_WATCHES || refusals >= MAX_REFUSALS;
    }

    /**
     * Record that a watch ended the way watches do, and return how long to wait.
     *
     * @param idle whether it was ended from here because nothing arrived
     */
    Duration ended(boolean idle) {
        open = false;
        overdue |= idle;
        if (delivered || idle || time.nanoTime() - openedAt >= Nanos.of(SHORTEST_WATCH)) {
            silent += delivered ? 0 : 1;
            return endedAfterAll(idle);
        }
        failures++;
        failedAttempts++;
        countBroken();
        if (isBroken()) {
            report(SyncFailure.undelivered(scope, broken), null);
        }
        return backoff.delay(failures);
    }

    /** Record the end of a watch that is not broken. */
    private Duration endedAfterAll(boolean idle) {
        Duration rest = Duration.ZERO;
        if (idle) {
            rounds.settle();
        } else {
            rest = restOfRound(false);
        }
        if (rounds.areMany()) {
            failedAttempts++;
            report(SyncFailure.shortRounds(scope, rounds, ""), null);
        } else if (!isBroken()) {
            recovered();
        }
        return rest;
    }

    /** Return how long to wait because rounds that got something end soon. */
    private Duration restOfRound(boolean gone) {
        if (!progressed) {
            return Duration.ZERO;
        }
        progressed = false;
        long now = time.nanoTime();
        return rounds.ended(now, now - progressedAt, gone);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    /** Whether lists and opened watches are no sign that the failure is over. */
    private boolean isDistrusted() {
        return isBroken() || rounds.areMany();
    }

    private boolean isBroken() {
        return broken >= MAX_BROKEN_WATCHES;
    }

    private void countBroken() {
        broken++;
        brokenSinceList++;
    }

    /** Record a failure, and return how long to wait. */
    Duration failed(SyncFailure now, Throwable exception) {
        boolean gone = now.type() == SyncFailure.Type.GONE;
        boolean isBrokenWatch = open && !delivered && !gone;
        Duration rest = isBrokenWatch ? Duration.ZERO : restOfRound(gone);
        if (isBrokenWatch) {
            countBroken();
        } else if (!open && mayBeVersion(now)) {
            refusals++;
        }
        outage = (outage || !open && exception instanceof ConnectionException)
                && now.retryAfter().isEmpty();
        failedAt = time.nanoTime();
        answered = answers.getAsLong();
        open = false;
        failures++;
        failedAttempts++;
        if (rounds.areMany() && !now.type().requiresAction()) {
            report(SyncFailure.shortRounds(scope, rounds, gone ? "" : now.message()), null);
        } else if (gone) {
            LOG.debug("{}; listing again", now.message());
        } else {
            report(now, exception);
        }
        Duration delay = longer(delay(now), rest);
        Duration asked =
                now.retryAfter().filter(wait -> wait.compareTo(delay) > 0).orElse(delay);
        return asked.compareTo(MAX_RETRY_AFTER) < 0 ? asked : MAX_RETRY_AFTER;
    }

    /** Record that a round starts. What was open was closed from here, to be replaced. */
    void started() {
        open = false;
        progressed = false;
    }

    /** Return how long to wait of what is left of a delay: less if the API server answers others after an outage. */
    long shortened(long leftNanos) {
        long now = time.nanoTime();
        if (!outage || forgiven && now - forgivenAt < BETWEEN_FORGIVENESS.toNanos()) {
            return leftNanos;
        }
        long answeredNow = answers.getAsLong();
        if (now - failedAt < SERVER_END.toNanos()) {
            answered = answeredNow;
        }
        if (answeredNow == answered) {
            return leftNanos;
        }
        failures = forgiven ? failures : 0;
        outage = false;
        forgiven = true;
        forgivenAt = now;
        return Math.min(leftNanos, Nanos.of(backoff.delay(1)));
    }

    /** Return how long to wait before the answers are to be looked at again. */
    long nanosToCheck() {
        return outage ? CHECK_ANSWERS.toNanos() : Nanos.MAX;
    }

    /** Whether a request may have been refused because of the version it names. */
    private static boolean mayBeVersion(SyncFailure now) {
        return now.type() == SyncFailure.Type.OTHER
                && now.code() != 0
                && now.code() != TOO_MANY_REQUESTS
                && now.code() != UNAVAILABLE;
    }

    private Duration delay(SyncFailure now) {
        if (now.type() == SyncFailure.Type.GONE && failures == 1) {
            return Duration.ZERO;
        }
        boolean missing = now.type() == SyncFailure.Type.MISSING;
        Duration longest = options.backoffMax();
        Duration bound =
                Nanos.bounded(missing && MAX_MISSING_DELAY.compareTo(longest) < 0 ? MAX_MISSING_DELAY : longest);
        if (worked || !now.type().requiresAction()) {
            Duration delay = backoff.delay(failures);
            return delay.compareTo(bound) < 0 ? delay : bound;
        }
        return bound.dividedBy(2)
                .plus(Duration.ofMillis(ThreadLocalRandom.current().nextLong(bound.toMillis() / 2 + 1)));
    }

    /** Record a failure that could not even be described, and return how long to wait. */
    Duration failedUndescribed(Throwable exception) {
        open = false;
        failures++;
        failure = SyncFailure.undescribed(scope, exception);
        state.failure(scope, failure);
        return backoff.delay(failures);
    }

    private void report(SyncFailure now, @Nullable Throwable exception) {
        SyncFailure before = failure;
        failure = now;
        state.failure(scope, now);
        if (before == null || before.type() != now.type()) {
            failedSince = time.nanoTime();
            logged = false;
        }
        if (logged || mayBeStarting(now)) {
            LOG.debug("{}", now.message());
            return;
        }
        logged = true;
        log.log(cause(now, exception), occurrence -> {
            if (exception == null || exception instanceof ApiException || !isUnexpected(exception)) {
                LOG.warn("{}; retrying{}", now.message(), occurrence.suffix());
            } else {
                LOG.error("{}; retrying{}", now.message(), occurrence.suffix(), occurrence.trace(exception));
            }
        });
    }

    /** Whether the failure is expected to end soon: an API server is busy for a moment after a definition has changed, too. */
    private boolean mayBeStarting(SyncFailure now) {
        return (worked && now.type().requiresAction() || now.code() == TOO_MANY_REQUESTS)
                && time.nanoTime() - failedSince < Nanos.of(SERVER_START);
    }

    private static boolean isUnexpected(Throwable exception) {
        return exception instanceof RuntimeException || exception instanceof Error;
    }

    /** What a person has to do differs by kind and namespace; everything else usually concerns all kinds at once. */
    private Object cause(SyncFailure now, @Nullable Throwable exception) {
        if (now.type().requiresAction() || exception == null) {
            return now.type() + " " + scope;
        }
        if (exception instanceof ConnectionException connection) {
            return connection.problem();
        }
        return now.code() != 0 ? "status " + now.code() : LogLimiter.cause(exception);
    }
}
