package io.github.reconciler4j.support;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Limits how often a cause is logged: the first time at once, then at most once per interval, with the number of times it
 * was left out in between. Remembers 256 causes and forgets those that were logged an interval ago. If there are more within
 * an interval, the others count as one cause. So the number of lines is bounded, whatever the causes are.
 *
 * <pre>{@code
 * limiter.log(
 *         LogLimiter.cause(e),
 *         occurrence -> LOG.warn(
 *                 "Mapper of source '{}' failed for {}{}", source, key, occurrence.suffix(e), occurrence.trace(e)));
 * }</pre>
 *
 * <p>Thread-safe. The callback runs on the calling thread and under no lock.
 *
 * @since 0.1.0
 */
public final class LogLimiter {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int MAX_CAUSES = 256;

    /** The causes for which there is no place. */
    private static final Object OTHERS = new Object();

    private final ReentrantLock lock = new ReentrantLock();
    private final long interval;
    private final int burst;
    private final TimeSource time;

    @GuardedBy("lock")
    private final Map<Object, Cause> causes = new HashMap<>();

    /** Create a limiter that logs each cause at most once a minute. */
    public LogLimiter() {
        this(MINUTE, TimeSource.system());
    }

    /** Create a limiter that logs each cause at most once per interval. */
    public LogLimiter(Duration interval, TimeSource time) {
        this(interval, 1, time);
    }

    /** Create a limiter that logs each cause at most so many times per interval. */
    public LogLimiter(Duration interval, int burst, TimeSource time) {
        this.interval = Nanos.of(interval);
        this.burst = burst;
        this.time = time;
    }

    /**
     * Call the statement unless this cause was logged less than an interval ago. Never throws: it is called where something else
     * has failed, which has to be handled even if logging does not work.
     *
     * @param cause identifies what is logged, by {@code equals}
     * @param statement writes the log line
     */
    public void log(Object cause, Consumer<Occurrence> statement) {
        try {
            Occurrence now = occurrence(cause);
            if (now != null) {
                statement.accept(now);
            }
        } catch (Throwable e) {
            // An appender or a layout is broken. The log, which would have to report it, is what is broken.
        }
    }

    private @Nullable Occurrence occurrence(Object cause) {
        lock.lock();
        try {
            long now = time.nanoTime();
            Object place = place(cause, now);
            Cause known = causes.get(place);
            if (known == null) {
                causes.put(place, new Cause(now));
                return new Occurrence(true, 0);
            }
            if (now - known.loggedAt < interval) {
                if (known.lines < burst) {
                    known.lines++;
                    return new Occurrence(false, 0);
                }
                known.suppressed++;
                return null;
            }
            Occurrence occurrence = new Occurrence(false, known.suppressed);
            known.loggedAt = now;
            known.lines = 1;
            known.suppressed = 0;
            return occurrence;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Object place(Object cause, long now) {
        if (causes.size() >= MAX_CAUSES && !causes.containsKey(cause)) {
            causes.entrySet().removeIf(each -> each.getKey() != OTHERS && now - each.getValue().loggedAt >= interval);
            return causes.size() < MAX_CAUSES ? cause : OTHERS;
        }
        return cause;
    }

    /** Forget a cause, so that its next occurrence is logged as the first. */
    public void forget(Object cause) {
        lock.lock();
        try {
            causes.remove(cause);
        } finally {
            lock.unlock();
        }
    }

    /** Return what identifies an exception as a cause: its class and the place where it was thrown. Never throws. */
    public static String cause(Throwable exception) {
        String type = exception.getClass().getName();
        try {
            StackTraceElement[] stack = exception.getStackTrace();
            return stack.length == 0 ? type : type + "@" + stack[0];
        } catch (Throwable e) { // an exception of user code that cannot be described
            return type;
        }
    }

    /**
     * One time that a cause is logged. Immutable.
     *
     * @param first whether it is logged for the first time; the time for a stack trace
     * @param suppressed how many times it occurred unlogged since it was logged last
     * @since 0.1.0
     */
    public record Occurrence(boolean first, long suppressed) {

        /** Return the end of the log message: {@code " (66 more since the last message)"}, or {@code ""} for none. */
        public String suffix() {
            return suppressed == 0 ? "" : " (" + suppressed + " more since the last message)";
        }

        /** Return the end of a message about a failure: {@code ""} the first time, then the failure and {@link #suffix()}. */
        public String suffix(Throwable failure) {
            return first ? "" : ": " + Texts.of(failure) + suffix();
        }

        /** Return the failure {@linkplain Causes#loggable to log} the first time, with its stack trace, and null after that. */
        public @Nullable Throwable trace(Throwable failure) {
            return first ? Causes.loggable(failure) : null;
        }
    }

    private static final class Cause {
        /** When the first line of the present interval was logged, and how many were since. */
        private long loggedAt;

        private int lines = 1;
        private long suppressed;

        Cause(long loggedAt) {
            this.loggedAt = loggedAt;
        }
    }
}
