package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.client.error.KindMismatchException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import org.junit.jupiter.api.Test;

/** What the server serves, and what it does not. */
interface ClientDiscoveryPromises extends ClientPromises {

    @Test
    default void kindWithoutDefinitionSaysWhichOneToInstall() {
        KindInfo widget = new KindInfo(KindName.of("apps.example/v1", "Widget"), "widgets", true);
        assertThatThrownBy(() -> client().discovery().check(widget))
                .isInstanceOf(KindNotServedException.class)
                .hasMessageContaining("install the CustomResourceDefinition widgets.apps.example");
        client().scheme().register(widget);
        assertThatThrownBy(() -> client().get(Kind.of(widget.kind()), key("x")))
                .isInstanceOf(KindNotServedException.class);
        assertThatThrownBy(() -> client().list(Kind.of(widget.kind()), Selection.all()))
                .isInstanceOf(KindNotServedException.class);
    }

    @Test
    default void discoveryReturnsScopePluralSubresourcesAndVersions() {
        Discovery discovery = client().discovery();
        Discovery.ServedKind gadget = discovery.check(client().scheme().kindOf(Gadget.class));
        assertThat(gadget.info().plural()).isEqualTo("gadgets");
        assertThat(gadget.subresources()).containsExactlyInAnyOrder("status", "scale");
        assertThat(gadget.verbs()).contains("get", "list", "watch", "create", "patch");
        KindName kind = gadget.info().kind();
        assertThatThrownBy(() -> discovery.check(new KindInfo(kind, "gadgetz", true)))
                .isInstanceOf(KindMismatchException.class)
                .hasMessageContaining("'gadgetz'")
                .hasMessageContaining("'gadgets'");
        assertThatThrownBy(() -> discovery.check(new KindInfo(kind, "gadgets", false)))
                .isInstanceOf(KindMismatchException.class)
                .hasMessageContaining("cluster-scoped here");
        assertThatThrownBy(() -> discovery.check(
                        new KindInfo(KindName.of("client.test.reconciler4j.io/v2", "Gadget"), "gadgets", true)))
                .isInstanceOf(KindNotServedException.class)
                .hasMessageContaining("[v1]");
        assertThat(discovery
                        .findPreferred("autoscaling", "HorizontalPodAutoscaler")
                        .orElseThrow()
                        .info()
                        .kind()
                        .version())
                .isEqualTo("v2");
        assertThat(discovery.findPreferred("", "Pod")).isPresent();
        assertThat(discovery.versions("nothing.example")).isEmpty();
    }

    @Test
    default void definitionInstalledLaterIsDiscovered() {
        String group = namespace() + ".example";
        KindName kind = KindName.of(group + "/v1", "Gadget");
        assertThat(client().discovery().find(kind)).isEmpty();
        GenericKubernetesResource definition = client().create(new KubernetesSerialization()
                .unmarshal(Gadget.CRD.replace("client.test.reconciler4j.io", group), GenericKubernetesResource.class));
        await("discovery of the new kind")
                .atMost(TIME_LIMIT)
                .until(() -> client().discovery().find(kind).isPresent());
        client().delete(definition);
    }
}
