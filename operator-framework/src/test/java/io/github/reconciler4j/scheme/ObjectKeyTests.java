package io.github.reconciler4j.scheme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.github.reconciler4j.reconcile.Request;
import org.junit.jupiter.api.Test;

class ObjectKeyTests {

    @Test
    void ofWhenObjectHasNamespaceContainsIt() {
        var map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName("settings")
                .endMetadata()
                .build();
        assertThat(ObjectKey.of(map)).isEqualTo(ObjectKey.of("shop", "settings"));
        assertThat(Request.of(map)).isEqualTo(new Request("shop", "settings"));
    }

    @Test
    void ofWhenObjectIsClusterScopedContainsItsName() {
        var namespace = new NamespaceBuilder()
                .withNewMetadata()
                .withName("shop")
                .endMetadata()
                .build();
        assertThat(ObjectKey.of(namespace)).isEqualTo(ObjectKey.ofName("shop"));
    }

    @Test
    void ofWhenObjectHasNoNameFails() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ObjectKey.of(new ConfigMapBuilder().build()))
                .withMessage("The ConfigMap has no name");
    }
}
