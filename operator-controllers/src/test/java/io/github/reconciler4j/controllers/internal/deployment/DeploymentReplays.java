package io.github.reconciler4j.controllers.internal.deployment;

import static io.github.reconciler4j.controllers.internal.deployment.DeploymentCases.deployment;
import static io.github.reconciler4j.controllers.internal.deployment.DeploymentCases.labels;
import static io.github.reconciler4j.controllers.internal.deployment.DeploymentCases.name;
import static io.github.reconciler4j.controllers.internal.deployment.DeploymentCases.names;
import static io.github.reconciler4j.controllers.upstream.UpstreamCase.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.github.reconciler4j.controllers.internal.support.Claim;
import io.github.reconciler4j.controllers.internal.support.Selectors;
import io.github.reconciler4j.controllers.upstream.Replays;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** Repeats the cases of Kubernetes' tests of its Deployment controller. */
public final class DeploymentReplays {

    private static final String UTIL = "deployment/util.";
    private static final String CONTROLLER = "deployment.DeploymentController.";

    private DeploymentReplays() {}

    public static Replays all() {
        Replays replays = new Replays();
        limits(replays);
        replicaSets(replays);
        templates(replays);
        owners(replays);
        revisions(replays);
        annotations(replays);
        conditions(replays);
        claims(replays);
        RolloutReplays.addTo(replays);
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
    }

    private static void sum(Replays replays, String function, ToIntFunction<ReplicaSet> number) {
        replays.replay(
                UTIL + function,
                call -> assertThat(ReplicaSets.sum(call.list("replicaSets", ReplicaSet.class), number))
                        .isEqualTo(call.out(0).asInt()));
    }

    private static void templates(Replays replays) {
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
    }

    private static void owners(Replays replays) {
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
    }

    private static void annotations(Replays replays) {
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
        rollback(replays);
        replays.replay(
                CONTROLLER + "cleanupDeployment",
                call -> assertThat(names(Revisions.expired(deployment(call), call.list("oldRSs", ReplicaSet.class))))
                        .isEqualTo(call.actions("delete", "replicasets").stream()
                                .map(action -> action.get("name").asText())
                                .toList()));
    }

    private static void rollback(Replays replays) {
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

    private static void claims(Replays replays) {
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
                            Collectors.mapping(DeploymentCases::name, Collectors.toList())));
            List<String> claimed = new ArrayList<>(claims.getOrDefault(Claim.KEEP, List.of()));
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
}
