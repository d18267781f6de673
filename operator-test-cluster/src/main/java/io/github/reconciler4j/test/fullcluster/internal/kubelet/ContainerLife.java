package io.github.reconciler4j.test.fullcluster.internal.kubelet;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.github.reconciler4j.test.fullcluster.internal.support.Times;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Decides what happens next to a container. Stateless, but each container that starts has another id. */
final class ContainerLife {

    private static final String PULL_FAILED = "ErrImagePull";
    private static final String PULL_BACKOFF = "ImagePullBackOff";
    private static final String CRASH_BACKOFF = "CrashLoopBackOff";
    private static final int KILLED = 137;

    private final RestartBackoff backoff;

    ContainerLife(RestartBackoff backoff) {
        this.backoff = backoff;
    }

    /**
     * What happens next.
     *
     * @param again when to ask again, if nothing changes until then; null if that is not needed
     */
    record Step(
            ContainerStatus status,
            List<ContainerEvent> events,
            @Nullable Duration again) {

        static Step of(ContainerStatus status, ContainerEvent... events) {
            return new Step(status, List.of(events), null);
        }
    }

    /** Return the status of a container before it may start. */
    static ContainerStatus waiting(ContainerPlace place) {
        boolean initializes = !place.pod().getSpec().getInitContainers().isEmpty();
        return new ContainerStatusBuilder()
                .withName(place.name())
                .withImage(place.image())
                .withImageID("")
                .withReady(false)
                .withStarted(false)
                .withRestartCount(0)
                .withState(waitingFor(initializes ? "PodInitializing" : "ContainerCreating", null))
                .withLastState(new ContainerState())
                .build();
    }

    /** Return what happens to a container that may run. */
    Step next(ContainerPlace place, ContainerStatus status, Behavior behavior, Instant now) {
        ContainerState state = status.getState();
        if (state.getRunning() != null) {
            return Step.of(running(place, status, behavior, now));
        }
        if (state.getTerminated() != null) {
            return place.restartsAfter(state.getTerminated().getExitCode())
                    ? restart(place, status, state.getTerminated(), behavior, now)
                    : Step.of(status);
        }
        ContainerStateTerminated last =
                status.getLastState() == null ? null : status.getLastState().getTerminated();
        return last == null ? start(place, status, behavior, now) : restart(place, status, last, behavior, now);
    }

    private static ContainerStatus running(
            ContainerPlace place, ContainerStatus status, Behavior behavior, Instant now) {
        Integer code = behavior.exitCode();
        if (code != null) {
            return ended(place, status, code, now);
        }
        boolean ready = behavior.isReady() && (!place.isInit() || place.isSidecar());
        return new ContainerStatusBuilder(status).withReady(ready).build();
    }

    /** Return the status of a running container that has ended. */
    static ContainerStatus ended(ContainerPlace place, ContainerStatus status, int code, Instant now) {
        return new ContainerStatusBuilder(status)
                .withReady(place.isInit() && !place.isSidecar() && code == 0)
                .withStarted(false)
                .withState(new ContainerStateBuilder()
                        .withNewTerminated()
                        .withExitCode(code)
                        .withReason(code == 0 ? "Completed" : "Error")
                        .withStartedAt(status.getState().getRunning().getStartedAt())
                        .withFinishedAt(Times.format(now))
                        .withContainerID(status.getContainerID())
                        .endTerminated()
                        .build())
                .build();
    }

    /** Return the status of a running container that was killed after its grace period. */
    static ContainerStatus killed(ContainerPlace place, ContainerStatus status, Instant now) {
        return ended(place, status, KILLED, now);
    }

    private Step restart(
            ContainerPlace place,
            ContainerStatus status,
            ContainerStateTerminated last,
            Behavior behavior,
            Instant now) {
        Instant finished = Times.parse(last.getFinishedAt(), now);
        Duration ran = Duration.between(Times.parse(last.getStartedAt(), finished), finished);
        Duration delay = backoff.after(status.getRestartCount(), ran);
        Duration left = Duration.between(now, finished.plus(delay));
        ContainerState lastState =
                new ContainerStateBuilder().withTerminated(last).build();
        if (left.isNegative() || left.isZero()) {
            return start(
                    place,
                    new ContainerStatusBuilder(status)
                            .withLastState(lastState)
                            .withRestartCount(status.getRestartCount() + 1)
                            .build(),
                    behavior,
                    now);
        }
        boolean isNew = !isWaitingFor(status, CRASH_BACKOFF);
        ContainerStatus waits = new ContainerStatusBuilder(status)
                .withReady(false)
                .withStarted(false)
                .withLastState(lastState)
                .withState(waitingFor(
                        CRASH_BACKOFF,
                        "back-off " + text(delay) + " restarting failed container=" + place.name() + " pod="
                                + place.podText()))
                .build();
        List<ContainerEvent> events = isNew
                ? List.of(ContainerEvent.warning(
                        place,
                        "BackOff",
                        "Back-off restarting failed container " + place.name() + " in pod " + place.podText()))
                : List.of();
        return new Step(waits, events, left);
    }

    private static Step start(ContainerPlace place, ContainerStatus status, Behavior behavior, Instant now) {
        if (!behavior.isPullable()) {
            return failToPull(place, status);
        }
        List<ContainerEvent> events = new ArrayList<>(pulled(place));
        events.add(ContainerEvent.normal(place, "Created", "Container created"));
        events.add(ContainerEvent.normal(place, "Started", "Container started"));
        return new Step(
                new ContainerStatusBuilder(status)
                        .withReady(behavior.isReady() && (!place.isInit() || place.isSidecar()))
                        .withStarted(true)
                        .withContainerID("containerd://" + hex())
                        .withImageID(imageId(place.image()))
                        .withState(new ContainerStateBuilder()
                                .withNewRunning(Times.format(now))
                                .build())
                        .build(),
                events,
                null);
    }

    private static List<ContainerEvent> pulled(ContainerPlace place) {
        String image = "\"" + place.image() + "\"";
        return "Always".equals(place.container().getImagePullPolicy())
                ? List.of(
                        ContainerEvent.normal(place, "Pulling", "Pulling image " + image),
                        ContainerEvent.normal(
                                place,
                                "Pulled",
                                "Successfully pulled image " + image
                                        + " in 1ms (1ms including waiting). Image size: 1 bytes."))
                : List.of(ContainerEvent.normal(
                        place, "Pulled", "Container image " + image + " already present on machine"));
    }

    /** The first failure is reported as it is, then the kubelet waits. */
    private static Step failToPull(ContainerPlace place, ContainerStatus status) {
        if (isWaitingFor(status, PULL_BACKOFF)) {
            return Step.of(status);
        }
        String image = "\"" + place.image() + "\"";
        String problem = "failed to pull and unpack image " + image + ": failed to resolve image: not found";
        if (isWaitingFor(status, PULL_FAILED)) {
            return Step.of(
                    waitingOn(status, PULL_BACKOFF, "Back-off pulling image " + image + ": ErrImagePull: " + problem),
                    ContainerEvent.normal(place, "BackOff", "Back-off pulling image " + image),
                    ContainerEvent.warning(place, "Failed", "Error: " + PULL_BACKOFF));
        }
        return Step.of(
                waitingOn(status, PULL_FAILED, problem),
                ContainerEvent.normal(place, "Pulling", "Pulling image " + image),
                ContainerEvent.warning(place, "Failed", "Failed to pull image " + image + ": " + problem),
                ContainerEvent.warning(place, "Failed", "Error: " + PULL_FAILED));
    }

    private static ContainerStatus waitingOn(ContainerStatus status, String reason, String message) {
        return new ContainerStatusBuilder(status)
                .withReady(false)
                .withStarted(false)
                .withState(waitingFor(reason, message))
                .build();
    }

    private static boolean isWaitingFor(ContainerStatus status, String reason) {
        return status.getState().getWaiting() != null
                && reason.equals(status.getState().getWaiting().getReason());
    }

    private static ContainerState waitingFor(String reason, @Nullable String message) {
        return new ContainerStateBuilder()
                .withNewWaiting()
                .withReason(reason)
                .withMessage(message)
                .endWaiting()
                .build();
    }

    private static String text(Duration delay) {
        long minutes = delay.toMinutes();
        String seconds = delay.toSecondsPart() + "s";
        return minutes == 0 ? delay.toMillis() < 1000 ? delay.toMillis() + "ms" : seconds : minutes + "m" + seconds;
    }

    private static String hex() {
        return (UUID.randomUUID().toString() + UUID.randomUUID()).replace("-", "");
    }

    private static String imageId(String image) {
        UUID digest = UUID.nameUUIDFromBytes(image.getBytes(StandardCharsets.UTF_8));
        String half = digest.toString().replace("-", "");
        return image + "@sha256:" + half + half;
    }
}
