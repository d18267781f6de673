package io.github.reconciler4j.webhook;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MatchCondition;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.RuleWithOperations;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.RuleWithOperationsBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfigBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversionBuilder;
import io.github.reconciler4j.webhook.internal.ConversionEndpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Generates the objects that make the API server call webhooks. They have no {@code caBundle}: the {@link CertificateSource}
 * applies it, or cert-manager injects it.
 *
 * <p>Webhooks for kinds of Kubernetes itself do not apply in {@code kube-system} and in the namespace of the operator, unless
 * their options have a selector. Otherwise a webhook that fails could prevent the start of its own pods. Custom resources
 * cannot, so their webhooks apply everywhere.
 *
 * <!-- snippet: WebhookUse -->
 * <pre>{@code
 * for (HasMetadata configuration : WebhookConfigurations.of(webhooks, server())) {
 *     manager.client().apply(configuration);
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public final class WebhookConfigurations {

    private static final String NAMESPACE_LABEL = "kubernetes.io/metadata.name";

    private WebhookConfigurations() {}

    /**
     * Return the configurations of admission webhooks.
     *
     * @param options the options of the server, with a name of the configurations
     * @return none, one, or one for each type
     * @throws IllegalArgumentException if the options have no name of the configurations, or neither Service nor URL
     */
    public static List<HasMetadata> of(Webhooks webhooks, WebhookServerOptions options) {
        List<HasMetadata> configurations = new ArrayList<>();
        mutating(webhooks, options).ifPresent(configurations::add);
        validating(webhooks, options).ifPresent(configurations::add);
        return configurations;
    }

    /**
     * Return the configuration of the defaulters, empty if there are none.
     *
     * @throws IllegalArgumentException if the options have no name of the configurations, or neither Service nor URL
     */
    public static Optional<MutatingWebhookConfiguration> mutating(Webhooks webhooks, WebhookServerOptions options) {
        List<MutatingWebhook> entries = webhooks.admission(AdmissionWebhook.Type.MUTATING).stream()
                .map(webhook -> mutating(webhook, options))
                .toList();
        return entries.isEmpty()
                ? Optional.empty()
                : Optional.of(new MutatingWebhookConfigurationBuilder()
                        .withNewMetadata()
                        .withName(name(options))
                        .endMetadata()
                        .withWebhooks(entries)
                        .build());
    }

    /**
     * Return the configuration of the validators, empty if there are none.
     *
     * @throws IllegalArgumentException if the options have no name of the configurations, or neither Service nor URL
     */
    public static Optional<ValidatingWebhookConfiguration> validating(Webhooks webhooks, WebhookServerOptions options) {
        List<ValidatingWebhook> entries = webhooks.admission(AdmissionWebhook.Type.VALIDATING).stream()
                .map(webhook -> validating(webhook, options))
                .toList();
        return entries.isEmpty()
                ? Optional.empty()
                : Optional.of(new ValidatingWebhookConfigurationBuilder()
                        .withNewMetadata()
                        .withName(name(options))
                        .endMetadata()
                        .withWebhooks(entries)
                        .build());
    }

    /**
     * Return the conversion stanza of the custom resource definitions of {@link Webhooks#conversions}.
     *
     * @throws IllegalArgumentException if the options have neither Service nor URL
     */
    public static CustomResourceConversion conversion(WebhookServerOptions options) {
        return new CustomResourceConversionBuilder()
                .withStrategy("Webhook")
                .withNewWebhook()
                .withConversionReviewVersions("v1")
                .withClientConfig(conversionClient(options))
                .endWebhook()
                .build();
    }

    private static io.fabric8.kubernetes.api.model.apiextensions.v1.WebhookClientConfig conversionClient(
            WebhookServerOptions options) {
        WebhookClientConfig client = client(ConversionEndpoint.PATH, options);
        var builder = new io.fabric8.kubernetes.api.model.apiextensions.v1.WebhookClientConfigBuilder()
                .withUrl(client.getUrl());
        options.service()
                .ifPresent(service -> builder.withNewService(
                        service.name(), service.namespace(), ConversionEndpoint.PATH, service.port()));
        return builder.build();
    }

    private static MutatingWebhook mutating(AdmissionWebhook webhook, WebhookServerOptions server) {
        WebhookOptions options = webhook.options();
        return new MutatingWebhookBuilder()
                .withName(webhook.name())
                .withAdmissionReviewVersions("v1")
                .withClientConfig(client(webhook.path(), server))
                .withRules(rule(webhook))
                .withMatchPolicy("Equivalent")
                .withFailurePolicy(failurePolicy(options))
                .withSideEffects(sideEffects(options))
                .withTimeoutSeconds((int) options.timeout().toSeconds())
                .withMatchConditions(matchConditions(options))
                .withNamespaceSelector(namespaceSelector(webhook, server))
                .withObjectSelector(options.objectSelector().orElse(null))
                .withReinvocationPolicy(options.reinvocation() ? "IfNeeded" : "Never")
                .build();
    }

    private static ValidatingWebhook validating(AdmissionWebhook webhook, WebhookServerOptions server) {
        WebhookOptions options = webhook.options();
        return new ValidatingWebhookBuilder()
                .withName(webhook.name())
                .withAdmissionReviewVersions("v1")
                .withClientConfig(client(webhook.path(), server))
                .withRules(rule(webhook))
                .withMatchPolicy("Equivalent")
                .withFailurePolicy(failurePolicy(options))
                .withSideEffects(sideEffects(options))
                .withTimeoutSeconds((int) options.timeout().toSeconds())
                .withMatchConditions(matchConditions(options))
                .withNamespaceSelector(namespaceSelector(webhook, server))
                .withObjectSelector(options.objectSelector().orElse(null))
                .build();
    }

    private static RuleWithOperations rule(AdmissionWebhook webhook) {
        String plural = webhook.kind().plural();
        return new RuleWithOperationsBuilder()
                .withApiGroups(webhook.kind().kind().group())
                .withApiVersions(webhook.kind().kind().version())
                .withResources(webhook.options().subresources().stream()
                        .sorted()
                        .map(subresource -> subresource.isEmpty() ? plural : plural + "/" + subresource)
                        .toList())
                .withOperations(
                        webhook.operations().stream().sorted().map(Enum::name).toList())
                .withScope(webhook.kind().namespaced() ? "Namespaced" : "Cluster")
                .build();
    }

    private static WebhookClientConfig client(String path, WebhookServerOptions options) {
        WebhookClientConfigBuilder builder = new WebhookClientConfigBuilder();
        if (options.service().isPresent()) {
            WebhookServerOptions.Service service = options.service().get();
            return builder.withNewService(service.name(), service.namespace(), path, service.port())
                    .build();
        }
        String url = options.url()
                .orElseThrow(() -> new IllegalArgumentException("The options must name a Service or a URL"))
                .toString();
        return builder.withUrl((url.endsWith("/") ? url.substring(0, url.length() - 1) : url) + path)
                .build();
    }

    private static List<MatchCondition> matchConditions(WebhookOptions options) {
        return options.matchConditions().entrySet().stream()
                .map(entry -> new MatchCondition(entry.getValue(), entry.getKey()))
                .toList();
    }

    private static @Nullable LabelSelector namespaceSelector(AdmissionWebhook webhook, WebhookServerOptions server) {
        if (webhook.options().namespaceSelector().isPresent()) {
            return webhook.options().namespaceSelector().get();
        }
        if (!isOfKubernetes(webhook.kind().kind().group())) {
            return null;
        }
        List<String> excluded = new ArrayList<>(List.of("kube-system"));
        server.service().map(WebhookServerOptions.Service::namespace).ifPresent(excluded::add);
        return new LabelSelectorBuilder()
                .addNewMatchExpression()
                .withKey(NAMESPACE_LABEL)
                .withOperator("NotIn")
                .withValues(excluded.stream().distinct().toList())
                .endMatchExpression()
                .build();
    }

    /** Groups of custom resources have a dot, and {@code k8s.io} is reserved for Kubernetes. */
    private static boolean isOfKubernetes(String group) {
        return !group.contains(".") || group.endsWith(".k8s.io");
    }

    private static String failurePolicy(WebhookOptions options) {
        String name = options.failurePolicy().name();
        return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
    }

    private static String sideEffects(WebhookOptions options) {
        return options.sideEffects() ? "NoneOnDryRun" : "None";
    }

    private static String name(WebhookServerOptions options) {
        if (options.configurationName().isEmpty()) {
            throw new IllegalArgumentException("'configurationName' must not be empty");
        }
        return options.configurationName();
    }
}
