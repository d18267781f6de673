package io.github.reconciler4j.test.fullcluster.internal.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which node a pod gets, and why it gets none. */
class PlacementTests {

    private static final Pod POD = new PodBuilder().withNewSpec().endSpec().build();

    private static NodeBuilder node(String name) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("size", "5")
                .endMetadata()
                .withNewSpec()
                .endSpec();
    }

    private static Pod requiring(String key, String operator, String... values) {
        return new PodBuilder()
                .withNewSpec()
                .withNewAffinity()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .withMatchExpressions(new NodeSelectorRequirement(key, operator, List.of(values)))
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .endSpec()
                .build();
    }

    @Test
    void nodesWhenThereAreNoneAreMissing() {
        assertThat(Placement.of(POD, List.of(), Map.of()).message()).isEqualTo("no nodes available to schedule pods");
    }

    @Test
    void nodesWhenSeveralFitAreTakenByTheNumberOfTheirPods() {
        List<Node> nodes = List.of(node("a").build(), node("b").build());

        assertThat(Placement.of(POD, nodes, Map.of()).node()).isEqualTo("a");
        assertThat(Placement.of(POD, nodes, Map.of("a", 1)).node()).isEqualTo("b");
    }

    @Test
    void reasonsWhenTheyDifferAreAllNamed() {
        Node full = node("full")
                .withNewStatus()
                .addToAllocatable("pods", new Quantity("2"))
                .endStatus()
                .build();
        Node cordoned =
                node("cordoned").editSpec().withUnschedulable(true).endSpec().build();
        Node tainted = node("tainted")
                .editSpec()
                .addToTaints(new Taint("NoExecute", "team", null, "red"))
                .endSpec()
                .build();

        Placement placement = Placement.of(POD, List.of(full, cordoned, tainted), Map.of("full", 2));

        assertThat(placement.node()).isEmpty();
        assertThat(placement.isFull()).isTrue();
        assertThat(placement.message())
                .isEqualTo(
                        "0/3 nodes are available: 1 Too many pods, 1 node(s) had untolerated taint(s), 1 node(s) were"
                                + " unschedulable. preemption: 0/3 nodes are available: 1 No preemption victims found for incoming"
                                + " pod, 2 Preemption is not helpful for scheduling.");
    }

    @ParameterizedTest
    @CsvSource({
        "In, 5, true",
        "In, 6, false",
        "NotIn, 6, true",
        "NotIn, 5, false",
        "Gt, 4, true",
        "Gt, 5, false",
        "Lt, 6, true",
        "Lt, x, false"
    })
    void affinityWhenALabelHasAValueDecides(String operator, String value, boolean fits) {
        Placement placement = Placement.of(
                requiring("size", operator, value), List.of(node("a").build()), Map.of());

        assertThat(placement.node().isEmpty()).isEqualTo(!fits);
    }

    @Test
    void affinityWhenALabelMustBeAbsentDecides() {
        List<Node> nodes = List.of(node("a").build());

        assertThat(Placement.of(requiring("size", "Exists"), nodes, Map.of()).node())
                .isEqualTo("a");
        assertThat(Placement.of(requiring("size", "DoesNotExist"), nodes, Map.of())
                        .node())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "team, Equal, red, NoSchedule, true",
                "team, -, red, -, true",
                "team, Equal, blue, NoSchedule, false",
                "team, Exists, -, NoSchedule, true",
                "-, Exists, -, -, true",
                "team, Exists, -, NoExecute, false",
                "other, Exists, -, -, false"
            })
    void tolerationsWhenTheyNameATaintAdmit(String key, String operator, String value, String effect, boolean admits) {
        Taint taint = new Taint("NoSchedule", "team", null, "red");

        assertThat(Tolerations.admit(List.of(taint), List.of(new Toleration(effect, key, operator, null, value))))
                .isEqualTo(admits);
        assertThat(Tolerations.admit(List.of(new Taint("PreferNoSchedule", "team", null, "red")), List.of()))
                .isTrue();
    }
}
