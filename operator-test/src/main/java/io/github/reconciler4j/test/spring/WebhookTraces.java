package io.github.reconciler4j.test.spring;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an operator with webhooks changes in a cluster that others use after the test: configurations of webhooks, the conversion of
 * definitions, and the Secret with its certificate authority. For use by one thread.
 */
final class WebhookTraces {

    private static final Logger LOG = LoggerFactory.getLogger(OperatorTest.class);
    private static final List<String> CONFIGURATIONS =
            List.of("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration");
    private static final Map<String, Object> NO_CONVERSION = Map.of("strategy", "None");

    private final KubernetesClient client;
    private final String url;
    private final Map<String, Object> before = new HashMap<>();
    private final Set<String> secrets = new HashSet<>();
    private final List<String> problems = new ArrayList<>();

    /**
     * Remember the state before the operator starts.
     *
     * @param url the start of the addresses at which the API server calls its webhooks
     */
    WebhookTraces(KubernetesClient client, String url) {
        this.client = client;
        this.url = url;
        configurations().forEach((key, object) -> before.put(key, webhooks(object)));
        definitions().forEach((key, object) -> before.put(key, conversion(object)));
        authorities().forEach(secret -> secrets.add(secret.getMetadata().getUid()));
    }

    /** Restore this state: what has this address is deleted if it is new, and gets its former content otherwise. */
    void remove() {
        Set<String> bundles = new HashSet<>();
        configurations().forEach((key, object) -> {
            if (String.valueOf(webhooks(object)).contains(url)) {
                addBundles(webhooks(object), bundles);
                attempt("restore " + key, () -> restore(object, before.get(key)));
            }
        });
        definitions().forEach((key, object) -> {
            if (String.valueOf(conversion(object)).contains(url)) {
                addBundles(conversion(object), bundles);
                Object former = Objects.requireNonNullElse(before.get(key), NO_CONVERSION);
                boolean isOurs = former.toString().contains(url);
                attempt(
                        "restore the conversion of " + key,
                        () -> replace(object, "/spec/conversion", isOurs ? NO_CONVERSION : former));
            }
        });
        for (Secret secret : authorities()) {
            Map<String, String> data = Objects.requireNonNullElse(secret.getData(), Map.of());
            if (!secrets.contains(secret.getMetadata().getUid()) && bundles.contains(data.get("ca.crt"))) {
                attempt(
                        "delete Secret " + secret.getMetadata().getName(),
                        () -> client.resource(secret).delete());
            }
        }
        if (!problems.isEmpty()) {
            LOG.warn("The webhooks of the test are still in the cluster; remove them yourself (R4J-806): {}", problems);
        }
    }

    private void restore(GenericKubernetesResource configuration, @Nullable Object former) {
        if (former == null) {
            client.resource(configuration).delete();
        } else {
            replace(configuration, "/webhooks", former);
        }
    }

    private Map<String, GenericKubernetesResource> configurations() {
        Map<String, GenericKubernetesResource> found = new LinkedHashMap<>();
        CONFIGURATIONS.forEach(kind -> found.putAll(list("admissionregistration.k8s.io/v1", kind)));
        return found;
    }

    private Map<String, GenericKubernetesResource> definitions() {
        return list("apiextensions.k8s.io/v1", "CustomResourceDefinition");
    }

    private Map<String, GenericKubernetesResource> list(String version, String kind) {
        Map<String, GenericKubernetesResource> found = new LinkedHashMap<>();
        attempt(
                "list " + kind,
                () -> client.genericKubernetesResources(version, kind)
                        .list()
                        .getItems()
                        .forEach(object ->
                                found.put(kind + " " + object.getMetadata().getName(), object)));
        return found;
    }

    private List<Secret> authorities() {
        List<Secret> found = new ArrayList<>();
        attempt(
                "list Secrets",
                () -> found.addAll(client.secrets()
                        .inAnyNamespace()
                        .withLabel("app.kubernetes.io/managed-by", "reconciler4j")
                        .list()
                        .getItems()));
        return found;
    }

    private static @Nullable Object webhooks(GenericKubernetesResource configuration) {
        return configuration.getAdditionalProperties().get("webhooks");
    }

    private static @Nullable Object conversion(GenericKubernetesResource definition) {
        return definition.get("spec", "conversion");
    }

    private static void addBundles(@Nullable Object tree, Set<String> to) {
        if (tree instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                if (key.equals("caBundle")) {
                    to.add(String.valueOf(value));
                }
                addBundles(value, to);
            });
        } else if (tree instanceof List<?> list) {
            list.forEach(element -> addBundles(element, to));
        }
    }

    private void replace(GenericKubernetesResource object, String path, Object value) {
        String patch = client.getKubernetesSerialization()
                .asJson(List.of(Map.of("op", "replace", "path", path, "value", value)));
        client.resource(object).patch(PatchContext.of(PatchType.JSON), patch);
    }

    /** A user of a shared cluster may not be allowed to see everything: then the rest is restored. */
    private void attempt(String what, Runnable action) {
        try {
            action.run();
        } catch (KubernetesClientException e) {
            problems.add(what + " (status " + e.getCode() + ")");
        }
    }
}
