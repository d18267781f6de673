package io.github.reconciler4j.webhook.internal;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
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
     * Apply all objects. Those that cannot be applied do not keep others from it.
     *
     * @return messages about objects that were not applied, which can be at a later attempt
     */
    public List<String> apply(Client client) {
        Client writer = client.withFieldManager(options.configurationName() + "-webhooks");
        List<String> problems = new ArrayList<>();
        for (HasMetadata configuration : WebhookConfigurations.of(webhooks, options)) {
            String name =
                    configuration.getKind() + " " + configuration.getMetadata().getName();
            attempt(name, problems, () -> writer.applyUnconditionally(configuration, ApplyOptions.defaults()));
        }
        for (Webhooks.ConvertedKind kind : webhooks.conversions()) {
            String name = "CustomResourceDefinition " + kind.definition();
            attempt(
                    name,
                    problems,
                    () -> client.live()
                            .get(CustomResourceDefinition.class, new ObjectKey("", kind.definition()))
                            .ifPresentOrElse(
                                    definition -> writer.applyUnconditionally(
                                            conversion(definition), ApplyOptions.defaults()),
                                    () -> problems.add(name
                                            + " does not exist: install it, so that its objects can be converted")));
        }
        return List.copyOf(problems);
    }

    private GenericKubernetesResource conversion(CustomResourceDefinition definition) {
        GenericKubernetesResource change = new GenericKubernetesResource();
        change.setApiVersion(definition.getApiVersion());
        change.setKind(definition.getKind());
        change.setMetadata(new ObjectMetaBuilder()
                .withName(definition.getMetadata().getName())
                .withUid(definition.getMetadata().getUid()) // never create an object
                .build());
        Map<?, ?> conversion =
                KubernetesJson.mapper().convertValue(WebhookConfigurations.conversion(options), Map.class);
        change.setAdditionalProperty("spec", Map.of("conversion", conversion));
        return change;
    }

    private static void attempt(String name, List<String> problems, Runnable request) {
        try {
            request.run();
        } catch (RequestInterruptedException e) {
            throw e;
        } catch (ForbiddenException e) {
            problems.add("The operator must not apply the " + name + ": grant the permission, or install it with the"
                    + " operator (" + e.getMessage() + ")");
        } catch (ApiException e) {
            problems.add("Could not apply the " + name + ": " + e.getMessage());
        }
    }
}
