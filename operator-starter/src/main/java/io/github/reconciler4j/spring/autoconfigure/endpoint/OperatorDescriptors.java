package io.github.reconciler4j.spring.autoconfigure.endpoint;

import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.FailingRequest;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.manager.ComponentState;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.sharding.ShardingStatus;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.ObjectsDescriptor;
import io.github.reconciler4j.support.BusyKeys;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The response bodies of the endpoint. They contain plain values and never an object of the cluster; times are ISO 8601. */
final class OperatorDescriptors {

    private OperatorDescriptors() {}

    /**
     * The operator.
     *
     * @param running whether it has started and is not stopping
     * @param leader whether this replica is the leader, or leader election is disabled
     * @param disabledControllers controllers that properties or their annotation disable
     * @param sharding null without sharding
     */
    record OperatorDescriptor(
            String name,
            boolean running,
            boolean leader,
            List<ControllerDescriptor> controllers,
            Set<String> disabledControllers,
            List<ComponentDescriptor> components,
            List<KindDescriptor> kinds,
            List<ClusterDescriptor> clusters,
            List<LeaseDescriptor> leases,
            @Nullable ShardingDescriptor sharding) {}

    /**
     * The shards as this replica sees them.
     *
     * @param count the number of all shards
     * @param shards the shards that this replica holds
     * @param replicas how many replicas share the shards
     * @param unheld how many shards no live replica holds
     * @param imbalance how many shards the replica with most has more than the one with fewest
     * @param acquired how many shards this replica has acquired
     * @param released how many it has given away
     * @param lost how many it has lost with its Lease
     * @param problem why it holds no shards, for instance because others have another number of shards; empty if it takes part
     */
    record ShardingDescriptor(
            String identity,
            int count,
            List<Integer> shards,
            int replicas,
            int unheld,
            int imbalance,
            long acquired,
            long released,
            long lost,
            String problem) {}

    /**
     * A cluster.
     *
     * @param name the name, empty for the cluster of the operator
     * @param available whether its caches are synced
     */
    record ClusterDescriptor(String name, String server, boolean available) {}

    /**
     * A controller.
     *
     * @param cluster the name of its cluster, empty for that of the operator
     * @param kind the kind of its objects, empty if its requests are not those of objects
     * @param serviceAccount the account that writes for it, empty for that of the operator
     * @param workers the maximum number of concurrent reconciliations
     * @param busy the number of running reconciliations
     * @param queue null until the controller starts
     * @param failingCount the number of requests whose last reconciliation failed
     * @param failing some of these, ordered by the time of their next attempt
     * @param stalledCount how many of all failing requests are not retried until something changes
     * @param deletionsStopped why the brake has stopped its deletions, empty if it has not
     * @param pausedObjects the number of objects that an annotation pauses
     * @param busyRequests the requests that are reconciled more than ten times per second, the busiest first
     * @param objects a page of its objects, null unless one was asked for
     */
    record ControllerDescriptor(
            String name,
            String cluster,
            String kind,
            String state,
            boolean paused,
            String serviceAccount,
            int workers,
            int busy,
            @Nullable QueueDescriptor queue,
            int failingCount,
            List<FailingDescriptor> failing,
            int stalledCount,
            String deletionsStopped,
            int pausedObjects,
            List<RateDescriptor> busyRequests,
            @Nullable ObjectsDescriptor objects) {}

    /** How often an object changes, or is reconciled. */
    record RateDescriptor(String key, long perSecond) {}

    /**
     * A queue.
     *
     * @param ready the number of requests that wait for a worker
     * @param delayed the number of requests that wait for a time, including those in backoff
     * @param backoff the number of requests that wait because they failed
     * @param oldestSeconds how long the next request has waited, null if none waits
     */
    record QueueDescriptor(
            int ready,
            int running,
            int delayed,
            int backoff,
            @Nullable Double oldestSeconds) {}

    /**
     * A request whose last reconciliation failed.
     *
     * @param failures the number of failures in a row
     * @param error the last error in one line
     * @param next the time of the next attempt, null if it is unknown, due now, or if only a change leads to one
     * @param terminal whether only a change leads to another attempt
     */
    record FailingDescriptor(
            String key,
            int failures,
            String since,
            String last,
            String error,
            @Nullable String next,
            boolean terminal) {}

    /**
     * A component of the operator.
     *
     * @param detail why it waits or failed, empty otherwise
     */
    record ComponentDescriptor(String name, String group, String state, String since, String detail) {}

    /**
     * A watched kind.
     *
     * @param cluster the name of the cluster, empty for that of the operator
     * @param objects the number of cached objects
     * @param undecodableObjects how many of them do not fit the class they were read as
     * @param bytes the memory they occupy; the share of their headers is an estimate
     * @param since when the kind became synced, or when its watch started if it is not synced; empty before that
     * @param busyObjects the objects that change more than ten times per second, the busiest first
     * @param stalenessSeconds how old the objects may be: the time since the API server sent something
     * @param failure the current failure of the watch, empty if it works
     * @param lastError the last failure of the watch, even if it works now; empty if there was no failure
     */
    record KindDescriptor(
            String kind,
            String cluster,
            String resource,
            boolean synced,
            int objects,
            int undecodableObjects,
            long bytes,
            String since,
            List<RateDescriptor> busyObjects,
            long stalenessSeconds,
            String failure,
            String lastError) {}

    /** A lease for which this replica campaigns. */
    record LeaseDescriptor(String lease, String identity, String holder, boolean leading, double remainingSeconds) {}

    /** The outcome of a write operation. */
    record OutcomeDescriptor(boolean done, String detail) {}

    static ControllerDescriptor of(
            Controller<?> controller, int mostFailing, String deletionsStopped, @Nullable ObjectsDescriptor objects) {
        return new ControllerDescriptor(
                controller.name(),
                controller.cluster(),
                controller.kind().map(KindName::toString).orElse(""),
                controller.state().name(),
                controller.operations().isPaused(),
                controller.options().serviceAccount(),
                controller.operations().maxConcurrentReconciles(),
                controller.operations().running(),
                queue(controller),
                controller.operations().failingCount(),
                failing(controller, mostFailing),
                controller.operations().stalledCount(),
                deletionsStopped,
                controller.operations().pausedObjects(),
                rates(controller.operations().busyRequests()),
                objects);
    }

    private static <K> List<RateDescriptor> rates(List<BusyKeys.Rate<K>> rates) {
        return rates.stream()
                .map(rate -> new RateDescriptor(rate.key().toString(), rate.perSecond()))
                .toList();
    }

    private static <R> @Nullable QueueDescriptor queue(Controller<R> controller) {
        Optional<WorkQueueSnapshot<R>> snapshot = controller.operations().queue();
        if (snapshot.isEmpty()) {
            return null;
        }
        WorkQueueSnapshot<R> queue = snapshot.get();
        return new QueueDescriptor(
                queue.depth().values().stream().mapToInt(Integer::intValue).sum(),
                queue.running(),
                queue.delayed(),
                queue.backoff(),
                queue.oldestWaiting()
                        .map(oldest -> oldest.waited().toMillis() / 1000.0)
                        .orElse(null));
    }

    private static <R> List<FailingDescriptor> failing(Controller<R> controller, int most) {
        Instant now = TimeSource.system().instant();
        return controller.operations().failing(most).stream()
                .map(failing -> failing(failing, now))
                .toList();
    }

    private static FailingDescriptor failing(FailingRequest<?> failing, Instant now) {
        return new FailingDescriptor(
                String.valueOf(failing.request()),
                failing.failures(),
                failing.since().toString(),
                failing.last().toString(),
                failing.error(),
                failing.next().map(next -> now.plus(next).toString()).orElse(null),
                failing.terminal());
    }

    static ComponentDescriptor of(ComponentState status) {
        return new ComponentDescriptor(
                status.name(),
                status.group().name(),
                status.state().name(),
                status.since().toString(),
                status.detail());
    }

    static KindDescriptor of(KindStatus status, String cluster) {
        return new KindDescriptor(
                status.kind().kind().toString(),
                cluster,
                status.kind().resource(),
                status.synced(),
                status.objects(),
                status.content().undecodableObjects(),
                status.content().headerBytes() + status.content().bodyBytes(),
                status.activity().since().map(Instant::toString).orElse(""),
                rates(status.activity().busyObjects()),
                status.activity().staleness().toSeconds(),
                status.failure(),
                status.activity().lastError());
    }

    static LeaseDescriptor of(LeaseStatus status) {
        return new LeaseDescriptor(
                status.key().toString(),
                status.identity(),
                status.holder(),
                status.leading(),
                status.replica().remaining().toMillis() / 1000.0);
    }

    static ShardingDescriptor of(ShardingStatus status) {
        return new ShardingDescriptor(
                status.identity(),
                status.count(),
                status.shards().stream().sorted().toList(),
                status.ring().replicas(),
                status.ring().unheld(),
                status.ring().imbalance(),
                status.moves().acquired(),
                status.moves().released(),
                status.moves().lost(),
                status.problem());
    }
}
