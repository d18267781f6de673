package io.github.reconciler4j.support.internal;

import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names user code that does not return, for all threads of the process that call it as a {@link UserCall}: in one line after
 * {@link #REPORTED_AFTER}, and in one line when it has returned. Looks once a second, from a thread of its own; so what it says
 * of the time is exact to a second. Time in which it could not look, because the process or the machine stood still, counts as at most
 * 10 seconds: no callback could return then.
 *
 * <p>Thread-safe.
 *
 * @since 0.1.0
 */
public final class CallWatch {

    /** After this time, log and health name a call: 1 minute. */
    public static final Duration REPORTED_AFTER = Duration.ofMinutes(1);

    /** After this time, the process counts as not alive, unless the call delays one source or one cluster only: 5 minutes. */
    public static final Duration FATAL_AFTER = Duration.ofMinutes(5);

    /** The longest time between two looks that counts. */
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(CallWatch.class);
    private static final long PAUSE_NANOS = 1_000_000_000;

    /** One line per kind and owner and minute: an index function can block the threads of a hundred namespaces. */
    private final LogLimiter lines;

    private final LogLimiter failures = new LogLimiter();
    private final TimeSource time;
    private final Thread thread;
    private final AtomicBoolean started = new AtomicBoolean();
    private final CountDownLatch stopped = new CountDownLatch(1);

    /** How long the thread has watched until its last look. */
    private volatile long watched;

    /** When it looked last, on the clock; used by the thread alone, as the next. */
    private long lookedAt;

    /** The calls of the last look. */
    private Map<UserCall, WatchedCall> known = new IdentityHashMap<>();

    /** The calls of the last look that do not return. */
    private volatile List<WatchedCall> overdue = List.of();

    /**
     * Create a watch. It does nothing until {@link #start}.
     *
     * @param name the beginning of the name of its thread
     * @param time measures how long calls take
     */
    public CallWatch(String name, TimeSource time) {
        this.time = time;
        this.lookedAt = time.nanoTime();
        this.lines = new LogLimiter(Duration.ofMinutes(1), time);
        this.thread = Threads.daemon(name + "-callbacks", () -> Threads.repeat(this::lookAgain, this::failed));
    }

    /** A call and since when it is known. */
    private static final class WatchedCall {
        private final UserCall outermost;
        private final long since;
        private volatile UserCall innermost;
        private boolean reported;

        WatchedCall(UserCall innermost, long since) {
            this.outermost = innermost.outermost();
            this.innermost = innermost;
            this.since = since;
        }
    }

    /** Start to look; does nothing the second time. */
    public void start() {
        if (started.compareAndSet(false, true)) {
            thread.start();
        }
    }

    /** Stop. The thread ends soon; this does not wait for it. */
    public void stop() {
        stopped.countDown();
    }

    /** Return whether the thread does its work, or has not started. */
    public boolean isAlive() {
        return stopped.getCount() == 0 || Threads.isAlive(thread);
    }

    /** Return the calls that have not returned for {@link #REPORTED_AFTER}, one line each. */
    public List<String> overdue() {
        long now = watched;
        return running().map(seen -> describe(seen, now)).toList();
    }

    /** Return whether one of the calls has not returned for {@link #FATAL_AFTER} and keeps the process from its work. */
    public boolean isFatal() {
        long now = watched;
        return running()
                .anyMatch(seen -> seen.innermost.kind().isVital()
                        && seen.outermost.kind().isVital()
                        && now - seen.since >= FATAL_AFTER.toNanos());
    }

    private Stream<WatchedCall> running() {
        return overdue.stream().filter(seen -> seen.outermost.isRunning());
    }

    private static String describe(WatchedCall seen, long now) {
        return seen.innermost.describe() + ", for "
                + Duration.ofNanos(now - seen.since).toSeconds() + " s";
    }

    private boolean lookAgain() throws InterruptedException {
        if (time.await(stopped, PAUSE_NANOS)) {
            return false;
        }
        look();
        return true;
    }

    private void failed(Throwable failure) {
        failures.log(
                LogLimiter.cause(failure),
                occurrence -> LOG.error(
                        "The watch over callbacks failed, and continues{}",
                        occurrence.suffix(failure),
                        occurrence.trace(failure)));
    }

    /** Look once at all threads. Tests call it instead of the thread. */
    void look() {
        long now = watch();
        Map<UserCall, WatchedCall> next = new IdentityHashMap<>();
        List<WatchedCall> late = new ArrayList<>();
        for (UserCall call : UserCall.current()) {
            if (call.kind() == UserCall.Kind.RECONCILER) {
                continue; // its controller watches it
            }
            UserCall outermost = call.outermost();
            WatchedCall before = known.get(outermost);
            WatchedCall seen = before == null ? new WatchedCall(call, now) : before;
            seen.innermost = call;
            next.put(outermost, seen);
            if (now - seen.since >= REPORTED_AFTER.toNanos()) {
                late.add(seen);
                report(seen, now);
            }
        }
        Map<UserCall, WatchedCall> last = known;
        known = next;
        overdue = List.copyOf(late);
        for (WatchedCall seen : last.values()) {
            if (seen.reported && !next.containsKey(seen.outermost)) {
                lines.log(
                        "returned " + seen.innermost.kind() + seen.innermost.owner(),
                        occurrence ->
                                LOG.info("The {}, has returned or failed{}", describe(seen, now), occurrence.suffix()));
            }
        }
    }

    private long watch() {
        long clock = time.nanoTime();
        long now = watched + Math.min(clock - lookedAt, LONGEST_PAUSE.toNanos());
        lookedAt = clock;
        watched = now;
        return now;
    }

    private void report(WatchedCall seen, long now) {
        if (!seen.reported && seen.innermost.report()) {
            seen.reported = true;
            UserCall call = seen.innermost;
            lines.log(
                    call.kind() + call.owner(),
                    occurrence -> LOG.warn(
                            "A callback does not return: {}. What comes after it waits (R4J-104). Its thread {} is at {}{}",
                            describe(seen, now),
                            Texts.inOneLine(call.thread().getName()),
                            top(call.thread().getStackTrace()),
                            occurrence.suffix()));
        }
    }

    /** Return the top of a stack and, if that is in the JDK, the first frame below that is not. */
    private static String top(StackTraceElement[] stack) {
        if (stack.length == 0) {
            return "an unknown place";
        }
        StackTraceElement below = stack[0];
        for (StackTraceElement frame : stack) {
            below = frame;
            if (!isOfJdk(frame.getClassName())) {
                break;
            }
        }
        return below == stack[0] ? stack[0].toString() : stack[0] + ", called by " + below;
    }

    private static boolean isOfJdk(@Nullable String type) {
        return type == null || type.startsWith("java.") || type.startsWith("jdk.") || type.startsWith("sun.");
    }
}
