package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.InvalidObjectException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.scheme.Kind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Objects and their status change in part. */
interface ClientPatchPromises extends ClientPromises {

    @Test
    default void statusUpdateChangesOnlyStatus() {
        Gadget created = client().create(gadget("s"));
        created.getSpec().replicas = 50;
        created.setStatus(new Gadget.Status());
        created.getStatus().phase = "Ready";

        Gadget updated = client().status().update(created);

        assertThat(updated.getStatus().phase).isEqualTo("Ready");
        assertThat(updated.getSpec().replicas).isEqualTo(1);
        assertThat(updated.getMetadata().getGeneration()).isEqualTo(1);
        Gadget viaMain = client().update(updated);
        assertThat(viaMain.getStatus().phase).isEqualTo("Ready");
        assertThatThrownBy(() -> client().status().update(gadget("none"))).isInstanceOf(NotFoundException.class);
        Gadget next = client().get(Gadget.class, key("s")).orElseThrow();
        next.getStatus().phase = "Busy";
        assertThat(client().status()
                        .patch(next, ObjectPatch.between(updated, next))
                        .getStatus()
                        .phase)
                .isEqualTo("Busy");
        assertThat(notified()).containsOnly("written gadgets").hasSize(4);
    }

    @Test
    default void statusApplyOwnsOnlyTheStatus() {
        client().create(gadget("s"));
        Gadget status = gadget("s");
        status.getMetadata().setLabels(Map.of("not", "mine"));
        status.setStatus(new Gadget.Status());
        status.getStatus().phase = "Ready";

        Gadget applied = client().status().apply(status, ApplyOptions.defaults().withFieldManager("status-writer"));

        assertThat(applied.getStatus().phase).isEqualTo("Ready");
        assertThat(applied.getMetadata().getLabels()).doesNotContainKey("not");
        assertThat(applied.getMetadata().getManagedFields())
                .filteredOn(entry -> entry.getManager().equals("status-writer"))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.getSubresource()).isEqualTo("status");
                    assertThat(entry.getFieldsV1().getAdditionalProperties()).containsOnlyKeys("f:status");
                });
        assertThatThrownBy(() -> client().status().apply(gadget("none"))).isInstanceOf(NotFoundException.class);
    }

    @Test
    default void applyCreatesUpdatesRemovesAndDetectsConflicts() {
        ConfigMap first = client().applyUnconditionally(configMap("a"), ApplyOptions.defaults());
        assertThat(first.getData()).containsEntry("a", "1");
        ConfigMap other = configMap("a");
        other.setData(Map.of("a", "2"));
        assertThatThrownBy(() -> client().withFieldManager("other")
                        .applyUnconditionally(other, ApplyOptions.defaults().withoutForce()))
                .isExactlyInstanceOf(ConflictException.class)
                .hasMessageContaining("client-test");
        assertThat(client().withFieldManager("other")
                        .applyUnconditionally(other, ApplyOptions.defaults())
                        .getData())
                .containsEntry("a", "2");
        ConfigMap more = configMap("a");
        more.setData(Map.of("b", "1"));
        client().applyUnconditionally(more, ApplyOptions.defaults());
        more.setData(Map.of("c", "1"));
        assertThat(client().applyUnconditionally(more, ApplyOptions.defaults()).getData())
                .containsOnlyKeys("a", "c");
        ConfigMap read = client().get(ConfigMap.class, key("a")).orElseThrow();
        client().applyUnconditionally(read, ApplyOptions.defaults());
        client().applyUnconditionally(
                        new ConfigMapBuilder(read).addToData("d", "1").build(), ApplyOptions.defaults());
        assertThatThrownBy(() -> client().applyUnconditionally(
                                new ConfigMapBuilder(read).addToData("d", "2").build(),
                                ApplyOptions.defaults().withOptimisticLock()))
                .isExactlyInstanceOf(ConflictException.class);
    }

    @Test
    default void applyTakesAPartialTree() {
        client().create(gadget("p"));
        GenericKubernetesResource part = generic("client.test.reconciler4j.io/v1", "Gadget", "p");
        part.setAdditionalProperty("spec", Map.of("items", List.of("x")));
        GenericKubernetesResource applied = client().applyUnconditionally(part, ApplyOptions.defaults());
        assertThat(applied.<Object>get("spec", "replicas")).isEqualTo(1);
        assertThat(applied.<Object>get("spec", "items")).isEqualTo(List.of("x"));
        Map<String, Object> empty = new LinkedHashMap<>();
        part.setAdditionalProperty("spec", empty);
        assertThat(client().applyUnconditionally(part, ApplyOptions.defaults()).<Object>get("spec", "items"))
                .isNull();
    }

    @Test
    default void applyWhenFieldIsOmittedRemovesIt() {
        ConfigMap wanted =
                new ConfigMapBuilder(configMap("less")).addToData("b", "2").build();
        client().applyWithOutcome(wanted, ApplyOptions.defaults());
        wanted.getData().remove("b");
        assertThat(client().applyWithOutcome(wanted, ApplyOptions.defaults())
                        .object()
                        .getData())
                .containsOnlyKeys("a");
        assertThat(client().applyWithOutcome(wanted, ApplyOptions.defaults()).outcome())
                .isEqualTo(Outcome.UNCHANGED);
    }

    @Test
    default void applyWhenObjectIsGenericComparesItsTree() {
        GenericKubernetesResource part = generic("client.test.reconciler4j.io/v1", "Gadget", "part");
        part.setAdditionalProperty("spec", Map.of("items", List.of("x"), "replicas", 1));
        assertThat(client().applyWithOutcome(part, ApplyOptions.defaults()).outcome())
                .isNotEqualTo(Outcome.UNCHANGED);
        assertThat(client().applyWithOutcome(part, ApplyOptions.defaults()).outcome())
                .isEqualTo(Outcome.UNCHANGED);
        client().scale().set(gadget("part"), 5);
        assertThat(client().applyWithOutcome(part, ApplyOptions.defaults()).outcome())
                .isNotEqualTo(Outcome.UNCHANGED);
    }

    @Test
    default void patchesOfAllKindsChangeWhatTheySay() {
        Pod pod = client().create(pod("pod"));
        Pod merged = client().patch(pod, ObjectPatch.merge(Map.of("metadata", Map.of("labels", Map.of("a", "1")))));
        assertThat(merged.getMetadata().getLabels()).containsEntry("a", "1");
        Pod strategic = client().patch(
                        pod,
                        ObjectPatch.strategic(
                                Map.of("spec", Map.of("containers", List.of(Map.of("name", "main", "image", "b"))))));
        assertThat(strategic.getSpec().getContainers())
                .singleElement()
                .satisfies(container -> assertThat(container.getImage()).isEqualTo("b"));
        Pod json = client().patch(
                        pod,
                        ObjectPatch.json(
                                ObjectPatch.Operation.test("/metadata/labels/a", "1"),
                                ObjectPatch.Operation.replace("/metadata/labels/a", "2")));
        assertThat(json.getMetadata().getLabels()).containsEntry("a", "2");
        assertThatThrownBy(() ->
                        client().patch(pod, ObjectPatch.json(ObjectPatch.Operation.test("/metadata/labels/a", "9"))))
                .isInstanceOf(InvalidObjectException.class);
        client().delete(
                        Kind.of(Pod.class),
                        key("pod"),
                        DeletionOptions.defaults().withGracePeriod(Duration.ZERO));
    }

    @Test
    default void lockedPatchConflictsWhenTheObjectHasChanged() {
        ConfigMap before = client().create(configMap("l"));
        ConfigMap mine = new ConfigMapBuilder(before).addToData("mine", "1").build();
        client().update(new ConfigMapBuilder(before).addToData("theirs", "1").build());
        assertThatThrownBy(() -> client().patch(mine, ObjectPatch.lockedBetween(before, mine)))
                .isExactlyInstanceOf(ConflictException.class);
        assertThat(client().patch(mine, ObjectPatch.between(before, mine)).getData())
                .containsKeys("mine", "theirs");
    }

    @Test
    default void patchesOfAllKindsCanBeLockedToAVersion() {
        ConfigMap before = client().create(configMap("v"));
        Map<String, Object> tree = Map.of("data", Map.of("b", "2"));
        List<ObjectPatch> patches = List.of(
                ObjectPatch.merge(tree),
                ObjectPatch.strategic(tree),
                ObjectPatch.json(ObjectPatch.Operation.add("/data/c", "3")));
        ConfigMap now = before;
        for (ObjectPatch patch : patches) {
            ConfigMap read = now;
            now = client().patch(read, patch.lockedTo(read));
            now = client().patch(now, ObjectPatch.merge(Map.of("data", Map.of("b", "0"))));
            assertThatThrownBy(() -> client().patch(read, patch.lockedTo(read)))
                    .isExactlyInstanceOf(ConflictException.class);
        }
        assertThat(now.getData()).containsEntry("c", "3").containsEntry("b", "0");
        assertThatThrownBy(() -> patches.get(0).lockedTo(configMap("v")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("resourceVersion");
    }
}
