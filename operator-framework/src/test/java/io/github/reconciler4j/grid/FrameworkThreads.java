package io.github.reconciler4j.grid;

import io.github.reconciler4j.fixtures.FaultPlan.Point;
import io.github.reconciler4j.fixtures.FaultPlan.Role;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What the threads of the framework do. */
final class FrameworkThreads {

    static final List<Role> ROLES = List.of(
            new Role("cache timer", "cache-timer", "ChangeFeed"),
            new Role("callback watch", "threads-\\d+-callbacks", "CallWatch"),
            new Role("component start", "threads-\\d+-start-.*", "ComponentRunner"),
            new Role("component stop", "threads-\\d+-stop-.*", "ComponentRunner"),
            new Role("elector", "leader-elector-(?!rejoin-).*", "LeaderElector|Election"),
            new Role("event writer", "event-writer", "EventWriter"),
            new Role("manager stop", "threads-\\d+-stop", "Lifecycle"),
            new Role("poller", "source-[^/]*/.*(?<!-redelivery)", "Poller|PollSource\\$AllPoller"),
            new Role("probe connection", "probe-server-connection", "ConnectionListener\\$Connection|ProbeServer"),
            new Role("probe listener", "probe-server", "ConnectionListener"),
            new Role("redelivery", "source-.*-redelivery", "Redelivery"),
            new Role("reflector", "reflector-.*", "Reflector"),
            new Role("rejoin", "leader-elector-rejoin-.*", "LeaseLeadership"),
            new Role("source start", "controller-threads-\\d+-start-.*", "SourceStarter\\$Starting|RunningSource"),
            new Role("subscription", "subscription-.*", "DefaultSubscription|KindSource"),
            new Role("watchdog", "controller-threads-\\d+-watchdog", "Watchdog"),
            new Role("worker", "controller-threads-\\d+-worker-\\d+", "Worker|RequestProcessor"));

    /** Methods that consist of the handler of errors: an error at their beginning happens outside of it. */
    private static final Set<String> UNPROTECTED = Set.of(
            "io.github.reconciler4j.cache.internal.subscription.ChangeFeed.tryResync",
            "io.github.reconciler4j.cache.internal.subscription.DefaultSubscription.process");

    private FrameworkThreads() {}

    static Set<String> names() {
        return ROLES.stream().map(Role::name).collect(Collectors.toSet());
    }

    /** Whether an error can happen in the class that the thread runs. */
    static boolean isCell(Point point) {
        return point.isOwn() && !UNPROTECTED.contains(point.method());
    }
}
