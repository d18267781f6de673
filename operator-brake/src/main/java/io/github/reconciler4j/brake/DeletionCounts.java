package io.github.reconciler4j.brake;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.brake.DeletionWindow.Entry;
import io.github.reconciler4j.brake.DeletionWindow.Target;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Counts deletions before they are sent, and knows which controllers have stopped. Nothing is called while the lock is held, but the
 * clock. Thread-safe.
 */
final class DeletionCounts {

    /** How many windows a controller is left alone after a person has released it. */
    private static final int RELEASED_WINDOWS = 10;

    private final BrakeOptions options;
    private final TimeSource time;
    private final long window;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Place, DeletionWindow> windows = new HashMap<>();

    @GuardedBy("lock")
    private final Map<String, Stopped> stops = new HashMap<>();

    /** When a released controller is counted again, in {@link TimeSource#nanoTime}. */
    @GuardedBy("lock")
    private final Map<String, Long> released = new HashMap<>();

    /** The change that was the last one of a controller, so that an earlier read does not undo it. */
    @GuardedBy("lock")
    private final Map<String, Long> changed = new HashMap<>();

    @GuardedBy("lock")
    private long changes;

    DeletionCounts(BrakeOptions options, TimeSource time) {
        this.options = options;
        this.time = time;
        this.window = Nanos.of(options.window());
    }

    /** Where deletions are counted together. */
    record Place(String controller, String cluster, KindName kind) {}

    /** A stop of a controller. */
    private record Stopped(String reason, boolean persisted) {}

    /**
     * The answer to a deletion.
     *
     * @param verdict whether it may be sent
     * @param reason why not, {@code ""} if it may
     * @param entries what was counted for it
     */
    record Reservation(Verdict verdict, String reason, List<Entry> entries) {
        static final Reservation FREE = new Reservation(Verdict.ALLOWED, "", List.of());
    }

    /** Whether a deletion may be sent. */
    enum Verdict {
        ALLOWED,
        /** It would exceed the limit. Nothing has changed. */
        EXCEEDING,
        /** It exceeds the limit, and the controller is stopped now. */
        STOPPING,
        /** The controller was stopped before. */
        STOPPED
    }

    /**
     * Count deletions that are about to be sent, all or none.
     *
     * @param objects how many objects of the kind the cache holds
     * @param stop whether the controller is stopped if they exceed the limit
     */
    Reservation reserve(Place place, List<Target> targets, int objects, boolean stop) {
        String since = time.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        lock.lock();
        try {
            Stopped stopped = stops.get(place.controller);
            if (stopped != null) {
                return new Reservation(Verdict.STOPPED, stopped.reason, List.of());
            }
            long now = time.nanoTime();
            Long until = released.get(place.controller);
            if (until != null && until - now > 0) {
                return Reservation.FREE;
            }
            released.remove(place.controller);
            DeletionWindow counts = windows.computeIfAbsent(place, each -> new DeletionWindow(window));
            counts.advance(now, objects);
            List<Target> fresh =
                    targets.stream().filter(target -> !counts.has(target)).toList();
            long most = limit(counts.largest());
            if (counts.counted() + (long) fresh.size() <= most) {
                List<Entry> entries = new ArrayList<>();
                fresh.forEach(target -> entries.add(counts.add(target, now)));
                return new Reservation(Verdict.ALLOWED, "", entries);
            }
            String reason =
                    since + ": " + describe(place, counts, most) + ", and " + fresh.size() + " more were to be deleted";
            if (!stop) {
                return new Reservation(Verdict.EXCEEDING, reason, List.of());
            }
            stops.put(place.controller, new Stopped(reason, false));
            change(place.controller);
            return new Reservation(Verdict.STOPPING, reason, List.of());
        } finally {
            lock.unlock();
        }
    }

    private String describe(Place place, DeletionWindow counts, long most) {
        return counts.counted() + " of " + counts.largest() + " " + place.kind.kind() + " objects"
                + (place.cluster.isEmpty() ? "" : " in cluster " + place.cluster) + " deleted in "
                + options.window().toSeconds() + " s, the limit is " + most;
    }

    /** Return how many objects may be deleted of so many. */
    private long limit(int objects) {
        return Math.max(options.minimum(), (long) Math.floor(options.share() * objects));
    }

    @GuardedBy("lock")
    private void change(String controller) {
        changed.put(controller, ++changes);
    }

    /** Do not count deletions that were refused by the server. */
    void refund(Place place, List<Entry> entries) {
        lock.lock();
        try {
            DeletionWindow counts = windows.get(place);
            if (counts != null) {
                entries.forEach(counts::end);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Return the largest number of objects in the window, of which now are as many as given. */
    int largest(Place place, int objects) {
        lock.lock();
        try {
            DeletionWindow counts = windows.get(place);
            return counts == null ? objects : Math.max(objects, counts.largest());
        } finally {
            lock.unlock();
        }
    }

    /** Return whether a creation could make a deletion good. */
    boolean isCounting(Place place) {
        lock.lock();
        try {
            DeletionWindow counts = windows.get(place);
            return counts != null && !counts.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    void created(Place place, ObjectKey key, String owner) {
        lock.lock();
        try {
            DeletionWindow counts = windows.get(place);
            if (counts != null) {
                counts.created(time.nanoTime(), key, owner);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Return the namespaces of the counted deletions. */
    Set<String> namespaces(Place place) {
        lock.lock();
        try {
            DeletionWindow counts = windows.get(place);
            return counts == null ? Set.of() : counts.namespaces();
        } finally {
            lock.unlock();
        }
    }

    /** Do not count deletions in a namespace any more. */
    void forget(Place place, String namespace) {
        lock.lock();
        try {
            DeletionWindow counts = windows.get(place);
            if (counts != null) {
                counts.forget(namespace);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Note that a stop is stored; return false if it was released meanwhile. */
    boolean persisted(String controller) {
        lock.lock();
        try {
            Stopped stopped = stops.get(controller);
            if (stopped == null) {
                return false;
            }
            stops.put(controller, new Stopped(stopped.reason, true));
            change(controller);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Release a controller; return false if it was not stopped. */
    boolean release(String controller) {
        lock.lock();
        try {
            return releaseStopped(controller);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean releaseStopped(String controller) {
        if (stops.remove(controller) == null) {
            return false;
        }
        change(controller);
        windows.keySet().removeIf(place -> place.controller.equals(controller));
        released.put(controller, time.nanoTime() + Math.min(window, Nanos.MAX / RELEASED_WINDOWS) * RELEASED_WINDOWS);
        return true;
    }

    /** Return the number of changes so far, for {@link #stored}. */
    long changes() {
        lock.lock();
        try {
            return changes;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Learn which stops are stored.
     *
     * @param reasons the reasons by names of controllers
     * @param before the changes at the start of the read
     * @return the controllers that a person has released
     */
    List<String> stored(Map<String, String> reasons, long before) {
        lock.lock();
        try {
            add(reasons, before);
            List<String> gone = new ArrayList<>();
            stops.forEach((controller, stopped) -> {
                if (stopped.persisted && !reasons.containsKey(controller) && !isChangedSince(controller, before)) {
                    gone.add(controller);
                }
            });
            gone.forEach(this::releaseStopped);
            return gone;
        } finally {
            lock.unlock();
        }
    }

    /** Learn which stops are stored, of which all others were lost and are to be stored again. */
    void storedAnew(Map<String, String> reasons, long before) {
        lock.lock();
        try {
            stops.replaceAll((controller, stopped) ->
                    new Stopped(stopped.reason, stopped.persisted && isChangedSince(controller, before)));
            add(reasons, before);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void add(Map<String, String> reasons, long before) {
        reasons.forEach((controller, reason) -> {
            if (!isChangedSince(controller, before)) {
                stops.put(controller, new Stopped(reason, true));
            }
        });
    }

    @GuardedBy("lock")
    private boolean isChangedSince(String controller, long before) {
        Long last = changed.get(controller);
        return last != null && last > before;
    }

    /** Return the stop of a controller, null if it has not stopped. */
    @Nullable
    DeletionStop stop(String controller) {
        lock.lock();
        try {
            Stopped stopped = stops.get(controller);
            return stopped == null ? null : new DeletionStop(controller, stopped.reason, stopped.persisted);
        } finally {
            lock.unlock();
        }
    }

    List<DeletionStop> stops() {
        lock.lock();
        try {
            List<DeletionStop> all = new ArrayList<>();
            stops.forEach(
                    (controller, stopped) -> all.add(new DeletionStop(controller, stopped.reason, stopped.persisted)));
            all.sort(Comparator.comparing(DeletionStop::controller));
            return all;
        } finally {
            lock.unlock();
        }
    }
}
