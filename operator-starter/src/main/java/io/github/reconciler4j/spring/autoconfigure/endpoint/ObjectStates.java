package io.github.reconciler4j.spring.autoconfigure.endpoint;

import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOperations;
import io.github.reconciler4j.controller.ControllerState;
import io.github.reconciler4j.controller.FailingRequest;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.reconcile.ReconcileObserver.Outcome;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.sharding.ShardingStatus;
import io.github.reconciler4j.source.ScheduleSource;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.StateDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.Why;
import io.github.reconciler4j.spring.autoconfigure.observation.RunHistory;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot.Position;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says why an object is not reconciled now, from what the manager, the controller, its queue and the history of runs know anyway.
 * Thread-safe.
 */
final class ObjectStates {

    /** How far the time of a delayed request may differ from the end of an interval that delays it. */
    private static final Duration TOLERANCE = Duration.ofMillis(500);

    private final Manager manager;
    private final TimeSource time;

    ObjectStates(Manager manager, TimeSource time) {
        this.manager = manager;
        this.time = time;
    }

    /**
     * Return the state of an object.
     *
     * @param header the object, null if the cache does not contain it
     * @param runs returns its latest reconciliations, the latest first
     */
    StateDescriptor of(
            Controller<Request> controller,
            Request request,
            @Nullable ObjectHeader header,
            Supplier<List<RunHistory.Entry>> runs) {
        Instant now = time.instant();
        Next next = new Asked(controller, request, header, runs, now).next();
        return new StateDescriptor(
                next.why(),
                next.text(),
                next.until() == null ? null : next.until().toString(),
                scheduled(controller, request));
    }

    private static @Nullable String scheduled(Controller<Request> controller, Request request) {
        try {
            return controller.sources().stream()
                    .filter(source ->
                            source instanceof ScheduleSource && source.cluster().equals(request.cluster()))
                    .flatMap(source -> ((ScheduleSource) (Object) source).nextTime().stream())
                    .sorted()
                    .findFirst()
                    .map(Instant::toString)
                    .orElse(null);
        } catch (RuntimeException e) {
            return null; // the function of a user has failed; its source reports that
        }
    }

    /** The answer. */
    private record Next(Why why, String text, @Nullable Instant until) {

        Next(Why why, String text) {
            this(why, text, null);
        }
    }

    private Next notRunning(Controller<Request> controller) {
        if (!manager.status().running()) {
            return new Next(Why.NOT_RUNNING, "the operator does not run");
        }
        if (controller.state() == ControllerState.NEW && controller.group() == StartGroup.LEADER_ELECTED) {
            String holders = manager.status().leases().stream()
                    .filter(lease -> !lease.leading() && !lease.holder().isEmpty())
                    .filter(lease ->
                            controller.lease().isEmpty() || lease.key().name().equals(controller.lease()))
                    .map(LeaseStatus::holder)
                    .distinct()
                    .collect(Collectors.joining(", "));
            if (!holders.isEmpty()) {
                return new Next(Why.NOT_LEADER, "another replica leads: " + holders);
            }
        }
        String reason = controller.notReadyReason();
        return new Next(
                Why.NOT_RUNNING, "its controller is " + controller.state() + (reason.isEmpty() ? "" : ": " + reason));
    }

    /** The question. */
    private final class Asked {

        private final Controller<Request> controller;
        private final ControllerOperations<Request> operations;
        private final Request request;
        private final @Nullable ObjectHeader header;
        private final Supplier<List<RunHistory.Entry>> runs;
        private final Instant now;

        Asked(
                Controller<Request> controller,
                Request request,
                @Nullable ObjectHeader header,
                Supplier<List<RunHistory.Entry>> runs,
                Instant now) {
            this.controller = controller;
            this.operations = controller.operations();
            this.request = request;
            this.header = header;
            this.runs = runs;
            this.now = now;
        }

        /** Return the first of all reasons: nothing that comes later matters before it ends. */
        Next next() {
            if (isElsewhere()) {
                return new Next(Why.SHARD, "another replica holds the shard of this object");
            }
            if (controller.state() != ControllerState.RUNNING) {
                return notRunning(controller);
            }
            Optional<Position> position = operations.find(request);
            if (position.filter(Position::running).isPresent()) {
                return new Next(Why.RUNNING, "a worker reconciles it");
            }
            if (operations.isPaused()) {
                return new Next(Why.CONTROLLER_PAUSED, "its controller is paused");
            }
            return paused().or(() -> position.map(this::waiting)).orElseGet(this::resting);
        }

        /** A divided cache has only objects of the shards of this replica. */
        private boolean isElsewhere() {
            return header == null
                    && controller.gate().isPresent()
                    && manager.status()
                            .extension(ShardingStatus.class)
                            .filter(sharding -> sharding.shards().size() < sharding.count())
                            .isPresent();
        }

        private Optional<Next> paused() {
            String annotation = controller.options().pauseAnnotation();
            String value = header == null ? null : header.annotations().get(annotation);
            if (value == null) {
                return Optional.empty();
            }
            ControllerOperations.Pause pause = ControllerOperations.Pause.parse(value);
            return pause.left(now).isZero()
                    ? Optional.empty()
                    : Optional.of(new Next(
                            Why.PAUSED,
                            "the annotation " + annotation + " pauses it",
                            pause.isEndless() ? null : pause.until()));
        }

        private Next waiting(Position position) {
            Instant until = now.plus(position.time());
            return switch (position.waitsFor()) {
                case NOTHING, WORKER -> new Next(Why.READY, "it waits for a worker");
                case BACKOFF ->
                    operations.failing(request).isPresent()
                            ? new Next(Why.BACKOFF, "it failed and is retried", until)
                            : new Next(Why.RATE_LIMIT, "its reconciler asked for a retry", until);
                case TIME -> delayed(until);
            };
        }

        private Next delayed(Instant until) {
            List<RunHistory.Entry> known = runs.get();
            Duration interval = controller.options().minInterval();
            if (!interval.isZero() && !known.isEmpty()) {
                Instant end = known.get(0).started().plus(interval);
                if (Duration.between(end, until).abs().compareTo(TOLERANCE) <= 0) {
                    return new Next(Why.MIN_INTERVAL, "its last run started less than minInterval ago", until);
                }
            }
            boolean asked = known.isEmpty() || known.get(0).outcome() == Outcome.REQUEUE_AFTER;
            return new Next(
                    Why.REQUEUE_AFTER,
                    asked ? "its reconciler asked for this time" : "it was delayed until then",
                    until);
        }

        private Next resting() {
            return operations
                    .failing(request)
                    .filter(FailingRequest::terminal)
                    .map(failing -> new Next(Why.STALLED, "it failed and is not retried until something changes"))
                    .orElseGet(() -> new Next(
                            Why.CHANGE,
                            header == null
                                    ? "the cache does not contain it"
                                    : "nothing to do until something changes"));
        }
    }
}
