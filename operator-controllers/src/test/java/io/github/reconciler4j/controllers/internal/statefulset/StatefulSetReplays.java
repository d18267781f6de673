package io.github.reconciler4j.controllers.internal.statefulset;

import static io.github.reconciler4j.controllers.upstream.UpstreamCase.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.util.RawValue;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import io.github.reconciler4j.controllers.internal.revision.Revisions;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.upstream.Replays;
import io.github.reconciler4j.controllers.upstream.UpstreamCase;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** Repeats the cases of Kubernetes' tests of its StatefulSet controller. */
public final class StatefulSetReplays {

    private static final String CONTROL = "statefulset.defaultStatefulSetControl.";

    private StatefulSetReplays() {}

    public static Replays all() {
        Replays replays = new Replays();
        names(replays);
        identity(replays);
        claimOwners(replays);
        revisions(replays);
        histories(replays);
        podStatus(replays);
        replicaStatus(replays);
        updates(replays);
        steps(replays);
        return replays;
    }

    private static void names(Replays replays) {
        replays.replay("statefulset.getParentNameAndOrdinal", call -> {
            Pod pod = call.in("pod", Pod.class);
            assertThat(Ordinals.parent(pod)).isEqualTo(call.out(0).asText());
            assertThat(Ordinals.of(pod)).isEqualTo(call.out(1).asInt());
        });
        replays.replay(
                "statefulset.podInOrdinalRange",
                call -> assertThat(Ordinals.contains(call.in("set", StatefulSet.class), call.in("pod", Pod.class)))
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay(
                "statefulset.isMemberOf",
                call -> assertThat(Ordinals.isMember(call.in("set", StatefulSet.class), call.in("pod", Pod.class)))
                        .isEqualTo(call.out(0).asBoolean()));
    }

    private static void identity(Replays replays) {
        replays.replay(
                "statefulset.identityMatches",
                call -> assertThat(
                                StatefulPods.hasIdentity(call.in("set", StatefulSet.class), call.in("pod", Pod.class)))
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay(
                "statefulset.storageMatches",
                call -> assertThat(
                                StatefulPods.hasStorage(call.in("set", StatefulSet.class), call.in("pod", Pod.class)))
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay("statefulset.updateIdentity", call -> assertChanged(call, StatefulPods::giveIdentity));
        replays.replay("statefulset.updateStorage", call -> assertChanged(call, StatefulPods::giveStorage));
        replays.replay(
                "statefulset.initIdentity",
                call -> assertChanged(call, (set, pod) -> {
                    StatefulPods.giveIdentity(set, pod);
                    pod.getSpec().setHostname(pod.getMetadata().getName());
                    pod.getSpec().setSubdomain(set.getSpec().getServiceName());
                }));
        replays.replay("statefulset.newStatefulSetPod", call -> {
            StatefulSet set = withUid(call.in("set", StatefulSet.class));
            Pod pod = StatefulPods.create(set, set.getSpec().getTemplate(), call.number("ordinal"), "");
            pod.getMetadata().getLabels().remove(Revisions.POD_LABEL);
            assertPod(pod, call.out(0, Pod.class));
        });
        replays.replay("statefulset.getPersistentVolumeClaims", call -> {
            Map<String, PersistentVolumeClaim> expected =
                    UpstreamCase.readMap(call.out(0), PersistentVolumeClaim.class);
            StatefulSet set = call.in("set", StatefulSet.class);
            List<PersistentVolumeClaim> claims = StatefulPods.claims(set, call.in("pod", Pod.class));
            assertThat(claims.stream().map(claim -> json(normalized(claim))).collect(Collectors.toSet()))
                    .isEqualTo(expected.values().stream()
                            .map(claim -> json(normalized(claim)))
                            .collect(Collectors.toSet()));
        });
    }

    private static PersistentVolumeClaim normalized(PersistentVolumeClaim claim) {
        if (claim.getMetadata().getLabels() == null) {
            claim.getMetadata().setLabels(Map.of());
        }
        return claim;
    }

    private static StatefulSet withUid(StatefulSet set) {
        if (set.getMetadata().getUid() == null || set.getMetadata().getUid().isEmpty()) {
            set.getMetadata().setUid("none");
        }
        return set;
    }

    private static void assertChanged(UpstreamCase call, BiConsumer<StatefulSet, Pod> change) {
        Pod pod = call.in("pod", Pod.class);
        change.accept(call.in("set", StatefulSet.class), pod);
        assertPod(pod, call.after("pod", Pod.class));
    }

    /** The order of volumes depends on that of a map in Go. */
    private static void assertPod(Pod pod, Pod expected) {
        for (Pod each : List.of(pod, expected)) {
            each.getSpec()
                    .setVolumes(each.getSpec().getVolumes().stream()
                            .sorted(java.util.Comparator.comparing(Volume::getName))
                            .toList());
            each.getMetadata()
                    .getOwnerReferences()
                    .forEach(owner ->
                            owner.setUid(Objects.toString(owner.getUid(), "").replace("none", "")));
            each.getSpec().getVolumes().stream()
                    .filter(volume -> volume.getPersistentVolumeClaim() != null)
                    .forEach(volume -> volume.getPersistentVolumeClaim().setReadOnly(null));
            if (each.getMetadata().getAnnotations() == null) {
                each.getMetadata().setAnnotations(Map.of());
            }
            if (Objects.equals(each.getSpec().getSubdomain(), "")) {
                each.getSpec().setSubdomain(null);
            }
            each.setStatus(null);
        }
        assertThat(json(pod)).isEqualTo(json(expected));
    }

    private static void claimOwners(Replays replays) {
        replays.replay(
                "statefulset.hasUnexpectedController",
                call -> assertThat(owners(call).haveForeignController())
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay(
                "statefulset.hasNonControllerOwner",
                call -> assertThat(owners(call).isOwnedWithoutControl())
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay(
                "statefulset.isClaimOwnerUpToDate",
                call -> assertThat(owners(call).areRight())
                        .isEqualTo(call.out(0).asBoolean()));
        replays.except(
                "statefulset.isClaimOwnerUpToDate",
                call -> call.in("claim").toString().contains("\"uid\":\"\""),
                "the owner of the claim has no uid, and neither has the pod");
        replays.replay("statefulset.hasStaleOwnerRef", call -> {
            Pod pod = call.in("obj", Pod.class);
            StatefulSet set = call.in("obj", StatefulSet.class);
            boolean isSet = call.in("gvk").toString().contains("StatefulSet");
            assertThat(new ClaimOwners(call.in("target", PersistentVolumeClaim.class), set, pod)
                            .isStale(isSet ? set : pod))
                    .isEqualTo(call.out(0).asBoolean());
        });
        replays.replay("statefulset.updateClaimOwnerRefForSetAndPod", call -> {
            List<OwnerReference> expected = call.after("claim", PersistentVolumeClaim.class)
                    .getMetadata()
                    .getOwnerReferences();
            assertThat(owners(call).wanted()).containsExactlyInAnyOrderElementsOf(expected);
        });
    }

    private static ClaimOwners owners(UpstreamCase call) {
        return new ClaimOwners(
                call.in("claim", PersistentVolumeClaim.class),
                call.in("set", StatefulSet.class),
                call.in("pod", Pod.class));
    }

    private static void revisions(Replays replays) {
        replays.replay("statefulset.newRevision", call -> {
            StatefulSet set = withUid(call.in("set", StatefulSet.class));
            ControllerRevision revision = Revisions.describe(
                    set,
                    set.getSpec().getTemplate(),
                    SetRevisions.HASH_LABEL,
                    call.number("revision"),
                    call.in("collisionCount").isNull() ? null : call.number("collisionCount"));
            ControllerRevision expected = call.out(0, ControllerRevision.class);
            assertThat(Revisions.name(revision)).isEqualTo(Revisions.name(expected));
            assertThat(revision.getMetadata().getLabels())
                    .isEqualTo(expected.getMetadata().getLabels());
            assertThat(revision.getData())
                    .hasToString(new RawValue(Revisions.data(expected).toString()).toString());
            assertThat(revision.getRevision()).isEqualTo(expected.getRevision());
        });
        replays.except(
                "statefulset.ApplyRevision",
                call -> !call.in("revision").path("data").isObject(),
                "every revision has data, which is an object");
        replays.replay("statefulset.ApplyRevision", call -> {
            StatefulSet set = call.in("set", StatefulSet.class);
            set.getSpec()
                    .setTemplate(Revisions.data(call.in("revision", ControllerRevision.class))
                            .template());
            assertThat(json(set.getSpec().getTemplate()))
                    .isEqualTo(json(call.out(0, StatefulSet.class).getSpec().getTemplate()));
        });
        replays.replay(
                "statefulset.nextRevision",
                call -> assertThat(Revisions.next(call.list("revisions", ControllerRevision.class)))
                        .isEqualTo(call.out(0).asLong()));
    }

    private static void histories(Replays replays) {
        replays.replay(CONTROL + "truncateHistory", call -> {
            ControllerRevision current = call.in("current", ControllerRevision.class);
            ControllerRevision update = call.in("update", ControllerRevision.class);
            SetRevisions revisions = new SetRevisions(current, update, 0);
            assertThat(names(revisions.expired(
                            call.in("set", StatefulSet.class),
                            call.list("revisions", ControllerRevision.class),
                            call.list("pods", Pod.class))))
                    .isEqualTo(names(call.notes("expired", ControllerRevision.class)));
        });
        replays.except(
                CONTROL + "truncateHistory",
                call -> call.in("current").isNull() || call.in("update").isNull(),
                "the history is not shortened while its revisions cannot be read");
    }

    private static List<String> names(Collection<ControllerRevision> revisions) {
        return revisions.stream().map(Revisions::name).toList();
    }

    private static void podStatus(Replays replays) {
        replays.replay(
                "statefulset.isRunningAndReady",
                call -> assertThat(StatefulPods.isRunningAndReady(call.in("pod", Pod.class)))
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay(
                "statefulset.isUnavailable",
                call -> assertThat(StatefulPods.isUnavailable(
                                call.in("pod", Pod.class), call.number("minReadySeconds"), time(call)))
                        .isEqualTo(call.out(0).asBoolean()));
    }

    private static void replicaStatus(Replays replays) {
        replays.replay("statefulset.computeReplicaStatus", call -> {
            SetRevisions revisions = new SetRevisions(
                    call.in("currentRevision", ControllerRevision.class),
                    call.in("updateRevision", ControllerRevision.class),
                    0);
            StatefulSet set = new StatefulSetBuilder()
                    .withNewMetadata()
                    .endMetadata()
                    .withNewSpec()
                    .withReplicas(-1)
                    .withMinReadySeconds(call.number("minReadySeconds"))
                    .endSpec()
                    .build();
            StatefulSetStatus status =
                    StatefulSetStatuses.of(set, revisions, call.list("pods", Pod.class), 0, time(call));
            assertThat(List.of(
                            status.getReplicas(),
                            Numbers.orZero(status.getReadyReplicas()),
                            status.getAvailableReplicas(),
                            Numbers.orZero(status.getCurrentReplicas()),
                            Numbers.orZero(status.getUpdatedReplicas())))
                    .isEqualTo(List.of(
                            call.out(0).get("replicas").asInt(),
                            call.out(0).get("readyReplicas").asInt(),
                            call.out(0).get("availableReplicas").asInt(),
                            call.out(0).get("currentReplicas").asInt(),
                            call.out(0).get("updatedReplicas").asInt()));
        });
    }

    private static void updates(Replays replays) {
        replays.replay("statefulset.completeUpdate", call -> {
            StatefulSetStatus status = call.in("status", StatefulSetStatus.class);
            StatefulSetStatuses.complete(call.in("set", StatefulSet.class), status);
            assertThat(json(status)).isEqualTo(json(call.after("status", StatefulSetStatus.class)));
        });
        replays.except("statefulset.completeUpdate", StatefulSetReplays::isRecreate, RECREATE);
        replays.replay("statefulset.getStatefulSetMaxUnavailable", call -> {
            StatefulSet set = new StatefulSetBuilder()
                    .withNewSpec()
                    .withReplicas(call.number("replicaCount"))
                    .withNewUpdateStrategy()
                    .withNewRollingUpdate()
                    .withMaxUnavailable(call.in("maxUnavailable", IntOrString.class))
                    .endRollingUpdate()
                    .endUpdateStrategy()
                    .endSpec()
                    .build();
            assertThat(RollingUpdates.maxUnavailable(set)).isEqualTo(call.out(0).asInt());
        });
    }

    private static final String RECREATE = "the strategy Recreate is off unless a feature gate enables it";

    private static boolean isRecreate(UpstreamCase call) {
        return call.in("set")
                .path("spec")
                .path("updateStrategy")
                .path("type")
                .asText()
                .equals("Recreate");
    }

    private static Instant time(UpstreamCase call) {
        return Instant.parse(call.in("now").asText());
    }

    private static void steps(Replays replays) {
        replays.replay(CONTROL + "updateStatefulSet", call -> {
            StatefulSet set = withUid(call.in("set", StatefulSet.class));
            SetRevisions revisions = new SetRevisions(
                    call.in("currentRevision", ControllerRevision.class),
                    call.in("updateRevision", ControllerRevision.class),
                    call.number("collisionCount"));
            RecordedActions actions = new RecordedActions(set, call.notes("claims", PersistentVolumeClaim.class));
            StatefulSetStep.Outcome outcome =
                    new StatefulSetStep(set, revisions, call.list("pods", Pod.class), actions, time(call)).run();
            if (outcome.failure() != null) {
                throw outcome.failure();
            }
            List<String> expected = UpstreamCase.readList(call.note("effects"), String.class);
            assertThat(new TreeSet<>(actions.effects())).isEqualTo(new TreeSet<>(expected));
            StatefulSetStatus status = call.out(0, StatefulSetStatus.class);
            StatefulSetStatuses.complete(set, status);
            assertThat(json(normalized(outcome.status()))).isEqualTo(json(normalized(status)));
        });
        replays.except(
                CONTROL + "updateStatefulSet",
                call -> isRecreate(call)
                        || !call.out(1).isNull()
                        || call.in("set")
                                .path("metadata")
                                .path("deletionTimestamp")
                                .isNull(),
                RECREATE + ", or a request fails, or the set has a deletion time that is no time");
    }

    private static StatefulSetStatus normalized(StatefulSetStatus status) {
        status.setCurrentReplicas(Numbers.orZero(status.getCurrentReplicas()));
        status.setReadyReplicas(Numbers.orZero(status.getReadyReplicas()));
        status.setUpdatedReplicas(Numbers.orZero(status.getUpdatedReplicas()));
        status.setObservedGeneration(Numbers.orZero(status.getObservedGeneration()));
        return status;
    }
}
