package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.github.reconciler4j.client.error.AlreadyControlledException;
import org.junit.jupiter.api.Test;

class OwnerReferencesTests {

    private final ConfigMap owned = new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("config")
            .endMetadata()
            .build();

    private static Deployment owner(String namespace, String name, String uid) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withUid(uid)
                .endMetadata()
                .build();
    }

    @Test
    void setControllerWhenSetAgainUpdatesUidAndVersion() {
        Deployment old = owner("default", "web", "old");
        old.setApiVersion("apps/v1beta1");
        OwnerReferences.setController(owned, old);
        OwnerReferences.setController(owned, owner("default", "web", "new"));
        assertThat(owned.getMetadata().getOwnerReferences())
                .containsExactly(new OwnerReference("apps/v1", true, true, "Deployment", "web", "new"));
        assertThat(OwnerReferences.controllerOf(owned)).isPresent();
    }

    @Test
    void setControllerWhenAnotherControlsFails() {
        OwnerReferences.setController(owned, owner("default", "web", "1"));
        assertThatExceptionOfType(AlreadyControlledException.class)
                .isThrownBy(() -> OwnerReferences.setController(owned, owner("default", "api", "2")))
                .withMessage(
                        "ConfigMap default/config is controlled by Deployment web already and cannot be controlled by"
                                + " Deployment default/api");
        OwnerReferences.addOwner(owned, owner("default", "api", "2"));
        assertThat(owned.getMetadata().getOwnerReferences()).hasSize(2);
    }

    @Test
    void setWhenOwnerCannotOwnFails() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OwnerReferences.addOwner(owned, owner("other", "web", "1")))
                .withMessageContaining("share a namespace");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OwnerReferences.addOwner(
                        new NamespaceBuilder()
                                .withNewMetadata()
                                .withName("ns")
                                .endMetadata()
                                .build(),
                        owner("default", "web", "1")))
                .withMessageContaining("has no namespace");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OwnerReferences.addOwner(owned, owner("default", "web", null)))
                .withMessageContaining("has no uid");
    }

    @Test
    void setWhenOwnerIsTheObjectFails() {
        Deployment web = owner("default", "web", "1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OwnerReferences.setController(web, web))
                .withMessage("Deployment default/web cannot own itself: name the object that it belongs to");
        assertThat(web.getMetadata().getOwnerReferences()).isNullOrEmpty();
    }

    @Test
    void setWhenOwnerIsClusterScopedWorks() {
        OwnerReferences.addOwner(
                owned,
                new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("default")
                        .withUid("1")
                        .endMetadata()
                        .build());
        assertThat(owned.getMetadata().getOwnerReferences())
                .containsExactly(new OwnerReference("v1", null, null, "Namespace", "default", "1"));
    }

    @Test
    void removeWhenItIsNoOwnerFails() {
        Deployment owner = owner("default", "web", "1");
        OwnerReferences.addOwner(owned, owner);
        assertThat(OwnerReferences.isOwnedBy(owned, owner)).isTrue();
        OwnerReferences.remove(owned, owner);
        assertThat(OwnerReferences.isOwnedBy(owned, owner)).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OwnerReferences.remove(owned, owner))
                .withMessage("Deployment default/web is not an owner of ConfigMap default/config");
    }
}
