package io.github.reconciler4j.generator.output;

import io.github.reconciler4j.generator.operator.OperatorDescription;
import io.github.reconciler4j.generator.operator.Switch;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Writes a Helm chart. {@code Chart.yaml}, {@code values.yaml}, {@code NOTES.txt} and {@code .helmignore} belong to people
 * once they exist, except that missing values are added and the versions set; templates belong to the generator.
 */
final class ChartWriter {

    private static final String FIRST_VERSION = "0.1.0";

    private final OperatorDescription operator;
    private final OutputOptions options;
    private final WebhookTexts webhooks;
    private final ChartRoles roles;
    private final Map<String, String> tokens = new LinkedHashMap<>();

    ChartWriter(OperatorDescription operator, OutputOptions options) {
        this.operator = operator;
        this.options = options;
        this.webhooks = new WebhookTexts(operator);
        this.roles = new ChartRoles(operator, webhooks);
        tokens.put("name", operator.name());
        tokens.put("image", options.image());
        tokens.put("chartVersion", options.chartVersion().isEmpty() ? FIRST_VERSION : options.chartVersion());
        tokens.put("appVersion", options.version().isEmpty() ? FIRST_VERSION : options.version());
        tokens.put("minKubernetes", operator.minKubernetes());
        tokens.put(
                "watchNamespaces",
                operator.snapshot().namespaces().stream()
                        .map(RoleTexts::quoted)
                        .collect(Collectors.joining(", ", "[", "]")));
        tokens.put("sharding", "" + operator.snapshot().sharding().enabled());
        tokens.put("shards", "" + operator.snapshot().sharding().shards());
        boolean web = operator.snapshot().web().probes();
        tokens.put("probes", web ? Templates.read("chart/probes.yaml").stripTrailing() : "");
        webhooks.addChartTokens(tokens);
        String port = operator.snapshot().web().portProperty();
        tokens.put("port", port.isEmpty() ? "" : "    " + port + "={{ .Values.managementPort }}");
        tokens.put(
                "switches",
                operator.switches().stream()
                        .map(one -> "    " + one.property() + "={{ .Values." + one.value() + " }}")
                        .collect(Collectors.joining("\n")));
    }

    void addTo(ManagedFiles files) {
        files.put("Chart.yaml", chartFile(files));
        String values = valuesTemplate();
        String present = files.read("values.yaml");
        String merged = present == null ? values : ValuesFile.merge(present, values, "values.yaml");
        files.put("values.yaml", merged);
        files.putIfAbsent(".helmignore", Templates.read("chart/helmignore"));
        files.putIfAbsent("templates/NOTES.txt", filled("NOTES.txt"));
        Map<String, Object> schema =
                ValuesSchema.of(ValuesFile.values(values, "values"), ValuesFile.values(merged, "values.yaml"));
        files.generate("values.schema.json", Json.write(schema));
        addTemplates(files);
    }

    private void addTemplates(ManagedFiles files) {
        files.generate(
                "templates/_helpers.tpl",
                Templates.read("chart/header") + filled("_helpers.tpl") + webhookHelper() + roles.helpers());
        template(files, "serviceaccount.yaml", filled("serviceaccount.yaml") + roles.accounts());
        for (String template : List.of("configmap.yaml", "deployment.yaml", "plan.yaml", "poddisruptionbudget.yaml")) {
            template(files, template, filled(template));
        }
        if (operator.snapshot().web().probes()) {
            for (String template :
                    List.of("service.yaml", "networkpolicy.yaml", "servicemonitor.yaml", "prometheusrule.yaml")) {
                template(files, template, filled(template));
            }
        }
        if (!webhooks.isEmpty()) {
            template(files, "webhook-service.yaml", filled("webhook-service.yaml"));
            template(files, "webhooks.yaml", webhooks.chartConfigurations());
            if (webhooks.convert()) {
                template(files, "webhook-clean-up.yaml", filled("webhook-clean-up.yaml"));
            }
        }
        if (!operator.policies().isEmpty()) {
            template(files, "policies.yaml", webhooks.chartPolicies());
        }
        if (options.ownOnly()) {
            template(files, "own-only.yaml", new OwnOnlyTexts(operator).chart());
        }
        template(files, "rbac.yaml", roles.text());
        if (!operator.definitions().isEmpty()) {
            template(files, "user-roles.yaml", userRoles());
        }
        operator.definitions()
                .forEach(definition -> template(files, "crds/" + name(definition) + ".yaml", definition(definition)));
    }

    private static void template(ManagedFiles files, String name, String text) {
        files.generate("templates/" + name, Templates.read("chart/header") + text);
    }

    private String filled(String name) {
        return Templates.fill(Templates.read("chart/" + name), tokens);
    }

    /** Sets the versions and leaves the rest to people. */
    private String chartFile(ManagedFiles files) {
        String present = files.read("Chart.yaml");
        return present == null
                ? filled("Chart.yaml")
                : ChartFile.withVersions(present, options.chartVersion(), options.version());
    }

    private String valuesTemplate() {
        StringBuilder switches = new StringBuilder();
        Map<String, Object> tree = new LinkedHashMap<>();
        for (Switch one : operator.switches()) {
            if (one.equals(Switch.WEBHOOKS)) {
                tree.put("webhook", true);
                continue;
            }
            switches.append('\n').append(SwitchValues.text(one, tree));
        }
        return filled("values.yaml") + switches + (options.ownOnly() ? new OwnOnlyTexts(operator).values() : "");
    }

    private String webhookHelper() {
        return webhooks.isEmpty() ? "" : webhooks.chart("webhook-helper.tpl") + "\n";
    }

    private String userRoles() {
        StringBuilder text = new StringBuilder("{{- if .Values.rbac.create }}\n");
        for (Map<String, Object> definition : operator.definitions()) {
            for (UserRole role : UserRole.values()) {
                text.append(Templates.fill(
                                """
                        ---
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: ClusterRole
                        metadata:
                          name: {{ include "@name@.fullname" . }}-@plural@-@role@
                          labels:
                            {{- include "@name@.labels" . | nindent 4 }}
                            {{- if .Values.rbac.aggregate }}
                            rbac.authorization.k8s.io/aggregate-to-@role@: "true"
                            {{- end }}
                        rules:
                        """,
                                Map.of(
                                        "name",
                                        operator.name(),
                                        "plural",
                                        UserRole.plural(definition),
                                        "role",
                                        role.id())))
                        .append(Templates.indent(role.rules(definition), 2))
                        .append('\n');
            }
        }
        return text.append("{{- end }}\n").toString();
    }

    private String definition(Map<String, Object> definition) {
        StringBuilder text = new StringBuilder("{{- if .Values.crds.install }}\n");
        definition.forEach((key, value) -> text.append(
                switch (key) {
                    case "metadata" -> metadata((Map<?, ?>) value);
                    case "spec" ->
                        "spec:\n" + webhooks.chartConversion(name(definition)) + Yaml.writeTemplate(value, 2);
                    default -> Yaml.writeTemplate(Map.of(key, value), 0);
                }));
        return text.append("{{- end }}\n").toString();
    }

    private String metadata(Map<?, ?> metadata) {
        return Templates.fill(
                """
                metadata:
                  name: @object@
                  labels:
                    {{- include "@name@.labels" . | nindent 4 }}
                @labels@
                  {{- if or .Values.crds.keep .Values.crds.annotations@always@ }}
                  annotations:
                    {{- if .Values.crds.keep }}
                    helm.sh/resource-policy: keep
                    {{- end }}
                    {{- with .Values.crds.annotations }}
                    {{- toYaml . | nindent 4 }}
                    {{- end }}
                @annotations@
                  {{- end }}
                """,
                Map.of(
                        "object", String.valueOf(metadata.get("name")),
                        "name", operator.name(),
                        "labels", entries(metadata, "labels"),
                        "annotations", entries(metadata, "annotations"),
                        "always", metadata.containsKey("annotations") ? " true" : ""));
    }

    private static String entries(Map<?, ?> metadata, String key) {
        return metadata.get(key) instanceof Map<?, ?> map && !map.isEmpty()
                ? Templates.indent(Yaml.writeTemplate(map, 0), 4)
                : "";
    }

    private static String name(Map<String, Object> definition) {
        return String.valueOf(((Map<?, ?>) Objects.requireNonNull(definition.get("metadata"))).get("name"));
    }
}
