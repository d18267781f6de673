package io.github.reconciler4j.spring.autoconfigure.endpoint;

import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.FailingRequest;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.manager.ComponentState;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.sharding.ShardingStatus;
import io.github.reconciler4j.spring.autoconfigure.observation.RunHistory;
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

    private static final double NANOS_PER_MILLI = 1e6;

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
     * @param workers the maximum number of concurrent reconciliations
     * @param busy the number of running reconciliations
     * @param queue null until the controller starts
     * @param failingCount the number of requests whose last reconciliation failed
     * @param failing some of these, ordered by the time of their next attempt
     * @param stalledCount how many of all failing requests are not retried until something changes
     * @param pausedObjects the number of objects that an annotation pauses
     * @param busyRequests the requests that are reconciled more than ten times per second, the busiest first
     */
    record ControllerDescriptor(
            String name,
            String cluster,
            String state,
            boolean paused,
            int workers,
            int busy,
            @Nullable QueueDescriptor queue,
            int failingCount,
            List<FailingDescriptor> failing,
            int stalledCount,
            int pausedObjects,
            List<RateDescriptor> busyRequests) {}

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

    /**
     * The latest reconciliations of one object, the latest first.
     *
     * @param key the namespace and name, and the cluster if it is not that of the operator
     * @param object the object, null if the cache does not contain it
     */
    record ObjectDescriptor(
            String controller,
            String key,
            List<RunDescriptor> runs,
            @Nullable DetailsDescriptor object) {}

    /**
     * One object.
     *
     * @param deleted when its deletion was requested, empty if it was not
     * @param owned the objects of cached kinds that it owns
     * @param events the latest events, the latest first
     * @param eventsProblem why events cannot be read, empty if they can
     */
    record DetailsDescriptor(
            String kind,
            String created,
            String deleted,
            long generation,
            List<String> finalizers,
            List<ConditionDescriptor> conditions,
            List<OwnedDescriptor> owned,
            List<EventDescriptor> events,
            String eventsProblem) {}

    /** A condition of the status of an object. */
    record ConditionDescriptor(String type, String status, String reason, String message, String since) {}

    /** An object that another one owns. */
    record OwnedDescriptor(String kind, String key, String created, String deleted) {}

    /** An event of an object. */
    record EventDescriptor(String type, String reason, String message, int count, String last) {}

    /**
     * One reconciliation.
     *
     * @param waitedMillis how long the request was ready in the queue
     * @param tookMillis how long the reconciler took
     * @param triggers why it happened; empty if the reconciler itself asked for it
     * @param requests the number of requests to the API server
     * @param outcome {@code success}, {@code requeue}, {@code requeue_after}, {@code error} or {@code stopped}
     * @param error what the reconciler threw, in one line; empty if it returned
     */
    record RunDescriptor(
            String reconcileId,
            String started,
            double waitedMillis,
            double tookMillis,
            int attempt,
            List<String> triggers,
            int requests,
            String outcome,
            String error) {}

    /** The outcome of a write operation. */
    record OutcomeDescriptor(boolean done, String detail) {}

    static ControllerDescriptor of(Controller<?> controller, int mostFailing) {
        return new ControllerDescriptor(
                controller.name(),
                controller.cluster(),
                controller.state().name(),
                controller.operations().isPaused(),
                controller.operations().maxConcurrentReconciles(),
                controller.operations().running(),
                queue(controller),
                controller.operations().failingCount(),
                failing(controller, mostFailing),
                controller.operations().stalledCount(),
                controller.operations().pausedObjects(),
                rates(controller.operations().busyRequests()));
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

    static RunDescriptor of(RunHistory.Entry run) {
        return new RunDescriptor(
                run.context().reconcileId(),
                run.started().toString(),
                run.timing().waited().toNanos() / NANOS_PER_MILLI,
                run.timing().took().toNanos() / NANOS_PER_MILLI,
                run.context().attempt(),
                run.context().triggers().stream().map(Trigger::toString).toList(),
                run.requests(),
                run.outcome().label(),
                run.error());
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
