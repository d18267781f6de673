package io.github.reconciler4j.webhook;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what makes the API server call the webhooks of an operator that is about to be uninstalled. A definition that stays
 * with a conversion webhook that nothing serves makes lists of its kind fail, and with them the garbage collector and the
 * deletion of namespaces.
 *
 * <p>With the starter, {@code reconciler4j.webhook.clean-up=true} makes the application do this and end.
 *
 * <!-- snippet: WebhookUse -->
 * <pre>{@code
 * WebhookCleanup.run(manager.client(), webhooks, server());
 * }</pre>
 *
 * @since 0.1.0
 */
public final class WebhookCleanup {

    private static final Logger LOG = LoggerFactory.getLogger(WebhookCleanup.class);

    private WebhookCleanup() {}

    /**
     * Set the conversion strategy of the definitions with converters to {@code None}, and delete the webhook configurations if
     * the operator applies them itself. Objects that do not exist are skipped. The operator should not be running with
     * {@link WebhookServerOptions#withApply}, since it would apply them again at its next start. The options need neither a
     * Service nor a URL.
     *
     * @throws io.github.reconciler4j.client.error.ApiException if the API server refuses a request
     */
    public static void run(Client client, Webhooks webhooks, WebhookServerOptions options) {
        for (Webhooks.ConvertedKind kind : webhooks.conversions()) {
            client.live()
                    .get(CustomResourceDefinition.class, new ObjectKey("", kind.definition()))
                    .ifPresent(definition -> endConversion(client, definition));
        }
        if (options.apply()
                && !webhooks.admission(AdmissionWebhook.Type.MUTATING).isEmpty()) {
            delete(client, MutatingWebhookConfiguration.class, options.configurationName());
        }
        if (options.apply()
                && !webhooks.admission(AdmissionWebhook.Type.VALIDATING).isEmpty()) {
            delete(client, ValidatingWebhookConfiguration.class, options.configurationName());
        }
    }

    private static void delete(Client client, Class<? extends HasMetadata> type, String name) {
        client.live().get(type, new ObjectKey("", name)).ifPresent(found -> {
            client.delete(found);
            LOG.info("Deleted the {} {}", found.getKind(), name);
        });
    }

    private static void endConversion(Client client, CustomResourceDefinition definition) {
        if (definition.getSpec().getConversion() == null
                || !"Webhook".equals(definition.getSpec().getConversion().getStrategy())) {
            return;
        }
        Map<String, Object> conversion = new HashMap<>();
        conversion.put("strategy", "None");
        conversion.put("webhook", null);
        client.patch(definition, ObjectPatch.merge(Map.of("spec", Map.of("conversion", conversion))));
        LOG.info(
                "Set the conversion strategy of the CustomResourceDefinition {} to None",
                definition.getMetadata().getName());
    }
}
