package io.github.reconciler4j.generator.output;

import io.github.reconciler4j.generator.operator.OperatorDescription;
import io.github.reconciler4j.generator.policy.OwnOnlyPolicy;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The policy that lets an operator write its own objects only, in the chart and in plain manifests. */
final class OwnOnlyTexts {

    private final OperatorDescription operator;
    private final WebhookTexts names;
    private final OwnOnlyPolicy policy;

    OwnOnlyTexts(OperatorDescription operator) {
        this.operator = operator;
        this.names = new WebhookTexts(operator);
        this.policy = new OwnOnlyPolicy(operator);
    }

    /** Returns the policy and its binding as a template. */
    String chart() {
        StringBuilder text = new StringBuilder("{{- if .Values.ownOnly.enabled }}\n");
        for (Map<String, Object> object : policy.generate()) {
            text.append(Templates.fill(
                            """
                    ---
                    apiVersion: admissionregistration.k8s.io/v1
                    kind: @kind@
                    metadata:
                      name: {{ include "@name@.fullname" . }}-own-only
                      labels:
                        {{- include "@name@.labels" . | nindent 4 }}
                    """, Map.of("kind", String.valueOf(object.get("kind")), "name", operator.name())))
                    .append(spec(object));
        }
        return text.append("{{- end }}\n").toString();
    }

    private String spec(Map<String, Object> object) {
        return names.policySpec(object, """
                  validationActions:
                    {{- toYaml .Values.ownOnly.validationActions | nindent 4 }}
                """)
                .replace(OwnOnlyPolicy.ACCOUNT, "{{ include \"" + operator.name() + ".serviceAccountName\" . }}")
                .replace(OwnOnlyPolicy.FIELD_MANAGERS, "{{ .Values.ownOnly.fieldManagers | toJson | quote }}")
                .replace(OwnOnlyPolicy.ALLOWED, "{{ .Values.ownOnly.allowed | toJson | quote }}")
                .replace(OwnOnlyPolicy.ADOPT, "{{ .Values.ownOnly.adopt | toJson | quote }}");
    }

    /** Returns the values of the chart. */
    String values() {
        return Templates.fill(
                Templates.read("chart/own-only-values.yaml"),
                Map.of(
                        "fieldManagers",
                        policy.fieldManagers().stream().map(RoleTexts::quoted).collect(Collectors.joining(", "))));
    }

    /** Returns the policy and its binding of plain manifests. */
    String manifest() {
        List<Object> objects = new ArrayList<>();
        for (Map<String, Object> object : policy.generate()) {
            Map<String, Object> metadata = new LinkedHashMap<>();
            metadata.put("name", operator.name() + "-own-only");
            metadata.put("labels", Map.of("app.kubernetes.io/name", operator.name()));
            Map<String, Object> copy = new LinkedHashMap<>(object);
            copy.put("metadata", metadata);
            objects.add(filled(names.named(copy)));
        }
        return Yaml.writeAll(objects);
    }

    @SuppressWarnings("NullAway") // a tree may hold nulls
    private Object filled(Object node) {
        if (node instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((key, value) -> copy.put(String.valueOf(key), filled(value)));
            return copy;
        }
        if (node instanceof List<?> list) {
            return list.stream().map(this::filled).toList();
        }
        return node instanceof String text
                ? text.replace(OwnOnlyPolicy.ACCOUNT, operator.name())
                        .replace(OwnOnlyPolicy.FIELD_MANAGERS, OwnOnlyPolicy.list(policy.fieldManagers()))
                        .replace(OwnOnlyPolicy.ALLOWED, "[]")
                        .replace(OwnOnlyPolicy.ADOPT, "false")
                : node;
    }
}
