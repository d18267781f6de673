package io.github.reconciler4j.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.scheme.ObjectHeader;
import org.junit.jupiter.api.Test;

class ObjectSnapshotTests {

    private record Snapshot<T>(T object) implements ObjectSnapshot<T> {
        @Override
        public ObjectHeader header() {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void blockedOwnersWhenTheObjectHasMetadataAreThoseOfItsReferences() {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .addNewOwnerReference()
                .withUid("blocked")
                .withBlockOwnerDeletion(true)
                .endOwnerReference()
                .addNewOwnerReference()
                .withUid("free")
                .withBlockOwnerDeletion(false)
                .endOwnerReference()
                .addNewOwnerReference()
                .withUid("silent")
                .endOwnerReference()
                .endMetadata()
                .build();

        assertThat(new Snapshot<>(map).blockedOwners()).containsExactly("blocked");
    }

    @Test
    void blockedOwnersWhenTheObjectHasNoMetadataAreNone() {
        assertThat(new Snapshot<>(new ConfigMap()).blockedOwners()).isEmpty();
        assertThat(new Snapshot<>("text").blockedOwners()).isEmpty();
    }
}
