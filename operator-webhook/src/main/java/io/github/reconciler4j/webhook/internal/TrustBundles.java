package io.github.reconciler4j.webhook.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.webhook.AdmissionWebhook;
import io.github.reconciler4j.webhook.Webhooks;
import io.github.reconciler4j.webhook.internal.CertificateCycle.Published;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Applies the field {@code caBundle}, and nothing else, of the objects by which the API server calls webhooks. Objects and
 * webhooks that do not exist are skipped: they get the bundle at the next check.
 */
public final class TrustBundles implements CertificateCycle.Bundles {

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
                KindName.of("apiextensions.k8s.io/v1", "CustomResourceDefinition"), "customresourcedefinitions", false);
        webhooks.conversions().forEach(kind -> targets.add(new Target(definition, kind.definition())));
    }

    private void addConfiguration(Webhooks webhooks, AdmissionWebhook.Type type, String kind, String name) {
        if (!webhooks.admission(type).isEmpty()) {
            String plural = kind.toLowerCase(java.util.Locale.ROOT) + "s";
            targets.add(new Target(new KindInfo(KindName.of(ADMISSION, kind), plural, false), name));
        }
    }

    /** Return the permissions that this needs. */
    public List<RequiredPermission> requiredPermissions() {
        return targets.stream().map(Target::permission).toList();
    }

    @Override
    public Published read() {
        List<List<X509Certificate>> bundles = new ArrayList<>();
        List<String> absent = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        for (Target target : targets) {
            attempt(target, failures, () -> {
                Optional<GenericKubernetesResource> found = get(target);
                if (found.isEmpty()) {
                    absent.add(target + " does not exist: install it, or let the operator apply it at start (R4J-414)");
                }
                found.map(object -> bundles(target, object)).ifPresent(bundles::addAll);
            });
        }
        return new Published(bundles, absent, failures);
    }

    @Override
    public List<String> write(List<X509Certificate> certificates, Predicate<X509Certificate> removable) {
        List<String> failures = new ArrayList<>();
        for (Target target : targets) {
            attempt(
                    target,
                    failures,
                    () -> get(target).ifPresent(found -> {
                        boolean outdated = bundles(target, found).stream()
                                .anyMatch(bundle -> !Set.copyOf(bundle).equals(Set.copyOf(certificates)));
                        boolean complete = bundles(target, found).stream()
                                .flatMap(List::stream)
                                .allMatch(one -> certificates.contains(one) || removable.test(one));
                        if (outdated && complete) {
                            apply(target, found, certificates);
                        }
                    }));
        }
        return failures;
    }

    private Optional<GenericKubernetesResource> get(Target target) {
        return client.live().get(Kind.of(target.kind.kind()), new ObjectKey("", target.name));
    }

    private static void attempt(Target target, List<String> failures, Runnable request) {
        try {
            request.run();
        } catch (RequestInterruptedException e) {
            throw e;
        } catch (ForbiddenException e) {
            failures.add("The operator must not set the caBundle of " + target + ": grant " + target.permission() + " ("
                    + e.getMessage() + ") (R4J-415)");
        } catch (ConflictException e) {
            // it has changed since it was read: the next check looks again
        } catch (ApiException e) {
            failures.add("Could not set the caBundle of " + target + ": " + e.getMessage());
        }
    }

    /** Return the bundles by which the API server calls this operator. One that cannot be read is empty. */
    private List<List<X509Certificate>> bundles(Target target, GenericKubernetesResource object) {
        if (target.isDefinition()) {
            return "Webhook".equals(object.get("spec", "conversion", "strategy"))
                    ? List.of(certificates(object.get("spec", "conversion", "webhook", "clientConfig", "caBundle")))
                    : List.of(); // conversion is off
        }
        return own(object).stream()
                .map(webhook -> certificates(clientConfig(webhook).get("caBundle")))
                .toList();
    }

    private static List<X509Certificate> certificates(@Nullable Object bundle) {
        try {
            return bundle instanceof String text
                    ? Authority.certificates(new String(Base64.getDecoder().decode(text), UTF_8))
                    : List.of();
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return List.of();
        }
    }

    private void apply(Target target, GenericKubernetesResource found, List<X509Certificate> certificates) {
        String bundle = encoded(certificates);
        GenericKubernetesResource change = new GenericKubernetesResource();
        change.setApiVersion(target.kind.kind().apiVersion());
        change.setKind(target.kind.kind().kind());
        change.setMetadata(new ObjectMetaBuilder()
                .withName(target.name)
                .withUid(found.getMetadata().getUid()) // never create an object
                .withResourceVersion(
                        found.getMetadata().getResourceVersion()) // never undo what another replica has added
                .build());
        if (target.isDefinition()) {
            Map<String, Object> webhook = Map.of("clientConfig", Map.of("caBundle", bundle));
            change.setAdditionalProperty(
                    "spec", Map.of("conversion", Map.of("strategy", "Webhook", "webhook", webhook)));
        } else {
            change.setAdditionalProperty(
                    "webhooks",
                    own(found).stream()
                            .map(webhook -> Map.of(
                                    "name",
                                    Objects.requireNonNull(webhook.get("name")),
                                    "clientConfig",
                                    Map.of("caBundle", bundle)))
                            .toList());
        }
        client.applyUnconditionally(change, ApplyOptions.defaults());
    }

    private static String encoded(List<X509Certificate> certificates) {
        try {
            return Base64.getEncoder()
                    .encodeToString(Authority.pem(certificates).getBytes(UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("A certificate that was read cannot be written", e);
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
