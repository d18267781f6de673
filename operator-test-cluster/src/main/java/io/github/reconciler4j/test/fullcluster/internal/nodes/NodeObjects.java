package io.github.reconciler4j.test.fullcluster.internal.nodes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.NodeStatusBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.github.reconciler4j.test.fullcluster.internal.support.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Decides what nodes look like. Stateless. */
public final class NodeObjects {

    private static final String NOT_READY = "node.kubernetes.io/not-ready";
    private static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";
    private static final String NO_SCHEDULE = "NoSchedule";
    private static final Map<String, Quantity> RESOURCES = Map.of(
            "cpu", new Quantity("8"),
            "memory", new Quantity("16Gi"),
            "ephemeral-storage", new Quantity("100Gi"),
            "pods", new Quantity("110"));
    private static final int BYTE = 256;

    private NodeObjects() {}

    /** Return a node without a status. Numbers start with 1. */
    public static Node node(int number) {
        String name = "node-" + number;
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("kubernetes.io/hostname", name)
                .addToLabels("kubernetes.io/os", "linux")
                .addToLabels("kubernetes.io/arch", "amd64")
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .build();
    }

    /** Fill in what is missing in the status of a node: readiness, resources and addresses. */
    static void completeStatus(Node node, Instant now) {
        NodeStatus status = Objects.requireNonNullElseGet(node.getStatus(), NodeStatus::new);
        NodeStatusBuilder completed = new NodeStatusBuilder(status);
        if (status.getCapacity() == null || status.getCapacity().isEmpty()) {
            completed.withCapacity(RESOURCES);
        }
        if (status.getAllocatable() == null || status.getAllocatable().isEmpty()) {
            completed.withAllocatable(
                    status.getCapacity() == null || status.getCapacity().isEmpty() ? RESOURCES : status.getCapacity());
        }
        if (status.getAddresses().isEmpty()) {
            String name = node.getMetadata().getName();
            completed.withAddresses(new NodeAddress(address(name), "InternalIP"), new NodeAddress(name, "Hostname"));
        }
        if (status.getConditions().stream().noneMatch(condition -> "Ready".equals(condition.getType()))) {
            completed.addToConditions(condition("MemoryPressure", "False", "KubeletHasSufficientMemory", now));
            completed.addToConditions(condition("DiskPressure", "False", "KubeletHasNoDiskPressure", now));
            completed.addToConditions(condition("PIDPressure", "False", "KubeletHasSufficientPID", now));
            completed.addToConditions(condition("Ready", "True", "KubeletReady", now));
        }
        node.setStatus(completed.build());
    }

    private static NodeCondition condition(String type, String status, String reason, Instant now) {
        String time = Times.format(now);
        return new NodeConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(reason)
                .withLastHeartbeatTime(time)
                .withLastTransitionTime(time)
                .build();
    }

    /** Return an address that depends on the name alone: nodes with a number at the end have it in their address. */
    private static String address(String name) {
        String digits = name.replaceAll(".*?(\\d{0,4})$", "$1");
        int number = digits.isEmpty() ? Math.floorMod(name.hashCode(), BYTE * BYTE) : Integer.parseInt(digits);
        return "172.18." + number / BYTE % BYTE + "." + number % BYTE;
    }

    /** Set the taints that follow from the readiness of a node, and from whether it is cordoned. */
    static void settleTaints(Node node) {
        boolean isReady = node.getStatus().getConditions().stream()
                .anyMatch(condition -> "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
        settle(node, NOT_READY, !isReady);
        settle(node, UNSCHEDULABLE, Boolean.TRUE.equals(node.getSpec().getUnschedulable()));
    }

    private static void settle(Node node, String key, boolean isWanted) {
        List<Taint> taints = new ArrayList<>(node.getSpec().getTaints());
        boolean isThere =
                taints.stream().anyMatch(taint -> key.equals(taint.getKey()) && NO_SCHEDULE.equals(taint.getEffect()));
        if (isThere == isWanted) {
            return;
        }
        if (isWanted) {
            taints.add(new Taint(NO_SCHEDULE, key, null, null));
        } else {
            taints.removeIf(taint -> key.equals(taint.getKey()) && NO_SCHEDULE.equals(taint.getEffect()));
        }
        node.getSpec().setTaints(taints);
    }
}
