package io.github.reconciler4j.controllers.internal.replicaset;

import static io.github.reconciler4j.controllers.upstream.UpstreamCase.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetCondition;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetStatus;
import io.github.reconciler4j.controllers.internal.support.Claim;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Pods;
import io.github.reconciler4j.controllers.internal.support.Selectors;
import io.github.reconciler4j.controllers.internal.support.SlowStart;
import io.github.reconciler4j.controllers.upstream.Replays;
import io.github.reconciler4j.controllers.upstream.UpstreamCase;
import io.github.reconciler4j.scheme.LabelMatcher;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.assertj.core.data.Offset;

/** Repeats the cases of Kubernetes' tests of its ReplicaSet controller, and of what it uses. */
public final class ReplicaSetReplays {

    private static final String CONTROLLER = "replicaset.ReplicaSetController.";

    private ReplicaSetReplays() {}

    public static Replays all() {
        Replays replays = new Replays();
        pods(replays);
        ranking(replays);
        claims(replays);
        replicas(replays);
        status(replays);
        return replays;
    }

    private static void pods(Replays replays) {
        replays.replay(
                "controller.FilterActivePods",
                call -> assertThat(names(filter(call.list("pods", Pod.class), Pods::isActive)))
                        .isEqualTo(names(call.outList(0, Pod.class))));
        replays.replay(
                "controller.FilterTerminatingPods",
                call -> assertThat(names(filter(call.list("pods", Pod.class), Pods::isTerminating)))
                        .isEqualTo(names(call.outList(0, Pod.class))));
        replays.replay("controller.nextPodAvailabilityCheck", call -> {
            Optional<Duration> time = Pods.untilAvailable(
                    call.in("pod", Pod.class),
                    call.number("minReadySeconds"),
                    Instant.parse(call.in("now").asText()));
            assertTime(time, call);
        });
        replays.replay("controller.findMinNextPodAvailabilitySimpleCheck", call -> {
            Optional<Duration> time = Pods.untilNextAvailable(
                    call.list("pods", Pod.class),
                    call.number("minReadySeconds"),
                    Instant.parse(call.in("now").asText()));
            assertTime(time, call);
        });
    }

    /** Go subtracts readings of a monotonic clock, which differ from those of the calendar by nanoseconds. */
    private static void assertTime(Optional<Duration> time, UpstreamCase call) {
        assertThat(time.isPresent()).isEqualTo(!call.out(0).isNull());
        time.ifPresent(t -> assertThat(t.toNanos()).isCloseTo(call.out(0).asLong(), Offset.offset(100_000L)));
    }

    private static void ranking(Replays replays) {
        replays.replay("controller.ActivePodsWithRanks.Less", call -> {
            List<Pod> pods = call.list("pods", Pod.class);
            pods.forEach(ReplicaSetReplays::giveUid);
            int compared = PodRanking.leastUsefulFirst(
                            pod -> call.in("ranks")
                                    .get(pod == pods.get(0) ? 0 : 1)
                                    .asInt(),
                            Instant.parse(call.in("reference").asText()))
                    .compare(pods.get(0), pods.get(1));
            assertThat(compared < 0).isEqualTo(call.out(0).asBoolean());
        });
        replays.except(
                "controller.ActivePodsWithRanks.Less",
                call -> call.in("reference").isNull(),
                "no controller compares ages exactly any more");
        replays.replay("replicaset.getPodsRankedByRelatedPodsOnSameNode", call -> {
            List<Pod> related = filter(call.list("relatedPods", Pod.class), Pods::isActive);
            List<Pod> pods = call.list("podsToRank", Pod.class);
            for (int i = 0; i < pods.size(); i++) {
                Pod pod = pods.get(i);
                assertThat(related.stream().filter(other -> Pods.node(other).equals(Pods.node(pod))))
                        .hasSize(call.out(0).get("Rank").get(i).asInt());
            }
        });
        replays.replay("replicaset.getPodsToDelete", call -> {
            List<Pod> pods = call.list("filteredPods", Pod.class);
            pods.forEach(ReplicaSetReplays::giveUid);
            assertThat(names(PodRanking.toDelete(
                            pods, call.list("relatedPods", Pod.class), call.number("diff"), call.now())))
                    .containsExactlyInAnyOrderElementsOf(names(call.outList(0, Pod.class)));
        });
        replays.replay(
                CONTROLLER + "getIndirectlyRelatedPods",
                call -> assertThat(names(RelatedPods.of(
                                call.in("rs", ReplicaSet.class),
                                call.notes("replicaSets", ReplicaSet.class),
                                call.notes("pods", Pod.class))))
                        .containsExactlyInAnyOrderElementsOf(names(call.outList(0, Pod.class))));
    }

    private static void claims(Replays replays) {
        replays.replay("controller.PodControllerRefManager.ClaimPods", call -> {
            HasMetadata owner = UpstreamCase.read(call.note("controller"), GenericKubernetesResource.class);
            LabelMatcher selector = LabelMatcher.parse(call.note("selector").asText());
            List<Pod> pods = call.list("pods", Pod.class);
            assertClaims(call, claims(owner, pods, pod -> selector.matches(labels(pod))));
            if (call.note("patches").isArray()) { // the DaemonSet controller is tested with something else
                assertThat(call.note("patches"))
                        .hasSize(patches(claims(owner, pods, pod -> selector.matches(labels(pod)))));
            }
        });
        replays.except(
                "controller.PodControllerRefManager.ClaimPods",
                call -> !call.out(1).isNull()
                        || call.test().startsWith("TestPatchPod")
                        || call.test().equals("TestFinalizersRemovedExpectations")
                        || call.note("controller").path("kind").asText().equals("StatefulSet"),
                "what follows a failed request needs a client; StatefulSets also select by name");
        replays.replay(CONTROLLER + "claimPods", call -> {
            ReplicaSet set = call.in("rs", ReplicaSet.class);
            assertClaims(
                    call,
                    claims(
                            set,
                            call.list("filteredPods", Pod.class),
                            pod -> Selectors.matches(set.getSpec().getSelector(), pod)));
        });
        replays.except(
                CONTROLLER + "claimPods",
                call -> !call.out(1).isNull(),
                "what follows a failed request needs a client");
        replays.replay("controller.FilterClaimedPods", call -> {
            HasMetadata owner = call.in("controller", GenericKubernetesResource.class);
            LabelMatcher selector = LabelMatcher.parse(call.note("selector").asText());
            Map<Claim, List<String>> claims =
                    claims(owner, call.list("pods", Pod.class), pod -> selector.matches(labels(pod)));
            assertThat(claims.get(Claim.KEEP)).isEqualTo(names(call.outList(0, Pod.class)));
        });
    }

    private static Map<Claim, List<String>> claims(HasMetadata owner, List<Pod> pods, Predicate<Pod> matches) {
        Map<Claim, List<String>> claims = new EnumMap<>(Claim.class);
        for (Claim claim : Claim.values()) {
            claims.put(claim, new ArrayList<>());
        }
        pods.forEach(pod -> claims.get(Claim.of(owner, matches.test(pod), pod))
                .add(pod.getMetadata().getName()));
        return claims;
    }

    private static void assertClaims(UpstreamCase call, Map<Claim, List<String>> claims) {
        List<String> claimed = new ArrayList<>(claims.get(Claim.KEEP));
        claimed.addAll(claims.get(Claim.ADOPT));
        assertThat(claimed).containsExactlyInAnyOrderElementsOf(names(call.outList(0, Pod.class)));
    }

    private static int patches(Map<Claim, List<String>> claims) {
        return claims.get(Claim.ADOPT).size() + claims.get(Claim.RELEASE).size();
    }

    private static void replicas(Replays replays) {
        replays.replay(CONTROLLER + "manageReplicas", call -> {
            ReplicaSet set = call.in("rs", ReplicaSet.class);
            ReplicaPlan plan = ReplicaPlan.of(
                    Numbers.orZero(set.getSpec().getReplicas()),
                    call.list("activePods", Pod.class),
                    () -> RelatedPods.of(
                            set, call.notes("replicaSets", ReplicaSet.class), call.notes("pods", Pod.class)),
                    call.note("burst").asInt(),
                    call.now());
            JsonNode before = call.note("before");
            JsonNode after = call.note("control");
            assertThat(names(plan.delete()))
                    .containsExactlyInAnyOrderElementsOf(UpstreamCase.readList(after.get("deleted"), String.class)
                            .subList(
                                    before.get("deleted").asInt(),
                                    after.get("deleted").size()));
            if (call.out(0).isNull()) {
                assertThat(plan.create())
                        .isEqualTo(after.get("created").asInt()
                                - before.get("created").asInt());
            }
        });
        replays.replay("replicaset.slowStartBatch", call -> {
            int allowed = call.out(1).isNull() ? Integer.MAX_VALUE : call.out(0).asInt();
            AtomicInteger left = new AtomicInteger(allowed);
            SlowStart.Outcome outcome = SlowStart.run(call.number("count"), size -> {
                int succeed = Math.min(size, left.getAndAdd(-size));
                return new SlowStart.Outcome(succeed, succeed < size ? new IllegalStateException("limit") : null);
            });
            assertThat(outcome.successes()).isEqualTo(call.out(0).asInt());
        });
    }

    private static void status(Replays replays) {
        replays.replay("replicaset.calculateStatus", call -> {
            ReplicaSet set = call.in("rs", ReplicaSet.class);
            ReplicaSetStatus status = ReplicaSetStatuses.of(
                    set,
                    call.list("activePods", Pod.class),
                    call.list("terminatingPods", Pod.class).size(),
                    call.in("manageReplicasErr", String.class),
                    Instant.parse(call.in("now").asText()));
            ReplicaSetStatus expected = call.out(0, ReplicaSetStatus.class);
            status.setObservedGeneration(expected.getObservedGeneration());
            if (expected.getTerminatingReplicas() == null) {
                status.setTerminatingReplicas(null); // the case is of a server without this feature
            }
            assertThat(json(withoutTimes(status))).isEqualTo(json(withoutTimes(expected)));
        });
        replays.replay(
                "replicaset.GetCondition",
                call -> assertThat(json(ReplicaSetStatuses.find(
                                        call.in("status", ReplicaSetStatus.class),
                                        call.in("condType").asText())
                                .orElse(null)))
                        .isEqualTo(json(call.out(0, ReplicaSetCondition.class))));
        replays.replay("replicaset.SetCondition", call -> {
            ReplicaSetStatus status = call.in("status", ReplicaSetStatus.class);
            ReplicaSetStatuses.set(status, call.in("condition", ReplicaSetCondition.class));
            assertThat(json(status)).isEqualTo(json(call.after("status", ReplicaSetStatus.class)));
        });
        replays.replay("replicaset.RemoveCondition", call -> {
            ReplicaSetStatus status = call.in("status", ReplicaSetStatus.class);
            ReplicaSetStatuses.remove(status, call.in("condType").asText());
            assertThat(json(status)).isEqualTo(json(call.after("status", ReplicaSetStatus.class)));
        });
    }

    private static ReplicaSetStatus withoutTimes(ReplicaSetStatus status) {
        status.getConditions().forEach(condition -> condition.setLastTransitionTime(null));
        return status;
    }

    private static Map<String, String> labels(Pod pod) {
        return pod.getMetadata().getLabels() == null
                ? Map.of()
                : pod.getMetadata().getLabels();
    }

    private static void giveUid(Pod pod) {
        if (pod.getMetadata().getUid() == null) {
            pod.getMetadata().setUid("");
        }
    }

    private static List<Pod> filter(List<Pod> pods, Predicate<Pod> which) {
        return pods.stream().filter(which).toList();
    }

    private static List<String> names(Collection<Pod> pods) {
        return pods.stream().map(pod -> pod.getMetadata().getName()).toList();
    }
}
