package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.scheme.Kind;
import org.junit.jupiter.api.Test;

/** Objects are deleted, one and many. */
interface ClientDeletionPromises extends ClientPromises {

    @Test
    default void deletionRespectsPreconditionsFinalizersAndPropagation() {
        ConfigMap object = client().create(new ConfigMapBuilder(configMap("d"))
                .editMetadata()
                .addToFinalizers("test.example/hold")
                .endMetadata()
                .build());
        assertThatThrownBy(
                        () -> client().delete(object, DeletionOptions.defaults().withUid("other")))
                .isInstanceOf(ConflictException.class);
        assertThatThrownBy(
                        () -> client().delete(object, DeletionOptions.defaults().withResourceVersion("1")))
                .isInstanceOf(ConflictException.class);
        notified().clear();
        assertThat(client().delete(object, DeletionOptions.exactly(object))).isTrue();
        assertThat(notified()).containsExactly("written configmaps");
        ConfigMap ending = client().get(ConfigMap.class, key("d")).orElseThrow();
        assertThat(ending.getMetadata().getDeletionTimestamp()).isNotNull();
        client().patch(ending, ObjectPatch.json(ObjectPatch.Operation.remove("/metadata/finalizers")));
        assertThat(client().get(ConfigMap.class, key("d"))).isEmpty();

        ConfigMap foreground = client().create(configMap("f"));
        notified().clear();
        client().delete(foreground, DeletionOptions.defaults().withPropagation(Propagation.FOREGROUND));
        assertThat(notified()).containsExactly("written configmaps");
        await("end of the object")
                .atMost(TIME_LIMIT)
                .until(() -> client().get(ConfigMap.class, key("f")).isEmpty());
    }

    @Test
    default void objectWhenCreatedAfterItsOwnerWasDeletedIsDeletedToo() {
        ConfigMap owner = client().create(configMap("owner"));
        createOwned("early", owner);
        client().delete(owner); // which a reconciler that has read it before does not know yet
        createOwned("late", owner);
        ConfigMap successor = client().create(configMap("owner"));
        createOwned("later", owner);
        createOwned("of-the-successor", successor);
        await("end of the objects whose owner is gone")
                .atMost(TIME_LIMIT)
                .until(() -> client().list(
                                        Kind.of(ConfigMap.class),
                                        Selection.inNamespace(namespace()).withLabelSelector("owned"))
                                .size()
                        <= 1);
        assertThat(client().get(ConfigMap.class, key("of-the-successor"))).isPresent();
    }

    private void createOwned(String name, ConfigMap owner) {
        ConfigMap owned = new ConfigMapBuilder(configMap(name))
                .editMetadata()
                .addToLabels("owned", "true")
                .endMetadata()
                .build();
        OwnerReferences.setController(owned, owner);
        client().create(owned);
    }

    @Test
    default void deleteAllTakesTheSelectedOnly() {
        for (int i = 0; i < 4; i++) {
            client().create(new ConfigMapBuilder(configMap("all-" + i))
                    .editMetadata()
                    .addToLabels("half", i < 2 ? "first" : "second")
                    .endMetadata()
                    .build());
        }
        notified().clear();
        client().deleteAll(
                        Kind.of(ConfigMap.class),
                        Selection.inNamespace(namespace()).withLabelSelector("half=first"),
                        DeletionOptions.defaults());
        assertThat(notified()).containsExactlyInAnyOrder("deleted all-0 uid", "deleted all-1 uid");
        assertThat(client().list(
                                Kind.of(ConfigMap.class),
                                Selection.inNamespace(namespace()).withLabelSelector("half")))
                .extracting(c -> c.getMetadata().getName())
                .containsExactly("all-2", "all-3");
        client().deleteAll(
                        Kind.of(ConfigMap.class),
                        Selection.inNamespace(namespace()).withFieldSelector("metadata.name=all-2"),
                        DeletionOptions.defaults());
        assertThat(client().list(
                                Kind.of(ConfigMap.class),
                                Selection.inNamespace(namespace()).withLabelSelector("half")))
                .extracting(c -> c.getMetadata().getName())
                .containsExactly("all-3");
        assertThatThrownBy(
                        () -> client().deleteAll(Kind.of(ConfigMap.class), Selection.all(), DeletionOptions.defaults()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
