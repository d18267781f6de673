package io.github.reconciler4j.test.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.github.reconciler4j.test.KubernetesServer;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A cluster that others use has the same webhooks after a test as before. */
class WebhookTracesTests {

    private static final String OURS = "https://127.0.0.1:4711";
    private static final String THEIRS = "https://webhooks.example.com";
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: notes.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {kind: Note, plural: notes, singular: note, listKind: NoteList}
              versions:
              - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
            """;

    private final KubernetesServer server = KubernetesServer.start();
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(server.clientConfig()).build();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private static ValidatingWebhookConfiguration configuration(String name, String url, String bundle) {
        return new ValidatingWebhookConfigurationBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .addNewWebhook()
                .withName("notes.example.com")
                .withNewClientConfig()
                .withUrl(url + "/validate")
                .withCaBundle(encoded(bundle))
                .endClientConfig()
                .withSideEffects("None")
                .withAdmissionReviewVersions("v1")
                .withFailurePolicy("Ignore")
                .endWebhook()
                .build();
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    private void authority(String name, String bundle) {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .addToLabels("app.kubernetes.io/managed-by", "reconciler4j")
                .endMetadata()
                .addToStringData("ca.crt", bundle)
                .build();
        client.resource(secret).create();
    }

    private void convertBy(String url, String bundle) {
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("notes.example.com")
                .patch(PatchContext.of(PatchType.JSON_MERGE), """
                        {"spec": {"conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"],
                        "clientConfig": {"url": "%s/convert", "caBundle": "%s"}}}}}""".formatted(url, encoded(bundle)));
    }

    private List<String> names(Class<? extends io.fabric8.kubernetes.api.model.HasMetadata> type) {
        return client.resources(type).inAnyNamespace().list().getItems().stream()
                .map(object -> object.getMetadata().getName())
                .sorted()
                .toList();
    }

    private String conversion() {
        CustomResourceDefinition definition = client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("notes.example.com")
                .get();
        return definition.getSpec().getConversion().getStrategy() + " "
                + definition.getSpec().getConversion().getWebhook();
    }

    @Test
    void webhooksWhenTheyAreNewAreRemovedWithTheirAuthority() {
        client.resource(DEFINITION).create();
        client.resource(configuration("others", THEIRS, "theirs")).create();
        authority("others", "theirs");
        WebhookTraces traces = new WebhookTraces(client, OURS);

        client.resource(configuration("tested", OURS, "ours")).create();
        convertBy(OURS, "ours");
        authority("tested", "ours");
        authority("third", "of another test");
        traces.remove();

        assertThat(names(ValidatingWebhookConfiguration.class)).containsExactly("others");
        assertThat(names(Secret.class)).containsExactly("others", "third");
        assertThat(conversion()).isEqualTo("None null");
    }

    @Test
    void webhooksWhenTheyReplacedOthersGetTheirFormerContent() {
        client.resource(DEFINITION).create();
        convertBy(THEIRS, "theirs");
        ValidatingWebhookConfiguration former =
                client.resource(configuration("shared", THEIRS, "theirs")).create();
        String converted = conversion();
        WebhookTraces traces = new WebhookTraces(client, OURS);

        client.resource(configuration("shared", OURS, "ours")).forceConflicts().serverSideApply();
        convertBy(OURS, "ours");
        traces.remove();

        assertThat(client.resource(former).get().getWebhooks()).isEqualTo(former.getWebhooks());
        assertThat(conversion()).isEqualTo(converted).contains(THEIRS);
    }

    @Test
    void conversionWhenAnEarlierTestLeftItIsEnded() {
        client.resource(DEFINITION).create();
        convertBy(OURS, "ours");
        WebhookTraces traces = new WebhookTraces(client, OURS);

        traces.remove();

        assertThat(conversion()).isEqualTo("None null");
    }
}
