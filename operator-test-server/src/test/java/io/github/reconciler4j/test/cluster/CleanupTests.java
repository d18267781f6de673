package io.github.reconciler4j.test.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.expect.ObjectExpectation;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a test leaves on a cluster that others use: nothing, although its operator had finalizers everywhere. */
class CleanupTests {

    private static final String FINALIZER = "example.com/block";
    private static final String DEFINITION = """
            {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
             "metadata": {"name": "widgets.example.com", "finalizers": ["%s"]},
             "spec": {"group": "example.com", "scope": "Namespaced",
              "names": {"kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList"},
              "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object"}}}]}}
            """.formatted(FINALIZER);

    private final KubernetesServer server =
            KubernetesServer.builder().namespaceDeletionDelay(Duration.ZERO).start();
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(server.clientConfig()).build();

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private HasMetadata create(String json) {
        return client.resource(json).create();
    }

    private void createWidget(String namespace) {
        create("""
                {"apiVersion": "example.com/v1", "kind": "Widget",
                 "metadata": {"name": "kept", "namespace": "%s", "finalizers": ["%s"]}}
                """.formatted(namespace, FINALIZER));
    }

    @Test
    void deleteWhenEverythingHasFinalizersLeavesNeitherNamespaceNorDefinition() {
        HasMetadata namespace = createHeldNamespace("own");
        HasMetadata definition = create(DEFINITION);
        createWidget("own");
        createWidget("default");
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("kept")
                        .withNamespace("own")
                        .withFinalizers(FINALIZER, "example.com/other")
                        .endMetadata()
                        .build())
                .create();

        new Cleanup(client).delete(List.of(namespace, definition));

        new ObjectExpectation<>(client, Namespace.class, null, "own").toBeGone();
        new ObjectExpectation<>(client, CustomResourceDefinition.class, null, "widgets.example.com").toBeGone();
    }

    @Test
    void deleteWhenSomeRequestsAreForbiddenMakesTheOthersAndNamesWhatIsLeft() {
        HasMetadata locked = createHeldNamespace("locked");
        HasMetadata stuck = createHeldNamespace("stuck");
        HasMetadata own = createHeldNamespace("own");
        HasMetadata definition = create(DEFINITION);
        createWidget("own");
        createWidget("default");
        forbid(RequestMatch.verbs("delete").kind("Namespace").name("locked"));
        forbid(RequestMatch.verbs("patch").kind("Namespace").name("stuck"));
        forbid(RequestMatch.verbs("patch").kind("Widget").namespace("default"));

        assertThatThrownBy(() ->
                        new Cleanup(client, Duration.ofSeconds(1)).delete(List.of(locked, stuck, own, definition)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(
                        "could not delete Namespace locked: ",
                        "could not release Namespace stuck: ",
                        "could not release Widget default/kept: ",
                        "forbidden by an injected fault")
                .hasCauseInstanceOf(KubernetesClientException.class);

        new ObjectExpectation<>(client, Namespace.class, null, "own").toBeGone();
        server.faults().clear();
        new Cleanup(client).delete(List.of(locked, stuck, definition));
        new ObjectExpectation<>(client, Namespace.class, null, "stuck").toBeGone();
        new ObjectExpectation<>(client, CustomResourceDefinition.class, null, "widgets.example.com").toBeGone();
    }

    private HasMetadata createHeldNamespace(String name) {
        return client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withFinalizers(FINALIZER)
                        .endMetadata()
                        .build())
                .create();
    }

    private void forbid(RequestMatch requests) {
        server.faults().add(FaultRule.of(requests, Fault.forbidden()));
    }

    @Test
    void deleteWhenObjectsOfOthersHaveFinalizersKeepsThem() {
        HasMetadata namespace = client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("own")
                        .endMetadata()
                        .build())
                .create();
        HasMetadata other = client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("kept")
                        .withNamespace("default")
                        .withFinalizers(FINALIZER)
                        .endMetadata()
                        .build())
                .create();

        new Cleanup(client).delete(List.of(namespace));

        new ObjectExpectation<>(client, Namespace.class, null, "own").toBeGone();
        assertThat(client.resource(other).get().getMetadata().getFinalizers()).containsExactly(FINALIZER);
    }
}
