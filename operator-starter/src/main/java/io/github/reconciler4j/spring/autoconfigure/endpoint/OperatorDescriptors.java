package io.github.reconciler4j.spring.autoconfigure.endpoint;

import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.FailingRequest;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.manager.ComponentStatus;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bodies of the endpoint: plain values only, never an object of the cluster. Times are text as in ISO 8601.
 *
 * @since 0.1.0
 */
public final class OperatorDescriptors {

    private OperatorDescriptors() {}

    /**
     * The whole operator.
     *
     * @param running whether it has started and not begun to stop
     * @param leader whether this replica leads, or there is no leader election
     * @param disabledControllers controllers that do not run because of a property or their annotation
     * @since 0.1.0
     */
    public record OperatorDescriptor(
            String name,
            boolean running,
            boolean leader,
            List<ControllerDescriptor> controllers,
            Set<String> disabledControllers,
            List<ComponentDescriptor> components,
            List<KindDescriptor> kinds,
            List<LeaseDescriptor> leases) {}

    /**
     * A controller.
     *
     * @param workers how many keys it may reconcile at once
     * @param busy how many it reconciles now
     * @param queue null while it is not started
     * @param failingCount how many keys fail now
     * @param failing some of them, those that are tried next first
     * @since 0.1.0
     */
    public record ControllerDescriptor(
            String name,
            String state,
            boolean paused,
            int workers,
            int busy,
            @Nullable QueueDescriptor queue,
            int failingCount,
            List<FailingDescriptor> failing) {}

    /**
     * A queue.
     *
     * @param ready how many keys wait for a worker
     * @param delayed how many wait for a time, those in backoff included
     * @param backoff how many wait because they failed
     * @param oldestSeconds how long the key has waited that is next, null if none waits
     * @since 0.1.0
     */
    public record QueueDescriptor(
            int ready,
            int running,
            int delayed,
            int backoff,
            @Nullable Double oldestSeconds) {}

    /**
     * A key that fails.
     *
     * @param failures how many times in a row
     * @param error the last error in one line
     * @param next when it is tried again, null if that is now or not known, or if it is not tried again by itself
     * @param terminal whether it is not tried again before something changes
     * @since 0.1.0
     */
    public record FailingDescriptor(
            String key,
            int failures,
            String since,
            String last,
            String error,
            @Nullable String next,
            boolean terminal) {}

    /**
     * A part of the operator.
     *
     * @param detail why it waits or failed, empty otherwise
     * @since 0.1.0
     */
    public record ComponentDescriptor(String name, String group, String state, String since, String detail) {}

    /**
     * A watched kind.
     *
     * @param objects how many objects of it are held
     * @param undecodableObjects how many of them did not fit the class they were read into
     * @param bytes the memory they take, headers estimated
     * @param since when it became synced, or began to be watched if it is not; empty before that
     * @param failure what is wrong with its watch now, empty if nothing is
     * @param lastError what was wrong last, also if nothing is now; empty if nothing ever was
     * @since 0.1.0
     */
    public record KindDescriptor(
            String kind,
            String resource,
            boolean synced,
            int objects,
            int undecodableObjects,
            long bytes,
            String since,
            String failure,
            String lastError) {}

    /**
     * A lease that this replica stands for.
     *
     * @since 0.1.0
     */
    public record LeaseDescriptor(
            String lease, String identity, String holder, boolean leading, double remainingSeconds) {}

    /**
     * What came of a write operation.
     *
     * @since 0.1.0
     */
    public record OutcomeDescriptor(boolean done, String detail) {}

    static ControllerDescriptor of(Controller<?> controller, int mostFailing) {
        return new ControllerDescriptor(
                controller.name(),
                controller.state().name(),
                controller.operations().isPaused(),
                controller.operations().maxConcurrentReconciles(),
                controller.operations().running(),
                queue(controller),
                controller.operations().failingCount(),
                failing(controller, mostFailing));
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
        Instant now = Instant.now();
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

    static ComponentDescriptor of(ComponentStatus status) {
        return new ComponentDescriptor(
                status.name(),
                status.group().name(),
                status.state().name(),
                status.since().toString(),
                status.detail());
    }

    static KindDescriptor of(KindStatus status) {
        return new KindDescriptor(
                status.kind().kind().toString(),
                status.kind().resource(),
                status.synced(),
                status.objects(),
                status.content().undecodableObjects(),
                status.content().headerBytes() + status.content().bodyBytes(),
                status.activity().since().map(Instant::toString).orElse(""),
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
}
