package io.github.reconciler4j.generator.output;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.operator.OperatorDescription;
import io.github.reconciler4j.generator.operator.WebhookSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Webhooks in a ClusterServiceVersion. The Operator Lifecycle Manager creates their objects, Service and certificates. */
final class BundleWebhooks {

    /** Where the Operator Lifecycle Manager mounts the certificates. */
    static final String CERTIFICATES = "/tmp/k8s-webhook-server/serving-certs";

    private static final List<String> COPIED = List.of(
            "admissionReviewVersions",
            "failurePolicy",
            "matchPolicy",
            "objectSelector",
            "reinvocationPolicy",
            "rules",
            "sideEffects",
            "timeoutSeconds");

    private final OperatorDescription operator;

    BundleWebhooks(OperatorDescription operator) {
        this.operator = operator;
    }

    /**
     * Returns the entries.
     *
     * @throws GeneratorException if a webhook has options that they cannot express
     */
    List<Map<String, Object>> definitions() {
        WebhookSnapshot webhooks = operator.snapshot().webhooks();
        List<Map<String, Object>> definitions = new ArrayList<>();
        for (Map<String, Object> configuration : webhooks.configurations()) {
            String type = String.valueOf(configuration.get("kind")).replace("WebhookConfiguration", "AdmissionWebhook");
            for (Object webhook : (List<?>) Objects.requireNonNull(configuration.get("webhooks"))) {
                definitions.add(definition(type, (Map<?, ?>) webhook));
            }
        }
        if (!webhooks.converted().isEmpty()) {
            Map<String, Object> definition = common(
                    "ConversionWebhook",
                    "convert." + operator.name(),
                    Objects.requireNonNull(webhooks.conversion().get("webhook")));
            definition.put("admissionReviewVersions", List.of("v1"));
            definition.put("conversionCRDs", List.copyOf(webhooks.converted().keySet()));
            definition.put("sideEffects", "None");
            definitions.add(definition);
        }
        return definitions;
    }

    private Map<String, Object> definition(String type, Map<?, ?> webhook) {
        for (String unknown : List.of("matchConditions", "namespaceSelector")) {
            if (webhook.containsKey(unknown)) {
                throw new GeneratorException("A bundle cannot express '" + unknown + "' of the webhook "
                        + webhook.get("name") + ": the Operator Lifecycle Manager sets the namespaces and has no match"
                        + " conditions. Set reconciler4j.webhook.enabled=false in the properties of the generator and"
                        + " install the webhooks with the plain manifests (R4J-725)");
            }
        }
        Map<String, Object> definition = common(type, String.valueOf(webhook.get("name")), webhook);
        for (String key : COPIED) {
            Object value = webhook.get(key);
            if (value != null) {
                definition.put(key, value);
            }
        }
        return definition;
    }

    private Map<String, Object> common(String type, String name, Object webhook) {
        Map<?, ?> client = (Map<?, ?>) Objects.requireNonNull(((Map<?, ?>) webhook).get("clientConfig"));
        Map<?, ?> service = (Map<?, ?>) Objects.requireNonNull(client.get("service"));
        Map<String, Object> definition = new LinkedHashMap<>();
        definition.put("type", type);
        definition.put("generateName", name);
        definition.put("deploymentName", operator.name());
        definition.put("containerPort", 443);
        definition.put("targetPort", 9443);
        definition.put("webhookPath", Objects.requireNonNull(service.get("path")));
        return definition;
    }
}
