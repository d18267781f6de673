package io.github.reconciler4j.test.server.internal.apimachinery.definition;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.Names;
import io.github.reconciler4j.test.server.internal.apimachinery.rules.BuiltInRules;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks webhook configurations of {@code admissionregistration.k8s.io/v1}, defaults filled in. Stateless; safe for use by
 * multiple threads.
 */
public final class WebhookChecks {
    private static final int MAX_TIMEOUT = 30;
    private static final int MAX_PORT = 65_535;
    private static final int SEGMENTS = 3;
    private static final String FORM = "; desired format: https://host[/path]";

    private WebhookChecks() {}

    /** Return the errors of a configuration. */
    public static List<FieldError> check(JsonNode configuration) {
        FieldErrors errors = new FieldErrors();
        Set<String> names = new HashSet<>();
        List<JsonNode> webhooks = Json.items(configuration, "webhooks");
        for (int i = 0; i < webhooks.size(); i++) {
            JsonNode webhook = webhooks.get(i);
            String path = "webhooks[" + i + "]";
            check(webhook, path, errors);
            versions(webhook.path("admissionReviewVersions"), path + ".admissionReviewVersions", errors);
            String name = webhook.path("name").asText();
            if (!name.isEmpty() && !names.add(name)) {
                errors.duplicate(path + ".name", webhook.path("name"));
            }
        }
        return errors;
    }

    private static void check(JsonNode webhook, String path, FieldErrors errors) {
        name(webhook.path("name").asText(), path + ".name", errors);
        for (int i = 0; i < webhook.path("rules").size(); i++) {
            RuleChecks.rule(webhook.path("rules").path(i), path + ".rules[" + i + "]", errors);
        }
        errors.oneOf(path + ".failurePolicy", webhook.path("failurePolicy"), "Fail", "Ignore");
        errors.oneOf(path + ".matchPolicy", webhook.path("matchPolicy"), "Equivalent", "Exact");
        errors.oneOf(path + ".reinvocationPolicy", webhook.path("reinvocationPolicy"), "IfNeeded", "Never");
        JsonNode effects = webhook.path("sideEffects");
        if (!effects.isTextual()) {
            errors.required(path + ".sideEffects", "must specify one of None, NoneOnDryRun");
        } else if (!List.of("None", "NoneOnDryRun").contains(effects.asText())) {
            errors.notSupported(path + ".sideEffects", effects, List.of("None", "NoneOnDryRun"));
        }
        JsonNode timeout = webhook.path("timeoutSeconds");
        if (timeout.isNumber() && (timeout.asInt() < 1 || timeout.asInt() > MAX_TIMEOUT)) {
            errors.invalid(path + ".timeoutSeconds", timeout, "the timeout value must be between 1 and 30 seconds");
        }
        for (String selector : List.of("namespaceSelector", "objectSelector")) {
            BuiltInRules.checkSelector(path + "." + selector, webhook.path(selector), errors);
        }
        client(webhook.path("clientConfig"), path + ".clientConfig", errors);
        RuleChecks.conditions(webhook.path("matchConditions"), false, path + ".matchConditions", errors);
    }

    private static void name(String name, String path, FieldErrors errors) {
        if (name.isEmpty()) {
            errors.required(path, "");
            return;
        }
        List<String> problems = Names.dnsSubdomain(name);
        if (!problems.isEmpty()) {
            errors.invalid(path, name, String.join(",", problems));
        } else if (name.split("\\.", -1).length < SEGMENTS) {
            errors.invalid(path, name, "should be a domain with at least three segments separated by dots");
        }
    }

    private static void versions(JsonNode versions, String path, FieldErrors errors) {
        if (versions.isEmpty()) {
            errors.required(path, "must specify one of v1, v1beta1");
            return;
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < versions.size(); i++) {
            String version = versions.path(i).asText();
            if (seen.add(version)) {
                errors.invalid(path + "[" + i + "]", version, Names.dns1035Label(version));
            } else {
                errors.invalid(path + "[" + i + "]", version, "duplicate version");
            }
        }
        if (!seen.contains("v1") && !seen.contains("v1beta1")) {
            errors.invalid(path, versions, "must include at least one of v1, v1beta1");
        }
    }

    private static void client(JsonNode config, String path, FieldErrors errors) {
        boolean url = config.hasNonNull("url");
        boolean service = config.hasNonNull("service");
        if (url == service) {
            errors.required(path, "exactly one of url or service is required");
        } else if (url) {
            url(config.path("url").asText(), path + ".url", errors);
        } else {
            service(config.path("service"), path + ".service", errors);
        }
    }

    /** Check the URL of a webhook. */
    static void url(String text, String path, FieldErrors errors) {
        if (text.equals("https://")) {
            errors.invalid(path, "", "host must be specified" + FORM);
            return;
        }
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            errors.required(path, "url must be a valid URL: " + e.getMessage() + FORM);
            return;
        }
        String scheme = url.getScheme() == null ? "" : url.getScheme();
        if (!scheme.equals("https")) {
            errors.invalid(path, scheme, "'https' is the only allowed URL scheme" + FORM);
        }
        String authority = url.getRawAuthority() == null ? "" : url.getRawAuthority();
        String user = authority.contains("@") ? authority.substring(0, authority.lastIndexOf('@')) : "";
        if (authority.substring(authority.lastIndexOf('@') + 1).isEmpty()) {
            errors.invalid(path, "", "host must be specified" + FORM);
        }
        if (!user.isEmpty()) {
            errors.invalid(path, user, "user information is not permitted in the URL");
        }
        if (url.getRawFragment() != null && !url.getRawFragment().isEmpty()) {
            errors.invalid(path, url.getRawFragment(), "fragments are not permitted in the URL");
        }
        if (url.getRawQuery() != null && !url.getRawQuery().isEmpty()) {
            errors.invalid(path, url.getRawQuery(), "query parameters are not permitted in the URL");
        }
    }

    /** Check the reference to the Service of a webhook. */
    static void service(JsonNode service, String path, FieldErrors errors) {
        // kube-apiserver takes each of the two for the other
        if (service.path("namespace").asText().isEmpty()) {
            errors.required(path + ".name", "");
        }
        if (service.path("name").asText().isEmpty()) {
            errors.required(path + ".namespace", "");
        }
        long port = service.path("port").asLong(1);
        if (port < 1 || port > MAX_PORT) {
            errors.invalid(
                    path + ".port", service.path("port"), "port is not valid: must be between 1 and 65535, inclusive");
        }
        String text = service.path("path").asText();
        if (!text.isEmpty() && !text.equals("/")) {
            servicePath(text, path + ".path", errors);
        }
    }

    private static void servicePath(String text, String path, FieldErrors errors) {
        if (text.equals("//")) {
            errors.invalid(path, text, "segment[0] may not be empty");
            return;
        }
        if (!text.startsWith("/")) {
            errors.invalid(path, text, "must start with a '/'");
        }
        String rest = text.substring(1);
        String[] steps = (rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest).split("/", -1);
        for (int i = 0; i < steps.length; i++) {
            if (steps[i].isEmpty()) {
                errors.invalid(path, text, "segment[" + i + "] may not be empty");
                continue;
            }
            for (String problem : Names.dnsSubdomain(steps[i])) {
                errors.invalid(path, text, "segment[" + i + "]: " + problem);
            }
        }
    }
}
