package io.github.reconciler4j.controllers.internal.deployment;

import static io.github.reconciler4j.controllers.internal.deployment.DeploymentCases.deployment;
import static io.github.reconciler4j.controllers.internal.deployment.DeploymentCases.newStatus;
import static io.github.reconciler4j.controllers.internal.deployment.DeploymentCases.oldestFirst;
import static io.github.reconciler4j.controllers.internal.deployment.DeploymentCases.removed;
import static io.github.reconciler4j.controllers.internal.deployment.DeploymentCases.without;
import static io.github.reconciler4j.controllers.internal.deployment.DeploymentCases.written;
import static io.github.reconciler4j.controllers.upstream.UpstreamCase.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.github.reconciler4j.controllers.internal.support.Times;
import io.github.reconciler4j.controllers.upstream.Replays;
import io.github.reconciler4j.controllers.upstream.UpstreamCase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Repeats the cases of Kubernetes' tests of rollouts: progress, status and sizes of ReplicaSets. */
final class RolloutReplays {

    private static final String UTIL = "deployment/util.";
    private static final String CONTROLLER = "deployment.DeploymentController.";

    private RolloutReplays() {}

    static void addTo(Replays replays) {
        progress(replays);
        statuses(replays);
        scaling(replays);
        newSets(replays);
        oldSets(replays);
        steps(replays);
        recreate(replays);
    }

    private static void progress(Replays replays) {
        replays.replay(
                UTIL + "DeploymentComplete",
                call -> assertThat(RolloutStatus.isComplete(deployment(call), newStatus(call)))
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay(
                UTIL + "DeploymentProgressing",
                call -> assertThat(RolloutStatus.isProgressing(deployment(call), newStatus(call)))
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay(
                UTIL + "DeploymentTimedOut",
                call -> assertThat(RolloutStatus.isTimedOut(deployment(call), newStatus(call), call.now()))
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay(CONTROLLER + "requeueStuckDeployment", call -> {
            Deployment deployment = call.in("d", Deployment.class);
            Optional<Duration> delay =
                    new RolloutStatus(deployment, List.of(), null, call.now()).untilDeadline(newStatus(call));
            long expected = call.out(0).asLong();
            assertThat(delay.map(Duration::toNanos).orElse(-1L)).isEqualTo(expected);
        });
    }

    private static void statuses(Replays replays) {
        replays.replay("deployment.calculateStatus", call -> {
            Deployment deployment = deployment(call);
            DeploymentStatus status = status(deployment, call).counted();
            assertStatus(status, call.out(0, DeploymentStatus.class), call.now());
        });
        replays.replay(CONTROLLER + "syncRolloutStatus", call -> {
            Deployment deployment = call.in("d", Deployment.class);
            DeploymentStatus status = status(deployment, call).ofRollout();
            List<JsonNode> updates = call.actions("update", "deployments");
            DeploymentStatus expected = updates.isEmpty()
                    ? deployment.getStatus()
                    : UpstreamCase.read(updates.get(0).get("object"), Deployment.class)
                            .getStatus();
            assertStatus(status, expected, call.now());
        });
    }

    private static RolloutStatus status(Deployment deployment, UpstreamCase call) {
        ReplicaSet newSet = call.in("newRS", ReplicaSet.class);
        return new RolloutStatus(
                deployment, without(newSet, call.list("allRSs", ReplicaSet.class)), newSet, call.now());
    }

    /** Zero is left out in what the server sends; times are those of the two runs. */
    private static void assertStatus(DeploymentStatus status, DeploymentStatus expected, Instant now) {
        assertThat(json(normalized(status, now))).isEqualTo(json(normalized(expected, now)));
    }

    private static DeploymentStatus normalized(DeploymentStatus status, Instant now) {
        DeploymentStatus copy = new DeploymentStatusBuilder(status).build();
        copy.getConditions().forEach(condition -> {
            condition.setLastUpdateTime(normalized(condition.getLastUpdateTime(), now));
            condition.setLastTransitionTime(normalized(condition.getLastTransitionTime(), now));
        });
        return copy;
    }

    private static @Nullable String normalized(@Nullable String time, Instant now) {
        Instant parsed = Times.parse(time);
        return parsed != null && Duration.between(parsed, now).abs().toSeconds() < 3 ? "now" : time;
    }

    private static void scaling(Replays replays) {
        replays.replay(
                UTIL + "GetReplicaSetProportion",
                call -> assertThat(ProportionalScaling.share(
                                call.in("rs", ReplicaSet.class),
                                call.in("d", Deployment.class),
                                call.number("deploymentReplicasToAdd"),
                                call.number("deploymentReplicasAdded")))
                        .isEqualTo(call.out(0).asInt()));
        replays.replay(
                UTIL + "getReplicaSetFraction",
                call -> assertThat(ProportionalScaling.fraction(
                                call.in("rs", ReplicaSet.class), call.in("d", Deployment.class)))
                        .isEqualTo(call.out(0).asInt()));
        replays.replay(UTIL + "IsSaturated", call -> {
            ReplicaSet set = call.in("rs", ReplicaSet.class);
            assertThat(set != null && ProportionalScaling.isSaturated(deployment(call), set))
                    .isEqualTo(call.out(0).asBoolean());
        });
        replays.replay(CONTROLLER + "scale", call -> {
            ScalePlan plan = ProportionalScaling.plan(
                    deployment(call), call.in("newRS", ReplicaSet.class), call.list("oldRSs", ReplicaSet.class));
            assertThat(written(plan, deployment(call))).isEqualTo(written(call));
        });
    }

    private static void newSets(Replays replays) {
        replays.replay(UTIL + "NewRSNewReplicas", call -> {
            Deployment deployment = deployment(call);
            ReplicaSet newSet = call.in("newRS", ReplicaSet.class);
            List<ReplicaSet> old = without(newSet, call.list("allRSs", ReplicaSet.class));
            assertThat(RollingUpdate.of(deployment).newSize(old, ReplicaSets.replicas(newSet)))
                    .isEqualTo(call.out(0).asInt());
        });
        replays.except(
                UTIL + "NewRSNewReplicas",
                call -> !ReplicaSets.isRollingUpdate(deployment(call))
                        || ReplicaSets.replicas(call.in("newRS", ReplicaSet.class))
                                > ReplicaSets.desired(deployment(call)),
                "the caller decides that in Go: other strategies, and a new ReplicaSet that is too large");
        replays.replay(CONTROLLER + "reconcileNewReplicaSet", call -> {
            Deployment deployment = deployment(call);
            ReplicaSet newSet = call.in("newRS", ReplicaSet.class);
            List<ReplicaSet> old = without(newSet, call.list("allRSs", ReplicaSet.class));
            int size = RollingUpdate.of(deployment).newSize(old, ReplicaSets.replicas(newSet));
            assertThat(written(ScalePlan.of(newSet, size), deployment)).isEqualTo(written(call));
        });
    }

    private static void oldSets(Replays replays) {
        replays.replay(CONTROLLER + "reconcileOldReplicaSets", call -> {
            Deployment deployment = deployment(call);
            ScalePlan plan = RollingUpdate.of(deployment)
                    .shrinkOld(call.list("oldRSs", ReplicaSet.class), call.in("newRS", ReplicaSet.class));
            assertThat(plan.changesSizes()).isEqualTo(call.out(0).asBoolean());
            assertThat(written(plan, deployment)).isEqualTo(written(call));
        });
        replays.except(
                CONTROLLER + "reconcileOldReplicaSets",
                call -> call.list("oldRSs", ReplicaSet.class).stream().anyMatch(set -> ReplicaSets.available(set) == 9),
                "the fake client returns an empty ReplicaSet, so the second step does nothing in Go");
    }

    private static void steps(Replays replays) {
        replays.replay(CONTROLLER + "cleanupUnhealthyReplicas", call -> {
            ScalePlan plan = ScalePlan.empty();
            List<ReplicaSet> old = oldestFirst(call.list("oldRSs", ReplicaSet.class));
            RollingUpdate.shrinkUnhealthy(old, call.number("maxCleanupCount"), plan);
            assertThat(removed(plan)).isEqualTo(call.out(1).asInt());
            assertThat(written(plan, deployment(call))).isEqualTo(written(call));
        });
        replays.replay(CONTROLLER + "scaleDownOldReplicaSetsForRollingUpdate", call -> {
            ScalePlan plan = ScalePlan.empty();
            Deployment deployment = deployment(call);
            int available = ReplicaSets.sum(call.list("allRSs", ReplicaSet.class), ReplicaSets::available);
            RollingUpdate.of(deployment)
                    .shrinkAvailable(oldestFirst(call.list("oldRSs", ReplicaSet.class)), available, plan);
            assertThat(removed(plan)).isEqualTo(call.out(0).asInt());
            assertThat(written(plan, deployment)).isEqualTo(written(call));
        });
    }

    private static void recreate(Replays replays) {
        replays.replay(CONTROLLER + "scaleDownOldReplicaSetsForRecreate", call -> {
            ScalePlan plan = Recreate.stopOld(call.list("oldRSs", ReplicaSet.class));
            assertThat(plan.changesSizes()).isEqualTo(call.out(0).asBoolean());
            assertThat(written(plan, deployment(call))).isEqualTo(written(call));
        });
        replays.replay("deployment.oldPodsRunning", call -> {
            ReplicaSet newSet = call.in("newRS", ReplicaSet.class);
            List<Pod> others = new ArrayList<>();
            call.in("podMap").properties().forEach(owner -> {
                if (newSet == null
                        || !owner.getKey().equals(newSet.getMetadata().getUid())) {
                    others.addAll(UpstreamCase.readList(owner.getValue(), Pod.class));
                }
            });
            assertThat(Recreate.oldPodsRun(call.list("oldRSs", ReplicaSet.class), others))
                    .isEqualTo(call.out(0).asBoolean());
        });
    }
}
