package io.github.reconciler4j.webhook.internal;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.webhook.WebhookConfigurations;
import io.github.reconciler4j.webhook.WebhookServerOptions;
import io.github.reconciler4j.webhook.Webhooks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;

/** Applies the webhook configurations, and the conversion stanza of custom resource definitions, at start. */
public record Installation(Webhooks webhooks, WebhookServerOptions options) {

    private static final String END_CONVERSION =
            " --type=merge -p '{\"spec\":{\"conversion\":{\"strategy\":\"None\",\"webhook\":null}}}'";

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

    /** Return how many requests this takes if nothing goes wrong. */
    int requests() {
        int configurations = WebhookConfigurations.of(webhooks, options).size();
        return (isOutside() ? 2 : 1) * configurations
                + 2 * webhooks.conversions().size();
    }

    /** Return the names of all objects, each with {@code ""} because no attempt has failed. */
    Map<String, String> pending() {
        Map<String, String> names = new LinkedHashMap<>();
        WebhookConfigurations.of(webhooks, options).forEach(configuration -> names.put(nameOf(configuration), ""));
        webhooks.conversions().forEach(kind -> names.put(nameOf(kind), ""));
        return names;
    }

    private static String nameOf(HasMetadata configuration) {
        return configuration.getKind() + " " + configuration.getMetadata().getName();
    }

    private static String nameOf(Webhooks.ConvertedKind kind) {
        return "CustomResourceDefinition " + kind.definition();
    }

    /**
     * Apply objects. Those that cannot be applied do not keep others from it.
     *
     * @param names which
     * @return messages about objects that were not applied, which can be at a later attempt, by name
     */
    Map<String, String> apply(Client client, Set<String> names) {
        Client writer = client.withFieldManager(options.configurationName() + "-webhooks");
        Map<String, String> problems = new LinkedHashMap<>();
        Map<String, String> foreign = new LinkedHashMap<>();
        for (HasMetadata configuration : WebhookConfigurations.of(webhooks, options)) {
            String name = nameOf(configuration);
            if (names.contains(name)) {
                attempt(name, problems, () -> {
                    if (isOutside() && callsService(client, configuration)) {
                        foreign.put(name, "kubectl delete " + resource(name));
                    } else {
                        writer.applyUnconditionally(configuration, ApplyOptions.defaults());
                    }
                });
            }
        }
        for (Webhooks.ConvertedKind kind : webhooks.conversions()) {
            String name = nameOf(kind);
            if (names.contains(name)) {
                attempt(
                        name,
                        problems,
                        () -> client.live()
                                .get(CustomResourceDefinition.class, new ObjectKey("", kind.definition()))
                                .ifPresentOrElse(
                                        definition -> {
                                            if (isOutside() && callsService(definition)) {
                                                foreign.put(name, "kubectl patch " + resource(name) + END_CONVERSION);
                                            } else {
                                                writer.applyUnconditionally(
                                                        conversion(definition), ApplyOptions.defaults());
                                            }
                                        },
                                        () -> problems.put(name, missing(name))));
            }
        }
        foreign.keySet().forEach(name -> problems.put(name, foreign(foreign)));
        return problems;
    }

    private static String resource(String name) {
        return name.toLowerCase(Locale.ROOT).replace(' ', '/');
    }

    private static String missing(String name) {
        return name + " does not exist: install it, so that its objects can be converted (R4J-419)";
    }

    /** The Service is in the cluster, and other users may depend on the operator behind it. */
    private static String foreign(Map<String, String> commands) {
        return "The API server calls the webhooks of " + String.join(", ", commands.keySet())
                + " at a Service in the cluster, which this operator does not replace by its URL: stop the operator in the"
                + " cluster and run " + String.join(" && ", commands.values()) + " (R4J-425)";
    }

    private boolean isOutside() {
        return options.service().isEmpty();
    }

    private static boolean callsService(CustomResourceDefinition definition) {
        return namesService(KubernetesJson.mapper().valueToTree(definition).at("/spec/conversion/webhook"));
    }

    /** An entry of another name stays beside the own ones, so it says nothing. */
    private static boolean callsService(Client client, HasMetadata configuration) {
        Set<String> own = new HashSet<>();
        webhooks(configuration).forEach(webhook -> own.add(webhook.path("name").asText()));
        return client.live()
                .get(
                        configuration.getClass(),
                        new ObjectKey("", configuration.getMetadata().getName()))
                .filter(found -> StreamSupport.stream(webhooks(found).spliterator(), false)
                        .anyMatch(webhook -> own.contains(webhook.path("name").asText()) && namesService(webhook)))
                .isPresent();
    }

    private static JsonNode webhooks(HasMetadata configuration) {
        return KubernetesJson.mapper().valueToTree(configuration).path("webhooks");
    }

    private static boolean namesService(JsonNode webhook) {
        return !webhook.at("/clientConfig/service/name").isMissingNode();
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

    private static void attempt(String name, Map<String, String> problems, Runnable request) {
        try {
            request.run();
        } catch (RequestInterruptedException e) {
            throw e;
        } catch (ForbiddenException e) {
            problems.put(
                    name,
                    "The operator must not apply the " + name + ": grant the permission, or install it with the"
                            + " operator (" + e.getMessage() + ") (R4J-420)");
        } catch (ApiException e) {
            problems.put(name, "Could not apply the " + name + ": " + e.getMessage());
        }
    }
}
