package io.github.reconciler4j.grid;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which threads of an operator reach which methods, and in which method of which thread an error happens, once. Thread-safe. */
final class FaultPlan {

    /** The names of threads by what they do; the first that matches counts. */
    private static final Map<String, Pattern> ROLES = new TreeMap<>(Map.ofEntries(
            Map.entry("cache timer", Pattern.compile("cache-timer")),
            Map.entry("event writer", Pattern.compile("event-writer")),
            Map.entry("elector", Pattern.compile("leader-elector-(?!rejoin-).*")),
            Map.entry("manager stop", Pattern.compile("threads-\\d+-stop")),
            Map.entry("component start", Pattern.compile("threads-\\d+-start-.*")),
            Map.entry("component stop", Pattern.compile("threads-\\d+-stop-.*")),
            Map.entry("callback watch", Pattern.compile("threads-\\d+-callbacks")),
            Map.entry("poller", Pattern.compile("source-[^/]*/.*(?<!-redelivery)")),
            Map.entry("probe connection", Pattern.compile("probe-server-connection")),
            Map.entry("probe listener", Pattern.compile("probe-server")),
            Map.entry("rejoin", Pattern.compile("leader-elector-rejoin-.*")),
            Map.entry("redelivery", Pattern.compile("source-.*-redelivery")),
            Map.entry("reflector", Pattern.compile("reflector-.*")),
            Map.entry("source start", Pattern.compile("controller-threads-\\d+-start-.*")),
            Map.entry("storage migration", Pattern.compile("threads-\\d+-storage-migration")),
            Map.entry("subscription", Pattern.compile("subscription-.*")),
            Map.entry("watchdog", Pattern.compile("controller-threads-\\d+-watchdog")),
            Map.entry("worker", Pattern.compile("controller-threads-\\d+-worker-\\d+"))));

    /** The classes that run on threads, by role. */
    private static final Map<String, Pattern> OWN = new TreeMap<>(Map.ofEntries(
            Map.entry("cache timer", own("ChangeFeed")),
            Map.entry("event writer", own("EventWriter")),
            Map.entry("elector", own("LeaderElector|Election")),
            Map.entry("manager stop", own("Lifecycle")),
            Map.entry("component start", own("ComponentRunner")),
            Map.entry("component stop", own("ComponentRunner")),
            Map.entry("callback watch", own("CallWatch")),
            Map.entry("poller", own("Poller|PollSource\\$AllPoller")),
            Map.entry("probe connection", own("ConnectionListener\\$Connection|ProbeServer")),
            Map.entry("probe listener", own("ConnectionListener")),
            Map.entry("rejoin", own("LeaseLeadership")),
            Map.entry("redelivery", own("Redelivery")),
            Map.entry("reflector", own("Reflector")),
            Map.entry("source start", own("SourceStarter\\$Starting|RunningSource")),
            Map.entry("storage migration", own("StorageMigration")),
            Map.entry("subscription", own("DefaultSubscription|KindSource")),
            Map.entry("watchdog", own("Watchdog")),
            Map.entry("worker", own("Worker|RequestProcessor"))));

    /** Methods that consist of the handler of errors: an error at their beginning happens outside of it. */
    private static final Set<String> UNPROTECTED = Set.of(
            "io.github.reconciler4j.cache.internal.subscription.ChangeFeed.tryResync",
            "io.github.reconciler4j.cache.internal.subscription.DefaultSubscription.process");

    private static Pattern own(String classes) {
        return Pattern.compile("io\\.github\\.reconciler4j\\..*\\b(" + classes + ")\\.[^.]+");
    }

    /** What an operator does. */
    enum Phase {
        START,
        RUN,
        STOP
    }

    /**
     * A method on a thread.
     *
     * @param role what the thread does
     * @param phase what the operator does
     */
    record Point(String role, String method, Phase phase) implements Comparable<Point> {

        /** Whether the method belongs to the class that the thread runs. */
        boolean isOwn() {
            return OWN.get(role).matcher(method).matches() && !UNPROTECTED.contains(method);
        }

        @Override
        public int compareTo(Point other) {
            return toString().compareTo(other.toString());
        }

        @Override
        public String toString() {
            return role + " in " + method + " (" + phase + ")";
        }
    }

    private final Set<Point> points = ConcurrentHashMap.newKeySet();
    private final Map<String, String> rolesByName = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Point> target = new AtomicReference<>();
    private volatile Phase phase = Phase.START;

    static Set<String> roles() {
        return ROLES.keySet();
    }

    /** What a thread does, "" if it is not one of the framework. */
    static String roleOf(String thread) {
        return ROLES.entrySet().stream()
                .filter(role -> role.getValue().matcher(thread).matches())
                .findFirst()
                .map(Map.Entry::getKey)
                .orElse("");
    }

    void enter(Phase next) {
        phase = next;
    }

    /** Let an error happen in a method on a thread, the next time in the given phase. */
    void failAt(Point point) {
        target.set(point);
    }

    boolean hasFailed() {
        return target.get() == null;
    }

    /** All methods that threads of the framework have reached. */
    Set<Point> points() {
        return Set.copyOf(points);
    }

    void reached(String method) {
        String role = rolesByName.computeIfAbsent(Thread.currentThread().getName(), FaultPlan::roleOf);
        if (role.isEmpty()) {
            return;
        }
        points.add(new Point(role, method, phase));
        Point armed = target.get();
        if (armed != null
                && armed.role().equals(role)
                && armed.method().equals(method)
                && armed.phase() == phase
                && target.compareAndSet(armed, null)) {
            throw new StackOverflowError("injected into " + armed);
        }
    }
}
