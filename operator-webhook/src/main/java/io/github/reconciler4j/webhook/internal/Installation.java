package io.github.reconciler4j.webhook.internal;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.manager.RequiredPermission;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.webhook.WebhookConfigurations;
import io.github.reconciler4j.webhook.WebhookServerOptions;
import io.github.reconciler4j.webhook.Webhooks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Applies the webhook configurations, and the conversion stanza of custom resource definitions, at start. */
public record Installation(Webhooks webhooks, WebhookServerOptions options) {

    /** Return the permissions that this needs. */
    public List<RequiredPermission> requiredPermissions() {
        List<RequiredPermission> permissions = new ArrayList<>();
        for (HasMetadata configuration : WebhookConfigurations.of(webhooks, options)) {
            String name = configuration.getMetadata().getName();
            permissions.add(RequiredPermission.on(configuration.getClass(), "create"));
            permissions.add(RequiredPermission.on(configuration.getClass(), "get", "patch")
                    .named(name));
        }
        webhooks.conversions()
                .forEach(kind -> permissions.add(RequiredPermission.on(CustomResourceDefinition.class, "get", "patch")
                        .named(kind.definition())));
        return permissions;
    }

    /**
     * Apply all objects.
     *
     * @throws ComponentNotReadyException if a definition does not exist
     */
    public void apply(Client client) throws ComponentNotReadyException {
        Client writer = client.withFieldManager(options.configurationName() + "-webhooks");
        for (HasMetadata configuration : WebhookConfigurations.of(webhooks, options)) {
            writer.applyUnconditionally(configuration);
        }
        for (Webhooks.ConvertedKind kind : webhooks.conversions()) {
            CustomResourceDefinition definition = client.live()
                    .get(CustomResourceDefinition.class, new ObjectKey("", kind.definition()))
                    .orElseThrow(() -> new ComponentNotReadyException("The CustomResourceDefinition "
                            + kind.definition() + " does not exist: install it, so that its objects can be converted"));
            GenericKubernetesResource change = new GenericKubernetesResource();
            change.setApiVersion(definition.getApiVersion());
            change.setKind(definition.getKind());
            change.setMetadata(new ObjectMetaBuilder()
                    .withName(kind.definition())
                    .withUid(definition.getMetadata().getUid()) // never create an object
                    .build());
            Map<?, ?> conversion =
                    KubernetesJson.mapper().convertValue(WebhookConfigurations.conversion(options), Map.class);
            change.setAdditionalProperty("spec", Map.of("conversion", conversion));
            writer.applyUnconditionally(change);
        }
    }
}
