package io.github.reconciler4j.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.cluster.TestClusterOptions;
import io.github.reconciler4j.webhook.fixtures.Forwarder;
import io.github.reconciler4j.webhook.fixtures.Widget;
import io.github.reconciler4j.webhook.fixtures.WidgetRules;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The API server in this JVM calls the webhooks of an operator. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TestServerTests {

    private Forwarder service;
    private TestCluster cluster;
    private KubernetesClient client;
    private Manager manager;
    private String namespace;

    @BeforeAll
    void start() throws Exception {
        cluster = TestCluster.start(TestClusterOptions.defaults());
        client = cluster.client();
        cluster.install(List.of(
                client.getKubernetesSerialization().unmarshal(Widget.DEFINITION, CustomResourceDefinition.class)));
        namespace = cluster.createNamespace("widgets");
        service = new Forwarder();
        manager = Manager.create(
                cluster.operatorConfig(), ManagerOptions.defaults().withName("widget-operator"));
        WebhookServer server = WebhookServer.addTo(
                manager,
                Webhooks.builder()
                        .defaulter(Widget.class, new WidgetRules.Defaults())
                        .validator(Widget.class, new WidgetRules())
                        .converter(Widget.class, Widget.Beta.class, new Widget.BetaConverter())
                        .build(),
                OwnCertificates.create(OwnCertificateOptions.defaults().withNamespace(namespace)),
                WebhookServerOptions.defaults()
                        .withHost("127.0.0.1")
                        .withPort(0)
                        .withUrl(URI.create("https://127.0.0.1:" + service.port()))
                        .withApply(true));
        manager.start();
        service.add(server.port());
    }

    @AfterAll
    void stop() throws IOException {
        manager.stop();
        service.close();
        cluster.close();
    }

    @Test
    void objectWhenCreatedIsDefaulted() {
        Widget created =
                client.resource(Widget.of(namespace, "defaulted", "web")).create();

        assertThat(created.getSpec().replicas).isEqualTo(1);
    }

    @Test
    void objectWhenInvalidIsDeniedWithItsCauses() {
        assertThatThrownBy(() ->
                        client.resource(Widget.of(namespace, "invalid", null)).create())
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getStatus().getDetails().getCauses())
                                .extracting(cause -> cause.getField())
                                .containsExactly("spec.image"));
    }

    @Test
    void deletionWhenDeniedNamesTheUser() {
        Widget precious =
                client.resource(Widget.of(namespace, "precious", "precious")).create();

        assertThatThrownBy(() -> client.resource(precious).delete()).hasMessageContaining("cannot be deleted by");
    }

    @Test
    void objectWhenReadInTheOtherVersionIsConverted() {
        client.resource(Widget.of(namespace, "converted", "web")).create();

        var betas = client.resources(Widget.Beta.class).inNamespace(namespace);
        assertThat(betas.withName("converted").get().getSpec().imageName).isEqualTo("web");
        assertThat(betas.list().getItems())
                .allSatisfy(beta -> assertThat(beta.getApiVersion()).isEqualTo("webhook.example.com/v1beta1"));
        betas.withName("converted").edit(beta -> {
            beta.getSpec().size = 4;
            return beta;
        });
        assertThat(client.resources(Widget.class)
                        .inNamespace(namespace)
                        .withName("converted")
                        .get()
                        .getSpec()
                        .replicas)
                .isEqualTo(4);
    }
}
