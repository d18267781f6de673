package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.scheme.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Promises of edits of objects, with and without their status. */
interface ClientObjectEditPromises extends ClientPromises {

    private static Gadget.Status ready() {
        Gadget.Status status = new Gadget.Status();
        status.phase = "Ready";
        return status;
    }

    @Test
    default void editSendsTheDifferenceOnly() {
        List<String> writes = new ArrayList<>();
        Gadget created = client().create(gadget("edit"));
        client().edit(created, g -> g.getMetadata().setLabels(Map.of("by", "another")));

        Gadget last = counting(writes).edit(created, g -> g.getSpec().replicas = 7);

        assertThat(writes).containsExactly("patch");
        assertThat(last.getSpec().replicas).isEqualTo(7);
        assertThat(last.getMetadata().getLabels()).as("changed concurrently").containsEntry("by", "another");
        assertThat(created.getSpec().replicas).as("the given object").isEqualTo(1);
        assertThat(created.getMetadata().getLabels()).isNullOrEmpty();
    }

    @Test
    default void editWhenNothingDiffersSendsNothing() {
        List<String> writes = new ArrayList<>();
        ConfigMap created = client().create(configMap("same"));
        ConfigMap same = counting(writes).edit(created, map -> map.setData(Map.of("a", "1")));
        assertThat(counting(writes).editWithStatus(created, map -> {})).isEqualTo(created);
        assertThat(writes).isEmpty();
        assertThat(same).isEqualTo(created).isNotSameAs(created);
    }

    @Test
    default void editOfAListKeepsTheItemsOfOthers() {
        ConfigMap created = client().create(configMap("lists"));
        client().edit(created, map -> map.getMetadata().setFinalizers(List.of("example.io/other")));
        ConfigMap last = client().edit(created, map -> map.getMetadata().setFinalizers(List.of("example.io/own")));
        assertThat(last.getMetadata().getFinalizers()).containsExactlyInAnyOrder("example.io/other", "example.io/own");
        client().edit(last, map -> map.getMetadata().setFinalizers(List.of()));
    }

    @Test
    default void editNeverCreates() {
        Gadget gone = client().create(gadget("gone"));
        client().delete(gone);
        assertThatThrownBy(() -> client().edit(gone, g -> g.getSpec().replicas = 7))
                .isInstanceOf(NotFoundException.class)
                .isNotInstanceOf(KindNotServedException.class);
        assertThatThrownBy(() -> client().editWithStatus(gone, g -> {
                    g.getSpec().replicas = 7;
                    g.setStatus(ready());
                }))
                .isInstanceOf(NotFoundException.class);
        assertThat(client().exists(Kind.of(Gadget.class), key("gone"))).isFalse();
    }

    @Test
    default void editOfTheStatusNameOrNamespaceThrows() {
        List<String> writes = new ArrayList<>();
        Gadget created = client().create(gadget("wrong"));
        assertThatThrownBy(() -> counting(writes).edit(created, g -> g.setStatus(ready())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("call editWithStatus");
        assertThatThrownBy(() -> counting(writes)
                        .editWithStatus(created, g -> g.getMetadata().setName("other")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name or namespace of Gadget");
        assertThat(writes).isEmpty();
    }

    @Test
    default void editWithStatusWritesWhatDiffers() {
        List<String> writes = new ArrayList<>();
        Client counting = counting(writes);
        Gadget created = client().create(gadget("both"));

        Gadget both = counting.editWithStatus(created, g -> {
            g.getMetadata().setAnnotations(Map.of("seen", "yes"));
            g.setStatus(ready());
        });
        assertThat(writes).containsExactly("patch", "patch status");
        assertThat(both.getStatus().phase).isEqualTo("Ready");
        assertThat(both.getMetadata().getAnnotations()).containsEntry("seen", "yes");
        Gadget stored = client().live().get(Gadget.class, key("both")).orElseThrow();
        assertThat(stored.getMetadata().getResourceVersion())
                .isEqualTo(both.getMetadata().getResourceVersion());

        writes.clear();
        counting.editWithStatus(both, g -> g.getStatus().phase = "Busy");
        counting.editWithStatus(both, g -> g.getSpec().replicas = 9);
        assertThat(writes).containsExactly("patch status", "patch");
        Gadget last = client().live().get(Gadget.class, key("both")).orElseThrow();
        assertThat(last.getStatus().phase).isEqualTo("Busy");
        assertThat(last.getSpec().replicas).isEqualTo(9);
    }
}
