package io.github.reconciler4j.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.InvalidObjectException;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import io.github.reconciler4j.webhook.fixtures.Forwarder;
import io.github.reconciler4j.webhook.fixtures.Widget;
import io.github.reconciler4j.webhook.fixtures.WidgetRules;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Users work with kubectl on a real API server that calls the webhooks. The operator applies its configurations itself. */
@RealKubernetesTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebhookIntegrationTests {

    private final RealKubernetes kubernetes;
    private final String namespace;
    private final Forwarder service = new Forwarder();
    private Manager manager;
    private WebhookServer server;

    WebhookIntegrationTests(RealKubernetes kubernetes) throws IOException {
        this.kubernetes = kubernetes;
        this.namespace = kubernetes.createNamespace("webhooks");
    }

    @BeforeAll
    void start() {
        kubernetes.applyDefinitions(Widget.DEFINITION);
        startOperator();
    }

    private static Webhooks webhooks() {
        return Webhooks.builder()
                .defaulter(Widget.class, new WidgetRules.Defaults())
                .validator(Widget.class, new WidgetRules())
                .validator(Widget.class, JakartaValidator.of(Widget.class, JakartaValidatorTests.constraints()))
                .converter(Widget.class, Widget.Beta.class, new Widget.BetaConverter())
                .build();
    }

    private void startOperator() {
        manager = Manager.create(kubernetes.config(), ManagerOptions.defaults().withName("widget-operator"));
        server = WebhookServer.addTo(
                manager,
                webhooks(),
                OwnCertificates.create(OwnCertificateOptions.defaults().withNamespace(namespace)),
                WebhookServerOptions.defaults()
                        .withConfigurationName("widget-operator")
                        .withHost("127.0.0.1")
                        .withPort(0)
                        .withUrl(URI.create("https://127.0.0.1:" + service.port()))
                        .withApply(true));
        manager.start();
        service.add(server.port());
        awaitWebhooks();
    }

    /** The API server notices each configuration and the definition on its own. */
    private void awaitWebhooks() {
        eventually("the API server calls all webhooks").untilAsserted(() -> {
            assertThat(apply("probe", "image: forbidden", "--dry-run=server")).contains("the image is forbidden");
            assertThat(apply("probe", "image: defect", "--dry-run=server")).contains("failed calling webhook");
            assertThat(apply("probe", "image: web", "--dry-run=server", "-o", "jsonpath={.spec.replicas}"))
                    .isEqualTo("1");
            assertThat(createBeta("probe", "imageName: web", "--dry-run=server"))
                    .contains("created");
        });
    }

    private static ConditionFactory eventually(String what) {
        return Awaitility.await(what).atMost(Duration.ofMinutes(2));
    }

    @AfterAll
    void stop() throws IOException {
        kubernetes.kubectl("delete", "validatingwebhookconfiguration,mutatingwebhookconfiguration", "widget-operator");
        // Waits for the end of the definition, which the next class installs again on the same server.
        kubernetes.kubectl("delete", "crd", "widgets.webhook.example.com");
        manager.stop();
        service.close();
    }

    /** Applies a widget and returns what kubectl prints, whether it succeeds or not. */
    private String apply(String name, String spec, String... arguments) {
        String yaml = "{apiVersion: webhook.example.com/v1, kind: Widget, metadata: {name: " + name + ", namespace: "
                + namespace + "}, spec: {" + spec + "}}";
        String[] all = new String[3 + arguments.length];
        System.arraycopy(new String[] {"apply", "-f", "-"}, 0, all, 0, 3);
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        return kubectl(yaml, all);
    }

    /** Creates a widget in the other version and returns what kubectl prints, whether it succeeds or not. */
    private String createBeta(String name, String spec, String... arguments) {
        String yaml = "{apiVersion: webhook.example.com/v1beta1, kind: Widget, metadata: {name: " + name
                + ", namespace: " + namespace + "}, spec: {" + spec + "}}";
        return kubectl(
                yaml,
                Stream.concat(Stream.of("create", "-f", "-"), Arrays.stream(arguments))
                        .toArray(String[]::new));
    }

    private String kubectl(String yaml, String... arguments) {
        try {
            return kubernetes.kubectlWithInput(yaml, arguments);
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
    void objectWhenItViolatesAConstraintIsDeniedWithTheNameInJson() {
        assertThat(apply("long", "image: web, ports: [{name: a}, {name: longer-than-fifteen}]"))
                .contains(
                        "The Widget \"long\" is invalid: spec.ports[1].name: Invalid value: \"longer-than-fifteen\": size must"
                                + " be between 0 and 15");
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
        assertThat(createBeta("bad", "imageName: unconvertible")).contains("spec.imageName: cannot be converted");
    }

    @Test
    void listWhenOfManyObjectsIsConvertedInBothVersions() {
        String many = kubernetes.createNamespace("many");
        StringBuilder objects = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            objects.append("---\n{apiVersion: webhook.example.com/v1, kind: Widget, metadata: {name: w" + i
                    + "}, spec: {image: web, extra: e}}\n");
        }
        kubernetes.kubectlWithInput(objects.toString(), "-n", many, "create", "-f", "-");

        for (String resource : List.of("widgets.v1.webhook.example.com", "widgets.v1beta1.webhook.example.com")) {
            assertThat(kubernetes
                            .kubectl("-n", many, "get", resource, "-o", "name")
                            .lines())
                    .hasSize(500);
        }
    }

    @Test
    void operatorWhenStoppedBlocksOrNotAsItsFailurePolicySays() {
        service.remove(server.port());
        manager.stop();
        assertThat(apply("stopped", "image: web")).contains("failed calling webhook");
        setFailurePolicy("Ignore");
        eventually("the API server continues without answers")
                .untilAsserted(() -> assertThat(apply("stopped", "image: web")).contains("created"));
        startOperator();
    }

    private void setFailurePolicy(String policy) {
        for (String kind : List.of("validatingwebhookconfiguration", "mutatingwebhookconfiguration")) {
            String names = kubernetes.kubectl("get", kind, "widget-operator", "-o", "jsonpath={.webhooks[*].name}");
            String webhooks = Arrays.stream(names.split(" "))
                    .map(name -> "{\"name\":\"" + name + "\",\"failurePolicy\":\"" + policy + "\"}")
                    .collect(Collectors.joining(","));
            kubernetes.kubectl("patch", kind, "widget-operator", "-p", "{\"webhooks\":[" + webhooks + "]}");
        }
    }
}
