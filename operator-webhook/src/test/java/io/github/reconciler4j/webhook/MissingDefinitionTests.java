package io.github.reconciler4j.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.health.HealthReport;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import io.github.reconciler4j.webhook.fixtures.Widget;
import io.github.reconciler4j.webhook.fixtures.WidgetRules;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An operator that applies its configurations at start serves its webhooks even if it cannot apply them. */
class MissingDefinitionTests {

    private static final Webhooks WEBHOOKS = Webhooks.builder()
            .validator(Widget.class, new WidgetRules())
            .converter(Widget.class, Widget.Beta.class, new Widget.BetaConverter())
            .build();

    private KubernetesServer kubernetes;
    private Manager manager;
    private WebhookServer server;

    @BeforeEach
    void start() {
        kubernetes = KubernetesServer.start();
        manager = Manager.create(
                kubernetes.clientConfig(), ManagerOptions.defaults().withName("widgets"));
        server = WebhookServer.addTo(
                manager,
                WEBHOOKS,
                OwnCertificates.create(OwnCertificateOptions.defaults()
                        .withNamespace("default")
                        .withCheckInterval(Duration.ofMillis(100))),
                WebhookServerOptions.defaults()
                        .withHost("127.0.0.1")
                        .withPort(0)
                        .withUrl(URI.create("https://127.0.0.1:1"))
                        .withApply(true));
    }

    @AfterEach
    void stop() {
        manager.close();
        kubernetes.close();
    }

    private HealthCheck.Health health() {
        return server.healthChecks().get(0).check();
    }

    private boolean isReady() {
        return HealthReport.of(manager.healthChecks()).checks().values().stream()
                .allMatch(HealthCheck.Health::ready);
    }

    @Test
    void serverWhenADefinitionIsMissingServesAndAppliesTheConversionLater() {
        manager.start();

        assertThat(server.port()).isPositive();
        assertThat(isReady()).isTrue();
        assertThat(health().details().get("notApplied").toString())
                .contains("CustomResourceDefinition " + Widget.NAME + " does not exist: install it");
        Client client = manager.client();
        assertThat(client.live().get(ValidatingWebhookConfiguration.class, ObjectKey.ofName("widgets")))
                .isPresent();
        client.create(Serialization.unmarshal(Widget.DEFINITION, CustomResourceDefinition.class));
        await("the conversion with the certificate authority")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> {
                    CustomResourceConversion conversion = client.live()
                            .get(CustomResourceDefinition.class, ObjectKey.ofName(Widget.NAME))
                            .orElseThrow()
                            .getSpec()
                            .getConversion();
                    assertThat(conversion.getStrategy()).isEqualTo("Webhook");
                    assertThat(conversion.getWebhook().getClientConfig().getCaBundle())
                            .isNotBlank();
                });
        await("the report, which follows the request")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(health().details()).doesNotContainKey("notApplied"));
    }

    @Test
    void serverWhenItMustNotApplyItsConfigurationsServesAndSaysSo() {
        kubernetes
                .faults()
                .add(FaultRule.of(
                        RequestMatch.verbs("patch").kind("ValidatingWebhookConfiguration"), Fault.forbidden()));

        manager.start();

        assertThat(server.port()).isPositive();
        assertThat(isReady()).isTrue();
        assertThat(health().details().get("notApplied").toString())
                .contains(
                        "The operator must not apply the ValidatingWebhookConfiguration widgets: grant the permission");
    }

    @Test
    void serverWhenTheClusterHasAnOperatorLeavesItsWebhooksAloneAndSaysSoOnce() {
        WebhookServerOptions inCluster = WebhookServerOptions.defaults()
                .withConfigurationName("widgets")
                .withService(new WebhookServerOptions.Service("shop", "widgets-webhooks", 443));
        CustomResourceDefinition definition =
                Serialization.unmarshal(Widget.DEFINITION, CustomResourceDefinition.class);
        definition.getSpec().setConversion(WebhookConfigurations.conversion(inCluster));
        Client client = manager.client();
        client.create(definition);
        client.create(WebhookConfigurations.validating(WEBHOOKS, inCluster).orElseThrow());

        manager.start();

        assertThat((Iterable<?>) health().details().get("notApplied"))
                .singleElement()
                .asString()
                .isEqualTo("The API server calls the webhooks of ValidatingWebhookConfiguration widgets,"
                        + " CustomResourceDefinition " + Widget.NAME
                        + " at a Service in the cluster, which this operator"
                        + " does not replace by its URL: stop the operator in the cluster and run"
                        + " kubectl delete validatingwebhookconfiguration/widgets && kubectl patch"
                        + " customresourcedefinition/" + Widget.NAME
                        + " --type=merge -p '{\"spec\":{\"conversion\":{\"strategy\":\"None\",\"webhook\":null}}}'"
                        + " (R4J-425)");
        client.delete(client.live()
                .get(ValidatingWebhookConfiguration.class, ObjectKey.ofName("widgets"))
                .orElseThrow());
        WebhookCleanup.run(client, WEBHOOKS, inCluster);
        await("the URL of this process")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(health().details()).doesNotContainKey("notApplied"));
    }
}
