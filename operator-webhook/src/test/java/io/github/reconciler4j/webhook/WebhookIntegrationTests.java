package io.github.reconciler4j.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.InvalidObjectException;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import io.github.reconciler4j.webhook.fixtures.TestCertificates;
import io.github.reconciler4j.webhook.fixtures.Widget;
import io.github.reconciler4j.webhook.fixtures.WidgetRules;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Users work with kubectl on a real API server that calls the webhooks. */
@RealKubernetesTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebhookIntegrationTests {

    private final RealKubernetes kubernetes;
    private final TestCertificates certificates = new TestCertificates();
    private final String namespace;
    private WebhookServerOptions options;
    private Manager manager;

    WebhookIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        this.namespace = kubernetes.createNamespace("webhooks");
    }

    @BeforeAll
    void start() throws Exception {
        kubernetes.applyDefinitions(Widget.DEFINITION);
        try (ServerSocket socket = new ServerSocket(0)) {
            int port = socket.getLocalPort();
            options = WebhookServerOptions.defaults()
                    .withConfigurationName("widget-operator")
                    .withHost("127.0.0.1")
                    .withPort(port)
                    .withUrl(URI.create("https://127.0.0.1:" + port));
        }
        startOperator();
        String ca = Base64.getEncoder().encodeToString(certificates.pem().getBytes(StandardCharsets.UTF_8));
        for (HasMetadata configuration : WebhookConfigurations.of(webhooks(), options)) {
            if (configuration instanceof ValidatingWebhookConfiguration validating) {
                validating
                        .getWebhooks()
                        .forEach(webhook -> webhook.getClientConfig().setCaBundle(ca));
            } else if (configuration instanceof MutatingWebhookConfiguration mutating) {
                mutating.getWebhooks()
                        .forEach(webhook -> webhook.getClientConfig().setCaBundle(ca));
            }
            kubernetes.kubectlWithInput(Serialization.asYaml(configuration), "apply", "-f", "-");
        }
        var conversion = WebhookConfigurations.conversion(options);
        conversion.getWebhook().getClientConfig().setCaBundle(ca);
        kubernetes.kubectl(
                "patch",
                "crd",
                "widgets.webhook.example.com",
                "--type=merge",
                "-p",
                "{\"spec\":{\"conversion\":" + Serialization.asJson(conversion) + "}}");
        Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(apply("probe", "image: forbidden")).contains("the image is forbidden");
            kubernetes.kubectl("-n", namespace, "get", "widgets.v1beta1.webhook.example.com");
        });
    }

    private static Webhooks webhooks() {
        return Webhooks.builder()
                .defaulter(Widget.class, new WidgetRules.Defaults())
                .validator(Widget.class, new WidgetRules())
                .converter(Widget.class, Widget.Beta.class, new Widget.BetaConverter())
                .build();
    }

    private void startOperator() {
        manager = Manager.create(kubernetes.config(), ManagerOptions.defaults().withName("widget-operator"));
        WebhookServer.addTo(manager, webhooks(), certificates, options);
        manager.start();
    }

    @AfterAll
    void stop() {
        manager.stop();
        kubernetes.kubectl("delete", "validatingwebhookconfiguration,mutatingwebhookconfiguration", "widget-operator");
        kubernetes.kubectl("delete", "crd", "widgets.webhook.example.com", "--wait=false");
    }

    /** Applies a widget and returns what kubectl prints, whether it succeeds or not. */
    private String apply(String name, String spec, String... arguments) {
        String yaml = "{apiVersion: webhook.example.com/v1, kind: Widget, metadata: {name: " + name + ", namespace: "
                + namespace + "}, spec: {" + spec + "}}";
        String[] all = new String[3 + arguments.length];
        System.arraycopy(new String[] {"apply", "-f", "-"}, 0, all, 0, 3);
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        try {
            return kubernetes.kubectlWithInput(yaml, all);
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
    }

    private String get(String name, String path) {
        return kubernetes.kubectl("-n", namespace, "get", "widget", name, "-o", "jsonpath={" + path + "}");
    }

    @Test
    void invalidObjectWhenAppliedIsDeniedWithItsCauses() {
        assertThat(apply("invalid", "replicas: 11"))
                .contains("spec.replicas: Invalid value: 11: must be at most 10")
                .contains("spec.image: Required value");

        try (Manager other = Manager.create(kubernetes.config())) {
            Client client = other.client();
            Widget widget = Widget.of(namespace, "invalid", null);
            assertThatThrownBy(() -> client.create(widget))
                    .isInstanceOfSatisfying(
                            InvalidObjectException.class,
                            e -> assertThat(e.causes().toString()).contains("spec.image"));
        }
    }

    @Test
    void objectWhenAppliedGetsDefaultsAndKeepsWhatTheClassDoesNotHave() {
        apply("defaulted", "image: web, extra: e, ports: [{name: a, note: x}]");

        assertThat(get("defaulted", ".spec"))
                .contains("\"replicas\":1")
                .contains("\"extra\":\"e\"")
                .contains("\"note\":\"x\"")
                .contains("\"port\":80");
    }

    @Test
    void objectWhenCreatedAsDryRunIsDefaultedAndNotStored() {
        assertThat(apply("dry", "image: web", "--dry-run=server", "-o", "jsonpath={.spec.replicas}"))
                .isEqualTo("1");
        assertThatThrownBy(() -> get("dry", ".spec")).hasMessageContaining("NotFound");
    }

    @Test
    void deletionWhenDeniedNamesTheUser() {
        apply("precious", "image: precious");

        assertThatThrownBy(() -> kubernetes.kubectl("-n", namespace, "delete", "widget", "precious"))
                .hasMessageContaining("cannot be deleted by");
        apply("precious", "image: web");
        kubernetes.kubectl("-n", namespace, "delete", "widget", "precious");
    }

    @Test
    void failureOfTheValidatorWhenPolicyIsFailRejectsWithAnId() {
        assertThat(apply("defect", "image: defect"))
                .contains("failed calling webhook")
                .contains("internal error ");
    }

    @Test
    void objectWhenReadInTheOtherVersionIsConvertedAndLosesNothing() {
        apply("converted", "image: web, extra: e, ports: [{name: a, port: 1, note: x}]");
        String beta = "widgets.v1beta1.webhook.example.com";

        assertThat(kubernetes.kubectl("-n", namespace, "get", beta, "converted", "-o", "jsonpath={.spec}"))
                .isEqualTo("{\"imageName\":\"web\",\"size\":1}");
        kubernetes.kubectlWithInput(
                "{apiVersion: webhook.example.com/v1beta1, kind: Widget, metadata: {name: converted, namespace: "
                        + namespace + "}, spec: {size: 3, color: red}}",
                "apply",
                "--server-side",
                "--field-manager=other",
                "--force-conflicts",
                "-f",
                "-");

        assertThat(get("converted", ".spec"))
                .contains("\"replicas\":3")
                .contains("\"image\":\"web\"")
                .contains("\"extra\":\"e\"")
                .contains("\"note\":\"x\"");
        assertThat(kubernetes.kubectl("-n", namespace, "get", beta, "converted", "-o", "jsonpath={.spec}"))
                .contains("\"color\":\"red\"");
        assertThatThrownBy(() -> kubernetes.kubectlWithInput(
                        "{apiVersion: webhook.example.com/v1beta1, kind: Widget, metadata: {name: bad, namespace: "
                                + namespace + "}, spec: {imageName: unconvertible}}",
                        "create",
                        "-f",
                        "-"))
                .hasMessageContaining("spec.imageName: cannot be converted");
    }
}
