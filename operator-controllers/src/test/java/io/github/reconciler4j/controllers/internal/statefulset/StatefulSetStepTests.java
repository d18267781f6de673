package io.github.reconciler4j.controllers.internal.statefulset;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.reconciler4j.controllers.internal.revision.Revisions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatefulSetStepTests {

    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final int REPLICAS = 4;

    /** The images of the pods that a step has created, and the names of those that it has deleted. */
    private static List<String> step(String policy, List<Integer> present) {
        StatefulSet set = set(policy);
        SetRevisions revisions = new SetRevisions(revision(set, "app:1", 1), revision(set, "app:2", 2), 0);
        set.getStatus().setCurrentRevision(revisions.currentName());
        List<Pod> pods =
                present.stream().map(ordinal -> pod(set, revisions, ordinal)).toList();
        List<String> created = new ArrayList<>();
        RecordedActions actions = new RecordedActions(set, List.of()) {
            @Override
            public void create(Pod pod) {
                created.add(pod.getMetadata().getName() + "="
                        + pod.getSpec().getContainers().get(0).getImage());
            }
        };
        StatefulSetStep.Outcome outcome = new StatefulSetStep(set, revisions, pods, actions, NOW).run();
        assertThat(outcome.failure()).isNull();
        created.addAll(actions.effects());
        return created;
    }

    @Test
    void stepWhenAPodIsLostDuringAParallelRolloutCreatesTheNewOneAndDeletesNone() {
        assertThat(step("Parallel", List.of(1, 2, 3))).containsExactly("s-0=app:2");
    }

    @Test
    void stepWhenNoPodIsLostDuringAParallelRolloutDeletesTheLastOne() {
        assertThat(step("Parallel", List.of(0, 1, 2, 3))).containsExactly("delete pod s-3");
    }

    @Test
    void stepWhenAPodIsLostDuringARolloutInOrderCreatesItAsItWas() {
        assertThat(step("OrderedReady", List.of(1, 2, 3))).containsExactly("s-0=app:1");
    }

    private static StatefulSet set(String policy) {
        return new StatefulSetBuilder()
                .withNewMetadata()
                .withName("s")
                .withNamespace("default")
                .withUid("1")
                .withGeneration(2L)
                .endMetadata()
                .withNewSpec()
                .withReplicas(REPLICAS)
                .withServiceName("s")
                .withPodManagementPolicy(policy)
                .withNewSelector()
                .addToMatchLabels("app", "s")
                .endSelector()
                .withTemplate(template("app:2"))
                .withNewUpdateStrategy()
                .withType("RollingUpdate")
                .endUpdateStrategy()
                .endSpec()
                .withNewStatus()
                .withCurrentReplicas(REPLICAS - 1)
                .withReplicas(REPLICAS - 1)
                .endStatus()
                .build();
    }

    private static PodTemplateSpec template(String image) {
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .addToLabels("app", "s")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage(image)
                .endContainer()
                .endSpec()
                .build();
    }

    /** A revision as it comes from the server. */
    private static ControllerRevision revision(StatefulSet set, String image, int number) {
        return Serialization.unmarshal(
                Serialization.asJson(Revisions.describe(set, template(image), SetRevisions.HASH_LABEL, number, null)),
                ControllerRevision.class);
    }

    private static Pod pod(StatefulSet set, SetRevisions revisions, int ordinal) {
        return new PodBuilder(StatefulPods.create(set, template("app:1"), ordinal, revisions.currentName()))
                .withNewStatus()
                .withPhase("Running")
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .withLastTransitionTime("2026-11-30T11:00:00Z")
                .endCondition()
                .endStatus()
                .build();
    }
}
