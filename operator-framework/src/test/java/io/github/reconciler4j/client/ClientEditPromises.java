package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Promises of edits of the status, of owned objects, and of the short forms of calls. */
interface ClientEditPromises extends ClientPromises {

    private static Gadget.Status status(String phase, Integer replicas) {
        Gadget.Status status = new Gadget.Status();
        status.phase = phase;
        status.replicas = replicas;
        return status;
    }

    @Test
    default void statusEditWhenStatusDiffersSendsTheDifferenceOnly() {
        Gadget created = client().create(gadget("e"));
        Gadget first = client().status().edit(created, g -> g.setStatus(status("Busy", 3)));
        assertThat(first.getStatus().phase).isEqualTo("Busy");
        assertThat(created.getStatus()).isNull();
        client().status().edit(first, g -> g.getStatus().replicas = 4);

        Gadget last = client().status().edit(first, g -> g.getStatus().phase = "Ready");

        assertThat(last.getStatus().phase).isEqualTo("Ready");
        assertThat(last.getStatus().replicas).as("changed concurrently").isEqualTo(4);
        assertThat(client().status().edit(last, g -> g.setStatus(null)).getStatus())
                .isNull();
        client().delete(last);
        assertThatThrownBy(() -> client().status().edit(last, g -> g.setStatus(null)))
                .isInstanceOf(NotFoundException.class)
                .isNotInstanceOf(KindNotServedException.class);
    }

    @Test
    default void statusEditWhenNothingDiffersSendsNothing() {
        List<String> writes = new ArrayList<>();
        Client counting = counting(writes);
        Gadget ready = counting.status().edit(client().create(gadget("n")), g -> g.setStatus(status("Ready", null)));
        writes.clear();

        Gadget same = counting.status().edit(ready, g -> g.setStatus(status("Ready", null)));

        assertThat(writes).isEmpty();
        assertThat(same).isNotSameAs(ready);
        assertThat(same.getStatus().phase).isEqualTo("Ready");
    }

    @Test
    default void statusEditWhenSpecIsChangedThrows() {
        Gadget created = client().create(gadget("spec"));
        assertThatThrownBy(() -> client().status().edit(created, g -> g.getSpec().replicas = 7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[spec]");
    }

    @Test
    default void statusWriteWhenKindHasNoStatusSubresourceNamesTheField() {
        ConfigMap map = client().create(configMap("plain"));
        ObjectPatch patch = ObjectPatch.merge(Map.of("status", Map.of("a", "b")));
        Map<String, ThrowingCallable> writes = Map.of(
                "patch", () -> client().status().patch(map, patch),
                "update", () -> client().status().update(map),
                "apply", () -> client().status().apply(map));
        writes.forEach((write, call) -> assertThatThrownBy(call)
                .as(write)
                .isInstanceOf(KindNotServedException.class)
                .hasMessageContaining("subresources.status"));
    }

    @Test
    default void listOwnedWhenOwnerHasObjectsReturnsThemOnly() {
        Gadget owner = client().create(gadget("owner"));
        ConfigMap owned = configMap("owned");
        OwnerReferences.setController(owned, owner);
        ConfigMap shared = configMap("shared");
        OwnerReferences.addOwner(shared, owner);
        client().create(owned);
        client().create(shared);
        client().create(configMap("other"));

        assertThat(client().listOwned(owner, ConfigMap.class))
                .extracting(map -> map.getMetadata().getName())
                .containsExactlyInAnyOrder("owned", "shared");
        assertThat(client().inNamespace(namespace()).listOwned(owner, Kind.of(KindName.of(ConfigMap.class))))
                .hasSize(2)
                .allMatch(map -> map.getKind().equals("ConfigMap"));
        assertThatThrownBy(() -> client().listOwned(configMap("new"), ConfigMap.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no uid");
    }

    @Test
    default void shortFormsDoTheSameAsTheLongOnes() {
        Kind<ConfigMap> kind = Kind.of(ConfigMap.class);
        client().create(configMap("short"));
        assertThat(client().get(ConfigMap.class, namespace(), "short")).isPresent();
        assertThat(client().inNamespace(namespace()).get(ConfigMap.class, ObjectKey.ofName("short")))
                .isPresent();
        assertThat(client().exists(kind, key("short"))).isTrue();
        assertThat(client().exists(Kind.of(KindName.of(ConfigMap.class)), key("none")))
                .isFalse();
        assertThat(client().list(ConfigMap.class, namespace()))
                .extracting(map -> map.getMetadata().getName())
                .contains("short");
        assertThat(client().list(ConfigMap.class)).isNotEmpty();
        assertThat(client().get(kind.metadata(), key("short")).map(ObjectHeader::key))
                .contains(key("short"));
        assertThat(client().list(kind.metadata(), Selection.inNamespace(namespace())))
                .isNotEmpty();
        assertThat(client().patch(
                                kind,
                                key("short"),
                                ObjectPatch.merge(Map.of("data", Map.of("b", "2"))),
                                WriteOptions.defaults())
                        .getData())
                .containsKeys("a", "b");
        assertThat(client().delete(kind, ObjectKey.of(namespace(), "short"), DeletionOptions.defaults()))
                .isTrue();
        assertThat(client().delete(kind, key("short"), DeletionOptions.defaults()))
                .isFalse();
        client().create(new ConfigMapBuilder(configMap("many"))
                .editMetadata()
                .addToLabels("many", "yes")
                .endMetadata()
                .build());
        client().deleteAll(
                        kind,
                        Selection.inNamespace(namespace()).withLabelSelector("many=yes"),
                        DeletionOptions.defaults());
        assertThat(client().exists(kind, key("many"))).isFalse();
    }

    @Test
    default void applyWithOutcomeReportsWhatWasDone() {
        ConfigMap map = configMap("outcome");
        assertThat(client().applyWithOutcome(map, ApplyOptions.defaults()).outcome())
                .isEqualTo(Outcome.CREATED);
        assertThat(client().applyWithOutcome(map, ApplyOptions.defaults()).outcome())
                .isEqualTo(Outcome.UNCHANGED);
        map.setData(Map.of("a", "2"));
        assertThat(client().applyWithOutcome(map, ApplyOptions.defaults()).outcome())
                .isEqualTo(Outcome.UPDATED);
        assertThat(client().apply(map).getData()).containsEntry("a", "2");
    }

    @Test
    default void createOrUpdateWhenOptionsAreGivenUsesThem() {
        WriteOptions dry = WriteOptions.defaults().asDryRun();
        client().createOrUpdate(configMap("dry"), map -> map.setData(Map.of("x", "1")), dry);
        client().createOrPatch(configMap("dry"), map -> map.setData(Map.of("x", "1")), dry);
        assertThat(client().exists(Kind.of(ConfigMap.class), key("dry"))).isFalse();
        ConfigMap stored = client().create(configMap("dry"));
        client().createOrUpdate(configMap("dry"), map -> map.setData(Map.of("x", "1")), dry);
        client().createOrPatch(configMap("dry"), map -> map.setData(Map.of("x", "1")), dry);
        assertThat(client().get(ConfigMap.class, key("dry")).orElseThrow().getData())
                .isEqualTo(stored.getData());
        assertThatThrownBy(
                        () -> client().delete(stored, DeletionOptions.defaults().withUid("other")))
                .isInstanceOf(ConflictException.class);
    }
}
