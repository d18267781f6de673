package io.github.reconciler4j.generator.output;

import io.github.reconciler4j.generator.operator.Grant;
import io.github.reconciler4j.generator.operator.Grant.Area;
import io.github.reconciler4j.generator.operator.OperatorDescription;
import io.github.reconciler4j.generator.operator.Switch;
import io.github.reconciler4j.generator.operator.WebhookSnapshot;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the chart and the manifests of an operator with webhooks have besides. Without webhooks all texts are empty. */
final class WebhookTexts {

    private final OperatorDescription operator;
    private final WebhookSnapshot webhooks;

    WebhookTexts(OperatorDescription operator) {
        this.operator = operator;
        this.webhooks = operator.snapshot().webhooks();
    }

    boolean isEmpty() {
        return webhooks.isEmpty();
    }

    /** Adds what the templates of the chart contain. */
    void addChartTokens(Map<String, String> tokens) {
        tokens.put("ports", Templates.indent(chartPorts(), 10));
        tokens.put("webhookMount", chart("webhook-mount.yaml"));
        tokens.put("webhookVolume", chart("webhook-volume.yaml"));
        tokens.put("webhookProperties", chart("webhook-properties"));
        tokens.put("webhookIngress", chart("webhook-ingress.yaml"));
        String values = (isEmpty() ? "" : Templates.fill(Templates.read("chart/webhook-values.yaml"), cleanUp()))
                + (operator.policies().isEmpty() ? "" : Templates.read("chart/policy-values.yaml"));
        tokens.put("webhookValues", values.isEmpty() ? "" : values.stripTrailing() + "\n");
    }

    /** Whether definitions name a webhook, which an uninstallation must remove. */
    boolean convert() {
        return !webhooks.converted().isEmpty();
    }

    private Map<String, String> cleanUp() {
        String values = """
                cleanUp:
                  # Whether a Job ends the conversion of the definitions before an uninstallation. Otherwise the objects of
                  # definitions that stay cannot be read.
                  enabled: true""";
        return Map.of("cleanUp", convert() ? Templates.indent(values, 2) : "");
    }

    /** Returns a template without the line break at its end. */
    String chart(String name) {
        return isEmpty()
                ? ""
                : Templates.fill(Templates.read("chart/" + name), Map.of("name", operator.name()))
                        .stripTrailing();
    }

    private String chartPorts() {
        String webhook = isEmpty() ? "" : """
                  {{- if .Values.webhook.enabled }}
                  - name: webhook
                    containerPort: {{ .Values.webhook.port }}
                    protocol: TCP
                  {{- end }}
                """;
        if (operator.snapshot().web().probes()) {
            return """
                    ports:
                      - name: management
                        containerPort: {{ .Values.managementPort }}
                        protocol: TCP
                    """ + webhook;
        }
        return isEmpty() ? "" : "{{- if .Values.webhook.enabled }}\nports:\n" + webhook + "{{- end }}\n";
    }

    /** Returns the ports of the container in plain manifests. */
    String manifestPorts() {
        List<Map<String, Object>> ports = new ArrayList<>();
        if (operator.snapshot().web().probes()) {
            ports.add(port("management", 8081));
        }
        if (!isEmpty()) {
            ports.add(port("webhook", 9443));
        }
        return ports.isEmpty() ? "" : Templates.indent(Yaml.write(Map.of("ports", ports)), 8);
    }

    private static Map<String, Object> port(String name, int number) {
        Map<String, Object> port = new LinkedHashMap<>();
        port.put("name", name);
        port.put("containerPort", number);
        port.put("protocol", "TCP");
        return port;
    }

    /** Returns the rights on the Secret of the certificate authority, whose role exists only if webhooks are enabled. */
    List<Grant> grants() {
        return operator.grants().stream()
                .filter(grant -> grant.area() == Area.WEBHOOK)
                .map(grant -> new Grant(
                        grant.right(),
                        grant.area(),
                        grant.namespace(),
                        grant.account(),
                        grant.switches().stream()
                                .filter(one -> !one.equals(Switch.WEBHOOKS))
                                .toList()))
                .toList();
    }

    /** Returns the webhook configurations as a template. */
    String chartConfigurations() {
        StringBuilder text = new StringBuilder("{{- if .Values.webhook.enabled }}\n");
        for (Map<String, Object> configuration : webhooks.configurations()) {
            text.append(Templates.fill(
                            """
                    ---
                    apiVersion: admissionregistration.k8s.io/v1
                    kind: @kind@
                    metadata:
                      name: {{ include "@name@.fullname" . }}
                      labels:
                        {{- include "@name@.labels" . | nindent 4 }}
                      {{- with .Values.webhook.annotations }}
                      annotations:
                        {{- toYaml . | nindent 4 }}
                      {{- end }}
                    """, Map.of("name", operator.name(), "kind", String.valueOf(configuration.get("kind")))))
                    .append(expressions(Map.of("webhooks", withPolicyOfValues((List<?>) webhooks(configuration))), 0));
        }
        return text.append("{{- end }}\n").toString();
    }

    /** The values of the chart can replace the policy for failures of each webhook. */
    private static List<Object> withPolicyOfValues(List<?> webhooks) {
        List<Object> changed = new ArrayList<>();
        for (Object webhook : webhooks) {
            Map<Object, Object> copy = new LinkedHashMap<>((Map<?, ?>) webhook);
            copy.computeIfPresent(
                    "failurePolicy",
                    (key, policy) -> new Yaml.Raw("{{ .Values.webhook.failurePolicy | default \"" + policy + "\" }}"));
            changed.add(copy);
        }
        return changed;
    }

    private static Object webhooks(Map<String, Object> configuration) {
        return Objects.requireNonNull(configuration.get("webhooks"));
    }

    /** Returns the admission policies as a template. */
    String chartPolicies() {
        StringBuilder text = new StringBuilder("{{- if .Values.policies.enabled }}\n");
        for (Map<String, Object> policy : operator.policies()) {
            Map<String, String> values = new LinkedHashMap<>();
            values.put("kind", String.valueOf(policy.get("kind")));
            values.put("object", expressions(name(policy), 0).strip());
            values.put("name", operator.name());
            text.append(Templates.fill("""
                    ---
                    apiVersion: admissionregistration.k8s.io/v1
                    kind: @kind@
                    metadata:
                      name: @object@
                      labels:
                        {{- include "@name@.labels" . | nindent 4 }}
                    """, values)).append(policySpec(policy, """
                              validationActions:
                                {{- with .Values.policies.validationActions }}
                                {{- toYaml . | nindent 4 }}
                                {{- else }}
                            @actions@
                                {{- end }}
                            """));
        }
        return text.append("{{- end }}\n").toString();
    }

    /**
     * Returns the spec of a policy or of its binding.
     *
     * @param actions how a template says what a binding does, where {@code @actions@} stands for its own actions
     */
    String policySpec(Map<String, Object> policy, String actions) {
        StringBuilder text = new StringBuilder("spec:\n");
        ((Map<?, ?>) Objects.requireNonNull(policy.get("spec")))
                .forEach((key, value) -> text.append(
                        key.equals("validationActions")
                                ? Templates.fill(
                                        actions,
                                        Map.of("actions", expressions(value, 2).stripTrailing()))
                                : expressions(Map.of(key, value), 2)));
        return text.toString();
    }

    private static String name(Map<String, Object> policy) {
        return String.valueOf(((Map<?, ?>) Objects.requireNonNull(policy.get("metadata"))).get("name"));
    }

    /** Returns the admission policies of plain manifests. */
    List<Object> policies() {
        List<Object> policies = new ArrayList<>();
        for (Map<String, Object> policy : operator.policies()) {
            Map<String, Object> metadata = new LinkedHashMap<>();
            metadata.put("name", name(policy));
            metadata.put("labels", Map.of("app.kubernetes.io/name", operator.name()));
            Map<String, Object> copy = new LinkedHashMap<>(policy);
            copy.put("metadata", metadata);
            policies.add(named(copy));
        }
        return policies;
    }

    /** Writes a tree in which expressions of the chart replace the names. */
    private String expressions(Object tree, int blanks) {
        return Yaml.writeTemplate(tree, blanks)
                .replace(WebhookSnapshot.SERVICE, "{{ include \"" + operator.name() + ".webhookService\" . }}")
                .replace(WebhookSnapshot.NAMESPACE, "{{ .Release.Namespace }}")
                .replace(WebhookSnapshot.NAME, "{{ include \"" + operator.name() + ".fullname\" . }}");
    }

    /** Returns the conversion of a definition as a part of its template, empty if it has no converter. */
    String chartConversion(String definition) {
        return webhooks.converted().containsKey(definition)
                ? "  {{- if .Values.webhook.enabled }}\n"
                        + expressions(Map.of("conversion", webhooks.conversion()), 2)
                        + "  {{- end }}\n"
                : "";
    }

    /** Returns a definition with the conversion of plain manifests. */
    Map<String, Object> converted(Map<String, Object> definition, String name) {
        if (!webhooks.converted().containsKey(name) || !(definition.get("spec") instanceof Map<?, ?> spec)) {
            return definition;
        }
        Map<String, Object> converted = new LinkedHashMap<>();
        converted.put("conversion", named(webhooks.conversion()));
        spec.forEach((key, value) -> converted.put(String.valueOf(key), value));
        Map<String, Object> copy = new LinkedHashMap<>(definition);
        copy.put("spec", converted);
        return copy;
    }

    /** Returns a definition for a cluster without webhooks, where an object of another version than the stored one would lose fields. */
    Map<String, Object> unconverted(Map<String, Object> definition, String name) {
        if (!webhooks.converted().containsKey(name)
                || !(definition.get("spec") instanceof Map<?, ?> spec)
                || !(spec.get("versions") instanceof List<?> versions)) {
            return definition;
        }
        List<Object> served = new ArrayList<>();
        for (Object version : versions) {
            Map<Object, Object> copy = new LinkedHashMap<>((Map<?, ?>) version);
            if (!Boolean.TRUE.equals(copy.get("storage"))) {
                copy.put("served", false);
            }
            served.add(copy);
        }
        Map<Object, Object> changed = new LinkedHashMap<>(spec);
        changed.put("versions", served);
        Map<String, Object> copy = new LinkedHashMap<>(definition);
        copy.put("spec", changed);
        return copy;
    }

    /** Returns the webhook configurations of plain manifests. */
    List<Map<String, Object>> configurations() {
        List<Map<String, Object>> configurations = new ArrayList<>();
        for (Map<String, Object> configuration : webhooks.configurations()) {
            Map<String, Object> metadata = new LinkedHashMap<>();
            metadata.put("name", operator.name());
            metadata.put("labels", Map.of("app.kubernetes.io/name", operator.name()));
            Map<String, Object> tree = new LinkedHashMap<>();
            tree.put("apiVersion", configuration.get("apiVersion"));
            tree.put("kind", configuration.get("kind"));
            tree.put("metadata", metadata);
            tree.put("webhooks", named(webhooks(configuration)));
            configurations.add(tree);
        }
        return configurations;
    }

    /** Returns the name of the Service in plain manifests. */
    String serviceName() {
        return operator.name() + "-webhook";
    }

    /** Returns the properties of plain manifests. */
    List<String> properties() {
        return isEmpty()
                ? List.of()
                : List.of(
                        "reconciler4j.webhook.port=9443",
                        "reconciler4j.webhook.service-name=" + serviceName(),
                        "reconciler4j.webhook.service-namespace=" + operator.name(),
                        "reconciler4j.webhook.configuration-name=" + operator.name());
    }

    @SuppressWarnings("NullAway") // a tree may hold nulls
    Object named(@Nullable Object node) {
        if (node instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((key, value) -> copy.put(String.valueOf(key), named(value)));
            return copy;
        }
        if (node instanceof List<?> list) {
            return list.stream().map(this::named).toList();
        }
        return node instanceof String text
                ? text.replace(WebhookSnapshot.SERVICE, serviceName())
                        .replace(WebhookSnapshot.NAMESPACE, operator.name())
                        .replace(WebhookSnapshot.NAME, operator.name())
                : node;
    }
}
