package io.github.reconciler4j.webhook.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.manager.RequiredPermission;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.webhook.AdmissionWebhook;
import io.github.reconciler4j.webhook.Webhooks;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Applies the field {@code caBundle}, and nothing else, of the objects by which the API server calls webhooks. Objects and
 * webhooks that do not exist are skipped: they get the bundle at the next check.
 */
public final class TrustBundles {

    private static final String ADMISSION = "admissionregistration.k8s.io/v1";

    private final Client client;
    private final Set<String> webhookNames;
    private final List<Target> targets = new ArrayList<>();

    private record Target(KindInfo kind, String name) {

        boolean isDefinition() {
            return kind.kind().kind().equals("CustomResourceDefinition");
        }

        RequiredPermission permission() {
            return RequiredPermission.on(kind, "get", "patch").named(name);
        }

        @Override
        public String toString() {
            return kind.kind().kind() + " " + name;
        }
    }

    /**
     * Create it.
     *
     * @param configurationName the name of the webhook configurations
     */
    public TrustBundles(Client client, Webhooks webhooks, String configurationName) {
        this.client = client.withFieldManager(configurationName + "-ca-bundle");
        this.webhookNames =
                webhooks.admission().stream().map(AdmissionWebhook::name).collect(Collectors.toSet());
        addConfiguration(webhooks, AdmissionWebhook.Type.MUTATING, "MutatingWebhookConfiguration", configurationName);
        addConfiguration(
                webhooks, AdmissionWebhook.Type.VALIDATING, "ValidatingWebhookConfiguration", configurationName);
        KindInfo definition = new KindInfo(
                GroupVersionKind.of("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
                "customresourcedefinitions",
                false);
        webhooks.conversions().forEach(kind -> targets.add(new Target(definition, kind.definition())));
    }

    private void addConfiguration(Webhooks webhooks, AdmissionWebhook.Type type, String kind, String name) {
        if (!webhooks.admission(type).isEmpty()) {
            String plural = kind.toLowerCase(java.util.Locale.ROOT) + "s";
            targets.add(new Target(new KindInfo(GroupVersionKind.of(ADMISSION, kind), plural, false), name));
        }
    }

    /** Return the permissions that this needs. */
    public List<RequiredPermission> requiredPermissions() {
        return targets.stream().map(Target::permission).toList();
    }

    /**
     * What an attempt to apply the bundle has found. Immutable.
     *
     * @param absent messages about objects that do not exist; no API server can use an old bundle of theirs
     * @param failures messages about objects that exist and may not contain the bundle
     */
    public record Result(List<String> absent, List<String> failures) {

        /** Return all messages. */
        public List<String> messages() {
            return Stream.concat(failures.stream(), absent.stream()).toList();
        }
    }

    /**
     * Apply the bundle to all objects that do not contain it.
     *
     * @param pem the certificates
     */
    public Result apply(String pem) {
        String bundle = Base64.getEncoder().encodeToString(pem.getBytes(UTF_8));
        List<String> absent = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        for (Target target : targets) {
            try {
                Optional<GenericKubernetesResource> found =
                        client.live().get(target.kind.kind(), new ObjectKey("", target.name));
                if (found.isEmpty()) {
                    absent.add(target + " does not exist: install it, or let the operator apply it at start");
                } else {
                    apply(target, found.get(), bundle);
                }
            } catch (RequestInterruptedException e) {
                throw e;
            } catch (ForbiddenException e) {
                failures.add("The operator must not set the caBundle of " + target + ": grant " + target.permission()
                        + " (" + e.getMessage() + ")");
            } catch (ApiException e) {
                failures.add("Could not set the caBundle of " + target + ": " + e.getMessage());
            }
        }
        return new Result(List.copyOf(absent), List.copyOf(failures));
    }

    private void apply(Target target, GenericKubernetesResource found, String bundle) {
        GenericKubernetesResource change = new GenericKubernetesResource();
        change.setApiVersion(target.kind.kind().apiVersion());
        change.setKind(target.kind.kind().kind());
        change.setMetadata(new ObjectMetaBuilder()
                .withName(target.name)
                .withUid(found.getMetadata().getUid()) // never create an object
                .build());
        if (target.isDefinition()) {
            if (!"Webhook".equals(found.get("spec", "conversion", "strategy"))) {
                return; // conversion is off
            }
            if (!bundle.equals(found.get("spec", "conversion", "webhook", "clientConfig", "caBundle"))) {
                Map<String, Object> webhook = Map.of("clientConfig", Map.of("caBundle", bundle));
                change.setAdditionalProperty(
                        "spec", Map.of("conversion", Map.of("strategy", "Webhook", "webhook", webhook)));
                client.applyUnconditionally(change, ApplyOptions.defaults());
            }
            return;
        }
        List<Map<String, Object>> own = own(found);
        if (own.stream()
                .anyMatch(webhook -> !bundle.equals(clientConfig(webhook).get("caBundle")))) {
            change.setAdditionalProperty(
                    "webhooks",
                    own.stream()
                            .map(webhook -> Map.of(
                                    "name",
                                    Objects.requireNonNull(webhook.get("name")),
                                    "clientConfig",
                                    Map.of("caBundle", bundle)))
                            .toList());
            client.applyUnconditionally(change, ApplyOptions.defaults());
        }
    }

    private List<Map<String, Object>> own(GenericKubernetesResource configuration) {
        List<Map<String, Object>> own = new ArrayList<>();
        if (configuration.getAdditionalProperties().get("webhooks") instanceof List<?> webhooks) {
            for (Object webhook : webhooks) {
                if (webhook instanceof Map<?, ?> map && webhookNames.contains(String.valueOf(map.get("name")))) {
                    own.add(strings(map));
                }
            }
        }
        return own;
    }

    private static Map<String, Object> clientConfig(Map<String, Object> webhook) {
        return webhook.get("clientConfig") instanceof Map<?, ?> map ? strings(map) : Map.of();
    }

    private static Map<String, Object> strings(Map<?, ?> map) {
        return map.entrySet().stream()
                .filter(entry -> entry.getValue() != null)
                .collect(Collectors.toMap(entry -> String.valueOf(entry.getKey()), Map.Entry::getValue));
    }
}
