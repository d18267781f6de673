package io.github.reconciler4j.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.webhook.fixtures.Widget;
import io.github.reconciler4j.webhook.fixtures.WidgetRules;
import io.github.reconciler4j.webhook.internal.Installation;
import java.net.URI;
import org.junit.jupiter.api.Test;

class WebhookCleanupTests {

    private static final WebhookServerOptions OPTIONS =
            WebhookServerOptions.defaults().withConfigurationName("widgets").withUrl(URI.create("https://127.0.0.1:1"));

    private static final Webhooks WEBHOOKS = Webhooks.builder()
            .validator(Widget.class, new WidgetRules())
            .converter(Widget.class, Widget.Beta.class, new Widget.BetaConverter())
            .build();

    @Test
    void conversionAndConfigurationsWhenAppliedAreRemoved() throws Exception {
        try (KubernetesServer kubernetes = KubernetesServer.start();
                Manager manager = Manager.create(kubernetes.clientConfig())) {
            Client client = manager.client();
            client.create(definition());
            new Installation(WEBHOOKS, OPTIONS).apply(client);
            assertThat(conversion(client).getStrategy()).isEqualTo("Webhook");

            WebhookCleanup.run(client, WEBHOOKS, OPTIONS);

            assertThat(conversion(client).getStrategy()).isEqualTo("None");
            assertThat(conversion(client).getWebhook()).isNull();
            assertThat(configuration(client)).isTrue();
            WebhookCleanup.run(client, WEBHOOKS, OPTIONS.withApply(true));
            assertThat(configuration(client)).isFalse();
            WebhookCleanup.run(client, WEBHOOKS, OPTIONS.withApply(true));
        }
    }

    private static CustomResourceDefinition definition() {
        return io.fabric8.kubernetes.client.utils.Serialization.unmarshal(
                Widget.DEFINITION, CustomResourceDefinition.class);
    }

    private static CustomResourceConversion conversion(Client client) {
        return client.live()
                .get(CustomResourceDefinition.class, ObjectKey.ofName("widgets.webhook.example.com"))
                .orElseThrow()
                .getSpec()
                .getConversion();
    }

    private static boolean configuration(Client client) {
        return client.live()
                .get(ValidatingWebhookConfiguration.class, ObjectKey.ofName("widgets"))
                .isPresent();
    }
}
