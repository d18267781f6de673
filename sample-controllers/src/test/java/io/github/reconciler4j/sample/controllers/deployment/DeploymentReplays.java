package io.github.reconciler4j.sample.controllers.deployment;

import static io.github.reconciler4j.sample.controllers.upstream.UpstreamCase.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.github.reconciler4j.sample.controllers.support.Claim;
import io.github.reconciler4j.sample.controllers.support.Selectors;
import io.github.reconciler4j.sample.controllers.support.Times;
import io.github.reconciler4j.sample.controllers.upstream.Replays;
import io.github.reconciler4j.sample.controllers.upstream.UpstreamCase;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Repeats the cases of Kubernetes' tests of its Deployment controller. */
public final class DeploymentReplays {

    private static final String UTIL = "deployment/util.";
    private static final String CONTROLLER = "deployment.DeploymentController.";

    private DeploymentReplays() {}

    public static Replays all() {
        Replays replays = new Replays();
        limits(replays);
        replicaSets(replays);
        revisions(replays);
        conditions(replays);
        progress(replays);
        scaling(replays);
        rollout(replays);
        return replays;
    }

    private static void limits(Replays replays) {
        replays.replay(UTIL + "ResolveFenceposts", call -> {
            IntOrString surge = call.in("maxSurge", IntOrString.class);
            IntOrString unavailable = call.in("maxUnavailable", IntOrString.class);
            if (!call.out(2).isNull()) {
                assertThatThrownBy(() -> RolloutLimits.resolve(surge, unavailable, call.number("desired")))
                        .isInstanceOf(IllegalArgumentException.class);
                return;
            }
            assertThat(RolloutLimits.resolve(surge, unavailable, call.number("desired")))
                    .isEqualTo(
                            new RolloutLimits(call.out(0).asInt(), call.out(1).asInt()));
        });
        replays.replay(
                UTIL + "MaxSurge",
                call -> assertThat(RolloutLimits.of(deployment(call)).maxSurge())
                        .isEqualTo(call.out(0).asInt()));
        replays.replay(
                UTIL + "MaxUnavailable",
                call -> assertThat(RolloutLimits.of(deployment(call)).maxUnavailable())
                        .isEqualTo(call.out(0).asInt()));
        replays.replay(UTIL + "MinAvailable", call -> {
            Deployment deployment = deployment(call);
            assertThat(
                            ReplicaSets.isRollingUpdate(deployment)
                                    ? RollingUpdate.of(deployment).minAvailable()
                                    : 0)
                    .isEqualTo(call.out(0).asInt());
        });
    }

    private static void replicaSets(Replays replays) {
        sum(replays, "GetReplicaCountForReplicaSets", ReplicaSets::replicas);
        sum(replays, "GetActualReplicaCountForReplicaSets", ReplicaSets::actual);
        sum(replays, "GetReadyReplicaCountForReplicaSets", ReplicaSets::ready);
        sum(replays, "GetAvailableReplicaCountForReplicaSets", ReplicaSets::available);
        replays.replay(
                UTIL + "GetTerminatingReplicaCountForReplicaSets",
                call -> assertThat(ReplicaSets.terminating(call.list("replicaSets", ReplicaSet.class)))
                        .isEqualTo(call.out(0, Integer.class)));
        replays.replay(
                "controller.FilterActiveReplicaSets",
                call -> assertThat(names(ReplicaSets.active(call.list("replicaSets", ReplicaSet.class))))
                        .isEqualTo(names(call.outList(0, ReplicaSet.class))));
        replays.replay(
                UTIL + "EqualIgnoreHash",
                call -> assertThat(PodTemplates.areEqual(
                                call.in("template1", PodTemplateSpec.class),
                                call.in("template2", PodTemplateSpec.class)))
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay(
                UTIL + "FindNewReplicaSet",
                call -> assertThat(name(ReplicaSets.findNew(deployment(call), call.list("rsList", ReplicaSet.class))
                                .orElse(null)))
                        .isEqualTo(name(call.out(0, ReplicaSet.class))));
        replays.replay(UTIL + "FindOldReplicaSets", call -> {
            List<ReplicaSet> all = call.list("rsList", ReplicaSet.class);
            List<ReplicaSet> old = ReplicaSets.findOld(
                    all, ReplicaSets.findNew(deployment(call), all).orElse(null));
            assertThat(names(old)).isEqualTo(names(call.outList(1, ReplicaSet.class)));
            assertThat(names(ReplicaSets.active(old))).isEqualTo(names(call.outList(0, ReplicaSet.class)));
        });
        replays.replay(
                UTIL + "FindActiveOrLatest",
                call -> assertThat(name(ReplicaSets.findActiveOrLatest(
                                        call.in("newRS", ReplicaSet.class), call.list("oldRSs", ReplicaSet.class))
                                .orElse(null)))
                        .isEqualTo(name(call.out(0, ReplicaSet.class))));
        replays.replay(
                UTIL + "GetDeploymentsForReplicaSet",
                call -> assertThat(names(Selectors.matching(
                                call.notes("deployments", Deployment.class),
                                deployment -> deployment.getSpec().getSelector(),
                                labels(call.in("rs", ReplicaSet.class)))))
                        .containsExactlyInAnyOrderElementsOf(names(call.outList(0, Deployment.class))));
        replays.replay(
                "deployment.generateReplicaSetName",
                call -> assertThat(PodTemplates.replicaSetName(
                                call.in("deploymentName").asText(),
                                call.in("podTemplateSpecHash").asText()))
                        .isEqualTo(call.out(0).asText()));
    }

    private static void sum(Replays replays, String function, ToIntFunction<ReplicaSet> number) {
        replays.replay(
                UTIL + function,
                call -> assertThat(ReplicaSets.sum(call.list("replicaSets", ReplicaSet.class), number))
                        .isEqualTo(call.out(0).asInt()));
    }

    private static void revisions(Replays replays) {
        replays.replay(
                UTIL + "MaxRevision",
                call -> assertThat(Revisions.max(call.list("allRSs", ReplicaSet.class)))
                        .isEqualTo(call.out(0).asLong()));
        replays.replay(
                UTIL + "LastRevision",
                call -> assertThat(Revisions.beforeLatest(call.list("allRSs", ReplicaSet.class)))
                        .isEqualTo(call.out(0).asLong()));
        replays.replay(
                UTIL + "getNonNegativeInt32FromAnnotation",
                call -> assertThat(Revisions.number(
                                call.in("rs", ReplicaSet.class),
                                call.in("annotationKey").asText()))
                        .isEqualTo(
                                call.out(1).asBoolean()
                                        ? OptionalInt.of(call.out(0).asInt())
                                        : OptionalInt.empty()));
        replays.replay(UTIL + "SetReplicasAnnotations", call -> {
            ReplicaSet set = call.in("rs", ReplicaSet.class);
            assertThat(Revisions.annotateSizes(set, call.number("desiredReplicas"), call.number("maxReplicas")))
                    .isEqualTo(call.out(0).asBoolean());
            assertThat(Revisions.annotations(set)).isEqualTo(Revisions.annotations(call.after("rs", ReplicaSet.class)));
        });
        replays.replay(
                UTIL + "ReplicasAnnotationsNeedUpdate",
                call -> assertThat(Revisions.annotateSizes(
                                call.in("rs", ReplicaSet.class),
                                call.number("desiredReplicas"),
                                call.number("maxReplicas")))
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay(UTIL + "SetNewReplicaSetAnnotations", call -> {
            ReplicaSet set = call.in("newRS", ReplicaSet.class);
            boolean changed = Revisions.annotateNew(
                    deployment(call),
                    set,
                    Long.parseLong(call.in("newRevision").asText()),
                    call.number("revHistoryLimitInChars"));
            if (!call.in("exists").asBoolean()) {
                changed |= Revisions.annotateSizes(set, deployment(call));
            }
            assertThat(Revisions.annotations(set))
                    .isEqualTo(Revisions.annotations(call.after("newRS", ReplicaSet.class)));
            assertThat(changed).isEqualTo(call.out(0).asBoolean());
        });
        replays.replay(UTIL + "SetDeploymentAnnotationsTo", call -> {
            Deployment deployment = deployment(call);
            Revisions.takeBack(deployment, call.in("rollbackToRS", ReplicaSet.class));
            assertThat(Revisions.annotations(deployment))
                    .isEqualTo(Revisions.annotations(call.after("deployment", Deployment.class)));
        });
        replays.replay(UTIL + "SetFromReplicaSetTemplate", call -> {
            Deployment deployment = deployment(call);
            ReplicaSet from = new ReplicaSetBuilder()
                    .withNewMetadata()
                    .endMetadata()
                    .withNewSpec()
                    .withTemplate(call.in("template", PodTemplateSpec.class))
                    .endSpec()
                    .build();
            Rollback.apply(deployment, from);
            assertThat(deployment.getSpec().getTemplate())
                    .isEqualTo(call.out(0, Deployment.class).getSpec().getTemplate());
        });
        replays.replay(
                CONTROLLER + "cleanupDeployment",
                call -> assertThat(names(Revisions.expired(deployment(call), call.list("oldRSs", ReplicaSet.class))))
                        .isEqualTo(call.actions("delete", "replicasets").stream()
                                .map(action -> action.get("name").asText())
                                .toList()));
    }

    private static void conditions(Replays replays) {
        replays.replay(
                UTIL + "GetDeploymentCondition",
                call -> assertThat(json(DeploymentConditions.find(
                                        call.in("status", DeploymentStatus.class),
                                        call.in("condType").asText())
                                .orElse(null)))
                        .isEqualTo(json(call.out(0, DeploymentCondition.class))));
        replays.replay(UTIL + "SetDeploymentCondition", call -> {
            DeploymentStatus status = call.in("status", DeploymentStatus.class);
            DeploymentConditions.set(status, call.in("condition", DeploymentCondition.class));
            assertThat(json(status)).isEqualTo(json(call.after("status", DeploymentStatus.class)));
        });
        replays.replay(UTIL + "RemoveDeploymentCondition", call -> {
            DeploymentStatus status = call.in("status", DeploymentStatus.class);
            DeploymentConditions.remove(status, call.in("condType").asText());
            assertThat(json(status)).isEqualTo(json(call.after("status", DeploymentStatus.class)));
        });
        replays.replay(CONTROLLER + "getReplicaFailures", call -> {
            List<DeploymentCondition> expected = call.outList(0, DeploymentCondition.class);
            Optional<DeploymentCondition> failure = DeploymentConditions.replicaFailure(
                    call.list("allRSs", ReplicaSet.class), call.in("newRS", ReplicaSet.class));
            assertThat(json(failure.orElse(null))).isEqualTo(json(expected.isEmpty() ? null : expected.get(0)));
        });
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

    private static void rollout(Replays replays) {
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
        replays.replay(CONTROLLER + "scaleDownOldReplicaSetsForRecreate", call -> {
            ScalePlan plan = Recreate.stopOld(call.list("oldRSs", ReplicaSet.class));
            assertThat(plan.changesSizes()).isEqualTo(call.out(0).asBoolean());
            assertThat(written(plan, deployment(call))).isEqualTo(written(call));
        });
        replays.replay("deployment.oldPodsRunning", call -> {
            ReplicaSet newSet = call.in("newRS", ReplicaSet.class);
            List<Pod> others = new java.util.ArrayList<>();
            call.in("podMap").properties().forEach(owner -> {
                if (newSet == null
                        || !owner.getKey().equals(newSet.getMetadata().getUid())) {
                    others.addAll(UpstreamCase.readList(owner.getValue(), Pod.class));
                }
            });
            assertThat(Recreate.oldPodsRun(call.list("oldRSs", ReplicaSet.class), others))
                    .isEqualTo(call.out(0).asBoolean());
        });
        replays.replay(CONTROLLER + "getReplicaSetsForDeployment", call -> {
            Deployment deployment = call.in("d", Deployment.class);
            Map<Claim, List<String>> claims = call.notes("replicaSets", ReplicaSet.class).stream()
                    .filter(set -> set.getMetadata()
                            .getNamespace()
                            .equals(deployment.getMetadata().getNamespace()))
                    .collect(Collectors.groupingBy(
                            set -> Claim.of(
                                    deployment,
                                    Selectors.matches(deployment.getSpec().getSelector(), set),
                                    set),
                            Collectors.mapping(DeploymentReplays::name, Collectors.toList())));
            List<String> claimed = new java.util.ArrayList<>(claims.getOrDefault(Claim.KEEP, List.of()));
            claimed.addAll(claims.getOrDefault(Claim.ADOPT, List.of()));
            assertThat(claimed).containsExactlyInAnyOrderElementsOf(names(call.outList(0, ReplicaSet.class)));
            assertThat(call.actions("patch", "replicasets"))
                    .hasSize(claims.getOrDefault(Claim.ADOPT, List.of()).size()
                            + claims.getOrDefault(Claim.RELEASE, List.of()).size());
        });
        replays.except(
                CONTROLLER + "getReplicaSetsForDeployment",
                call -> !call.out(1).isNull(),
                "what follows a failed request needs a client");
        replays.without(CONTROLLER + "syncDeployment", "whole reconciliations need a client; they are tested apart");
    }

    private static Deployment deployment(UpstreamCase call) {
        return call.in("deployment").isMissingNode()
                ? new DeploymentBuilder(call.in("d", Deployment.class)).build()
                : call.in("deployment", Deployment.class);
    }

    private static DeploymentStatus newStatus(UpstreamCase call) {
        return call.in("newStatus", DeploymentStatus.class);
    }

    /** The sizes of the ReplicaSets that Kubernetes wrote, by their names. */
    private static Map<String, Integer> written(UpstreamCase call) {
        Map<String, Integer> sizes = new TreeMap<>();
        call.actions("update", "replicasets").forEach(action -> {
            ReplicaSet set = UpstreamCase.read(action.get("object"), ReplicaSet.class);
            sizes.put(set.getMetadata().getName(), ReplicaSets.replicas(set));
        });
        return sizes;
    }

    /** The sizes of the ReplicaSets that a plan has written: those whose size or annotations change. */
    private static Map<String, Integer> written(ScalePlan plan, Deployment deployment) {
        Map<String, Integer> sizes = new TreeMap<>();
        for (ScalePlan.Scale scale : plan.scales()) {
            if (scale.isChange()
                    || Revisions.annotateSizes(new ReplicaSetBuilder(scale.replicaSet()).build(), deployment)) {
                sizes.put(name(scale.replicaSet()), scale.replicas());
            }
        }
        return sizes;
    }

    private static int removed(ScalePlan plan) {
        return plan.scales().stream()
                .mapToInt(scale -> ReplicaSets.replicas(scale.replicaSet()) - scale.replicas())
                .sum();
    }

    private static List<ReplicaSet> oldestFirst(List<ReplicaSet> sets) {
        return sets.stream().sorted(ReplicaSets.OLDEST_FIRST).toList();
    }

    private static List<ReplicaSet> without(@Nullable ReplicaSet one, List<ReplicaSet> sets) {
        return sets.stream().filter(set -> !set.equals(one)).toList();
    }

    private static Map<String, String> labels(ReplicaSet set) {
        return set.getMetadata().getLabels() == null
                ? Map.of()
                : set.getMetadata().getLabels();
    }

    private static @Nullable String name(@Nullable HasMetadata object) {
        return object == null ? null : object.getMetadata().getName();
    }

    private static List<String> names(Collection<? extends HasMetadata> objects) {
        return objects.stream().map(DeploymentReplays::name).toList();
    }
}
