package io.github.reconciler4j.controllers.internal.daemonset;

import static io.github.reconciler4j.controllers.upstream.UpstreamCase.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSetStatus;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.upstream.Replays;
import io.github.reconciler4j.controllers.upstream.UpstreamCase;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Repeats the cases of Kubernetes' tests of its DaemonSet controller. */
public final class DaemonSetReplays {

    /** Tests of surges, whose clock stands still long ago. */
    private static final Set<String> OWN_CLOCK = Set.of(
            "TestSurgePreservesOldReadyWithUnsatisfiedMinReady", "TestDaemonSetUpdatesAllOldPodsNotReadyMaxSurge");

    private static final String CONTROLLER = "daemon.DaemonSetsController.";
    private static final String UTIL = "daemon/util.";

    private DaemonSetReplays() {}

    public static Replays all() {
        Replays replays = new Replays();
        podTemplates(replays);
        pods(replays);
        limits(replays);
        nodes(replays);
        statuses(replays);
        updates(replays);
        return replays;
    }

    private static void podTemplates(Replays replays) {
        replays.replay(UTIL + "CreatePodTemplate", call -> {
            DaemonSet set = new DaemonSetBuilder()
                    .withNewMetadata()
                    .withNamespace("n")
                    .withName("d")
                    .withUid("u")
                    .endMetadata()
                    .withNewSpec()
                    .withTemplate(call.in("template", PodTemplateSpec.class))
                    .endSpec()
                    .build();
            if (set.getSpec().getTemplate().getSpec() == null) {
                set.getSpec().getTemplate().setSpec(new io.fabric8.kubernetes.api.model.PodSpec());
            }
            if (!call.in("generation").isNull()) {
                set.getMetadata()
                        .setAnnotations(Map.of(
                                DaemonPods.GENERATION_ANNOTATION,
                                call.in("generation").asText()));
            }
            Pod pod = DaemonPods.create(set, "node", call.in("hash").asText());
            PodTemplateSpec expected = call.out(0, PodTemplateSpec.class);
            Map<String, String> labels = new TreeMap<>(pod.getMetadata().getLabels());
            labels.values().removeIf(String::isEmpty);
            assertThat(labels).isEqualTo(orEmpty(expected.getMetadata().getLabels()));
            assertThat(json(pod.getSpec().getTolerations()))
                    .isEqualTo(json(expected.getSpec().getTolerations()));
        });
    }

    private static void pods(Replays replays) {
        replays.replay(
                UTIL + "IsPodUpdated",
                call -> assertThat(DaemonPods.isUpdated(
                                withGeneration(call.in("dsTemplateGeneration")),
                                call.in("pod", Pod.class),
                                call.in("hash").asText()))
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay(
                UTIL + "ReplaceDaemonSetPodNodeNameNodeAffinity",
                call -> assertThat(json(DaemonPods.bindTo(
                                call.in("affinity", Affinity.class),
                                call.in("nodename").asText())))
                        .isEqualTo(json(call.out(0, Affinity.class))));
        replays.replay(UTIL + "GetTargetNodeName", call -> {
            String node = DaemonPods.targetNode(call.in("pod", Pod.class));
            assertThat(node).isEqualTo(call.out(1).isNull() ? call.out(0).asText() : null);
        });
        replays.replay("daemon.podByCreationTimestampAndPhase.Less", call -> {
            List<Pod> pods = call.notes("pods", Pod.class);
            int compared = DaemonPods.OLDEST_FIRST.compare(pods.get(call.number("i")), pods.get(call.number("j")));
            assertThat(compared < 0).isEqualTo(call.out(0).asBoolean());
        });
    }

    private static Map<String, String> orEmpty(@Nullable Map<String, String> map) {
        return map == null ? Map.of() : map;
    }

    private static DaemonSet withGeneration(JsonNode generation) {
        return new DaemonSetBuilder()
                .withNewMetadata()
                .withAnnotations(
                        generation.isNull() ? Map.of() : Map.of(DaemonPods.GENERATION_ANNOTATION, generation.asText()))
                .endMetadata()
                .build();
    }

    private static void limits(Replays replays) {
        replays.replay(
                UTIL + "AllowsSurge",
                call -> assertThat(DaemonLimits.allowSurge(call.in("ds", DaemonSet.class)))
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay(
                UTIL + "SurgeCount",
                call -> assertThat(DaemonLimits.surge(call.in("ds", DaemonSet.class), call.number("numberToSchedule")))
                        .isEqualTo(call.out(0).asInt()));
        replays.replay(
                UTIL + "UnavailableCount",
                call -> assertThat(DaemonLimits.unavailable(
                                call.in("ds", DaemonSet.class), call.number("numberToSchedule")))
                        .isEqualTo(call.out(0).asInt()));
        replays.except(UTIL + "SurgeCount", call -> !call.out(1).isNull(), "the API server refuses the limit");
        replays.except(UTIL + "UnavailableCount", call -> !call.out(1).isNull(), "the API server refuses the limit");
        replays.except(
                UTIL + "AllowsSurge",
                call -> call.in("ds").toString().contains("\"maxSurge\":\"invalid"),
                "the API server refuses the limit");
        replays.replay(CONTROLLER + "updatedDesiredNodeCounts", call -> {
            DaemonSet set = call.in("ds", DaemonSet.class);
            List<Node> nodes = call.list("nodeList", Node.class);
            int desired = (int)
                    nodes.stream().filter(node -> NodeFit.of(set, node).run()).count();
            DaemonLimits limits = DaemonLimits.of(set, desired);
            assertThat(List.of(limits.maxSurge(), limits.maxUnavailable(), desired))
                    .isEqualTo(List.of(
                            call.out(0).asInt(),
                            call.out(1).asInt(),
                            call.out(2).asInt()));
        });
    }

    private static void nodes(Replays replays) {
        replays.replay("daemon.NodeShouldRunDaemonPod", call -> {
            NodeFit fit = NodeFit.of(call.in("ds", DaemonSet.class), call.in("node", Node.class));
            assertThat(fit)
                    .isEqualTo(new NodeFit(call.out(0).asBoolean(), call.out(1).asBoolean()));
        });
        replays.replay(
                "daemon.getUnscheduledPodsWithoutNode",
                call -> assertThat(names(NodePlans.withoutNode(
                                call.list("runningNodesList", Node.class), podsByNode(call.in("nodeToDaemonPods")))))
                        .containsExactlyInAnyOrderElementsOf(call.outList(0, String.class)));
        replays.replay(CONTROLLER + "podsShouldBeOnNode", call -> {
            Node node = call.in("node", Node.class);
            NodePlans plans = new NodePlans(
                    call.in("ds", DaemonSet.class), call.in("hash").asText(), new FailedPods(), call.now());
            DaemonPlan plan = plans.of(
                    node,
                    podsByNode(call.in("nodeToDaemonPods"))
                            .get(node.getMetadata().getName()));
            assertThat(plan.create()).isEqualTo(call.outList(0, String.class));
            assertThat(names(plan.delete())).containsExactlyInAnyOrderElementsOf(call.outList(1, String.class));
        });
        replays.except(
                CONTROLLER + "podsShouldBeOnNode",
                call -> call.note("inBackoff").asBoolean() || OWN_CLOCK.contains(call.test()),
                "the delay of failed pods has been counted before, or the clock of the test is not recorded");
    }

    private static void statuses(Replays replays) {
        replays.replay(CONTROLLER + "updateDaemonSetStatus", call -> {
            DaemonSetStatus status = DaemonSetStatuses.of(
                    call.in("ds", DaemonSet.class),
                    call.list("nodeList", Node.class),
                    podsByNode(call.note("nodeToDaemonPods")),
                    call.in("hash").asText(),
                    time(call));
            assertThat(List.of(
                            status.getDesiredNumberScheduled(),
                            status.getCurrentNumberScheduled(),
                            status.getNumberMisscheduled(),
                            status.getNumberReady(),
                            Numbers.orZero(status.getUpdatedNumberScheduled()),
                            Numbers.orZero(status.getNumberAvailable()),
                            Numbers.orZero(status.getNumberUnavailable())))
                    .isEqualTo(UpstreamCase.readList(call.note("counts"), Integer.class));
        });
        replays.except(
                CONTROLLER + "updateDaemonSetStatus",
                call -> call.note("time").isMissingNode(),
                "what follows a failed request needs a client");
    }

    private static void updates(Replays replays) {
        replays.replay("daemon.findUpdatedPodsOnNode", call -> {
            DaemonUpdate.NodePods pods = DaemonUpdate.NodePods.of(
                    call.in("ds", DaemonSet.class),
                    call.list("podsOnNode", Pod.class),
                    call.in("hash").asText());
            assertThat(pods.surplus()).isEqualTo(!call.out(2).asBoolean());
            assertThat(name(pods.updated())).isEqualTo(name(call.out(0, Pod.class)));
            assertThat(name(pods.old())).isEqualTo(name(call.out(1, Pod.class)));
        });
        replays.replay(CONTROLLER + "rollingUpdate", call -> {
            DaemonPlan plan = new DaemonUpdate(
                            call.in("ds", DaemonSet.class),
                            call.in("hash").asText(),
                            call.list("nodeList", Node.class),
                            podsByNode(call.note("nodeToDaemonPods")),
                            time(call))
                    .plan();
            List<String> delete = UpstreamCase.readList(call.note("delete"), String.class);
            List<String> create = UpstreamCase.readList(call.note("create"), String.class);
            assertThat(plan.delete()).hasSameSizeAs(delete); // among equal candidates, Kubernetes chooses by chance
            assertThat(plan.create()).hasSameSizeAs(create);
        });
        replays.except(
                CONTROLLER + "rollingUpdate",
                call -> !call.out(0).isNull(),
                "what follows a failed request needs a client");
    }

    private static @Nullable String name(@Nullable Pod pod) {
        return pod == null ? null : pod.getMetadata().getName();
    }

    private static Instant time(UpstreamCase call) {
        return Instant.parse(call.note("time").asText());
    }

    private static Map<String, List<Pod>> podsByNode(JsonNode map) {
        Map<String, List<Pod>> pods = new TreeMap<>();
        map.properties().forEach(entry -> pods.put(entry.getKey(), UpstreamCase.readList(entry.getValue(), Pod.class)));
        return pods;
    }

    private static List<String> names(Collection<Pod> pods) {
        return pods.stream()
                .map(pod -> Objects.requireNonNullElse(pod.getMetadata().getName(), ""))
                .toList();
    }
}
