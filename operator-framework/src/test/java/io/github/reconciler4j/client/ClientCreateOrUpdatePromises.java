package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.client.error.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Objects get the desired state, and no request is sent without need. */
interface ClientCreateOrUpdatePromises extends ClientPromises {

    @Test
    default void createOrUpdateSendsOnlyDifferences() {
        List<String> writes = new ArrayList<>();
        Client counting = counting(writes);
        Gadget initial = gadget("u");
        assertThat(counting.createOrUpdate(initial, g -> g.getSpec().replicas = 2)
                        .outcome())
                .isEqualTo(OperationResult.Outcome.CREATED);
        assertThat(initial.getSpec().replicas).isEqualTo(1);
        assertThat(counting.createOrUpdate(initial, g -> g.getSpec().replicas = 2)
                        .outcome())
                .isEqualTo(OperationResult.Outcome.UNCHANGED);
        OperationResult<Gadget> updated = counting.createOrUpdate(initial, g -> g.getSpec().replicas = 3);
        assertThat(updated.outcome()).isEqualTo(OperationResult.Outcome.UPDATED);
        assertThat(updated.object().getSpec().replicas).isEqualTo(3);
        assertThat(writes).containsExactly("create", "patch");
        assertThatThrownBy(() ->
                        counting.createOrUpdate(initial, g -> g.getMetadata().setName("other")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must not change name or namespace");
        assertThat(writes).hasSize(2);
    }

    @Test
    default void createOrPatchSendsObjectAndStatusApart() {
        List<String> writes = new ArrayList<>();
        Client counting = counting(writes);
        Gadget initial = gadget("p2");
        counting.createOrPatch(initial, g -> {});
        OperationResult<Gadget> both = counting.createOrPatch(initial, g -> {
            g.getSpec().replicas = 5;
            g.setStatus(new Gadget.Status());
            g.getStatus().phase = "Ready";
        });
        assertThat(both.outcome()).isEqualTo(OperationResult.Outcome.UPDATED_WITH_STATUS);
        assertThat(both.object().getSpec().replicas).isEqualTo(5);
        assertThat(both.object().getStatus().phase).isEqualTo("Ready");
        assertThat(counting.createOrPatch(initial, g -> g.getStatus().phase = "Busy")
                        .outcome())
                .isEqualTo(OperationResult.Outcome.UPDATED_STATUS_ONLY);
        assertThat(counting.createOrPatch(initial, g -> {}).outcome()).isEqualTo(OperationResult.Outcome.UNCHANGED);
        assertThat(writes).containsExactly("create", "patch", "patch status", "patch status");
    }

    @Test
    default void createOrPatchWhenItCreatesWritesTheStatusToo() {
        List<String> writes = new ArrayList<>();
        OperationResult<Gadget> created = counting(writes).createOrPatch(gadget("p3"), g -> {
            g.setStatus(new Gadget.Status());
            g.getStatus().phase = "New";
        });
        assertThat(created.outcome()).isEqualTo(OperationResult.Outcome.CREATED);
        assertThat(created.object().getStatus().phase).isEqualTo("New");
        assertThat(writes).containsExactly("create", "patch status");
    }

    @Test
    default void createOrUpdateWorksOnTheGenericForm() {
        client().create(configMap("generic"));
        OperationResult<GenericKubernetesResource> upserted = client().createOrUpdate(
                        generic("v1", "ConfigMap", "generic"),
                        object -> object.setAdditionalProperty("data", Map.of("a", "9")));
        assertThat(upserted.outcome()).isEqualTo(OperationResult.Outcome.UPDATED);
        assertThat(upserted.object().<String>get("data", "a")).isEqualTo("9");
    }

    @Test
    default void createOrUpdateWhenReadingFailsWritesNothing() {
        connection().close();
        assertThatThrownBy(() -> client().createOrUpdate(configMap("unread"), map -> {
                    throw new AssertionError("must not be called");
                }))
                .isInstanceOf(ApiException.class);
    }
}
