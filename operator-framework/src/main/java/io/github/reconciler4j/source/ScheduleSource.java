package io.github.reconciler4j.source;

import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Trigger.Change;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues all objects of a kind at the times of a schedule, such as each night at three. Reads only the cache, and only headers.
 * The requests have low priority, and the predicates of the controller do not apply to them. Several times that pass while the
 * process is suspended, or before the informer has synced, are made up for once. The initial list of a start makes up for those
 * before it. The wall clock of the process decides; if it is set back by more than a minute, the next time is determined again.
 * Immutable and thread-safe.
 *
 * <!-- snippet: SourceUse -->
 * <pre>{@code
 * .source(ScheduleSource.at(
 *         now -> now.truncatedTo(ChronoUnit.DAYS).plusDays(1), ZoneId.of("Europe/Berlin"), greetings))
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ScheduleSource implements RequestSource<Request> {

    /** The wall clock can jump, and a suspended process does not count time, so the time is compared at least this often. */
    private static final Duration CHECK = Duration.ofSeconds(30);

    private static final Duration SYNC_CHECK = Duration.ofSeconds(1);
    private static final Duration SET_BACK = Duration.ofMinutes(1);

    private final Informer<?> informer;
    private final Function<? super ZonedDateTime, ? extends @Nullable ZonedDateTime> next;
    private final ZoneId zone;
    private final Predicate<ObjectHeader> filter;
    private final TimeSource time;

    private ScheduleSource(
            Informer<?> informer,
            Function<? super ZonedDateTime, ? extends @Nullable ZonedDateTime> next,
            ZoneId zone,
            Predicate<ObjectHeader> filter,
            TimeSource time) {
        this.informer = Objects.requireNonNull(informer, "'informer' must not be null");
        this.next = Objects.requireNonNull(next, "'next' must not be null");
        this.zone = Objects.requireNonNull(zone, "'zone' must not be null");
        this.filter = Objects.requireNonNull(filter, "'filter' must not be null");
        this.time = Objects.requireNonNull(time, "'time' must not be null");
    }

    /**
     * Create a source that enqueues all objects of an informer at the times of a schedule.
     *
     * @param next returns the first time of the schedule after a time, null if it has ended; called on the thread of the source.
     *     If it throws, it is called again after 1 s, and then after delays that double to 5 min
     * @param zone the time zone of the times that the function receives
     */
    public static ScheduleSource at(
            Function<? super ZonedDateTime, ? extends @Nullable ZonedDateTime> next,
            ZoneId zone,
            Informer<?> informer) {
        return new ScheduleSource(informer, next, zone, header -> true, TimeSource.system());
    }

    /** Return a source with the same kind and schedule that enqueues only objects whose header meets a condition. */
    public ScheduleSource filtered(Predicate<ObjectHeader> condition) {
        return new ScheduleSource(informer, next, zone, filter.and(condition), time);
    }

    /** Return a source with the same kind and schedule that uses another clock (default {@link TimeSource#system}). */
    public ScheduleSource withTimeSource(TimeSource clock) {
        return new ScheduleSource(informer, next, zone, filter, clock);
    }

    /** Return the next time of the schedule; empty if it has ended. Calls the function on this thread. */
    public Optional<Instant> nextTime() {
        return Optional.ofNullable(next.apply(time.instant().atZone(zone))).map(ZonedDateTime::toInstant);
    }

    /** Return the kind followed by {@code schedule}. */
    @Override
    public String name() {
        return informer.kind().kind() + " schedule";
    }

    @Override
    public String cluster() {
        return informer.cluster();
    }

    @Override
    public Running start(RequestSink<Request> sink) {
        return new Scheduled(sink).start("schedule", Duration.ZERO);
    }

    @Override
    public String toString() {
        return "ScheduleSource[" + name() + "]";
    }

    /** Its fields belong to the thread of the source. */
    private final class Scheduled extends Poller<Request, String> {

        private @Nullable ZonedDateTime last;
        private @Nullable ZonedDateTime due;

        Scheduled(RequestSink<Request> sink) {
            super(name(), sink, time);
        }

        @Override
        void run(String task) {
            ZonedDateTime now = time.instant().atZone(zone);
            ZonedDateTime before = last;
            if (before == null || now.isBefore(before.minus(SET_BACK))) {
                due = next.apply(now);
            }
            last = now;
            ZonedDateTime planned = due;
            if (planned != null && !planned.isAfter(now)) {
                if (!informer.hasSynced()) {
                    schedule(task, SYNC_CHECK);
                    return;
                }
                planned = next.apply(now);
                ResyncSource.enqueueAll(informer, filter, sink(), name(), Change.SCHEDULED);
                due = planned;
            }
            if (planned != null) {
                Duration left = Duration.between(now, planned);
                schedule(task, left.compareTo(CHECK) < 0 ? left : CHECK);
            }
        }
    }
}
