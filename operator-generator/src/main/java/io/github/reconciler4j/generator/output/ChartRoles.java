package io.github.reconciler4j.generator.output;

import io.github.reconciler4j.generator.operator.Grant;
import io.github.reconciler4j.generator.operator.Grant.Area;
import io.github.reconciler4j.generator.operator.OperatorDescription;
import io.github.reconciler4j.generator.operator.OperatorReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The roles of a chart, their bindings, and the service accounts of controllers. */
final class ChartRoles {

    private static final String OWN_NAMESPACE = "{{ $.Release.Namespace }}";

    private final OperatorDescription operator;
    private final WebhookTexts webhooks;

    ChartRoles(OperatorDescription operator, WebhookTexts webhooks) {
        this.operator = operator;
        this.webhooks = webhooks;
    }

    /** Returns helpers with the rules in all watched namespaces, and outside of namespaces. */
    String helpers() {
        return accountsOfAll().stream().map(this::helpers).collect(Collectors.joining());
    }

    private List<Account> accountsOfAll() {
        return Account.of(operator.grants());
    }

    private String helpers(Account account) {
        return helper(account, "rules", Area.WATCHED)
                + (grants(account, Area.CLUSTER).isEmpty() ? "" : helper(account, "clusterRules", Area.CLUSTER));
    }

    private String helper(Account account, String name, Area area) {
        String text = "\n{{- define \"" + helperName(account, name) + "\" -}}\n" + rules(grants(account, area))
                + "{{- end -}}\n";
        return Templates.fill(text, Map.of("name", operator.name()));
    }

    private String helperName(Account account, String name) {
        return operator.name() + account.suffix().replaceFirst("^-", ".") + "." + name;
    }

    /** Returns the service accounts that write for controllers. */
    String accounts() {
        String text = accountsOfAll().stream()
                .filter(account -> !account.isOperator())
                .map(account -> Templates.fill(Templates.read("chart/account.yaml"), tokens(account)))
                .collect(Collectors.joining());
        return text.isEmpty() ? "" : "{{- if .Values.serviceAccount.create }}\n" + text + "{{- end }}\n";
    }

    /** Returns the roles with their bindings. */
    String text() {
        StringBuilder text = new StringBuilder("{{- if .Values.rbac.create }}\n");
        for (Account account : accountsOfAll()) {
            addWatched(text, account);
            addComponents(text, account);
            if (account.isOperator()) {
                addReplicas(text);
            }
            addFixed(text, account);
        }
        return text.append("{{- end }}\n").toString();
    }

    private void addWatched(StringBuilder text, Account account) {
        boolean watched = account.isOperator() || !grants(account, Area.WATCHED).isEmpty();
        boolean cluster = !grants(account, Area.CLUSTER).isEmpty();
        String rules = watched ? include(account, "rules") : "";
        String clusterRules = cluster ? include(account, "clusterRules") : "";
        if (!watched && !cluster) {
            return;
        }
        text.append("{{- if .Values.watchNamespaces }}\n");
        if (watched) {
            text.append("{{- range .Values.watchNamespaces }}\n")
                    .append(role(account, "", "{{ . }}", rules))
                    .append("{{- end }}\n");
        }
        if (cluster) {
            text.append(role(account, "-cluster", "", clusterRules));
        }
        text.append("{{- else }}\n")
                .append(role(account, "", "", rules + (watched && cluster ? "\n" : "") + clusterRules))
                .append("{{- end }}\n");
    }

    private void addComponents(StringBuilder text, Account account) {
        List<Grant> grants = grants(account, Area.COMPONENTS);
        if (!grants.isEmpty()) {
            text.append(role(account, "-components", OWN_NAMESPACE, indented(grants)));
        }
    }

    private void addReplicas(StringBuilder text) {
        List<Grant> election = grants(Account.OPERATOR, Area.OWN);
        if (!election.isEmpty()) {
            text.append("{{- if .Values.leaderElection.enabled }}\n")
                    .append(role(Account.OPERATOR, "-leader-election", OWN_NAMESPACE, indented(election)))
                    .append("{{- end }}\n");
        }
        text.append("{{- if .Values.sharding.enabled }}\n")
                .append(role(
                        Account.OPERATOR,
                        "-sharding",
                        OWN_NAMESPACE,
                        indented(grants(Account.OPERATOR, Area.SHARDING))))
                .append("{{- end }}\n");
        if (!webhooks.grants().isEmpty()) {
            text.append("{{- if and .Values.webhook.enabled (not .Values.webhook.certificates.secretName) }}\n")
                    .append(role(Account.OPERATOR, "-webhook", OWN_NAMESPACE, indented(webhooks.grants())))
                    .append("{{- end }}\n");
        }
    }

    private void addFixed(StringBuilder text, Account account) {
        List<Grant> fixed = grants(account, Area.FIXED);
        Set<String> namespaces = fixed.stream().map(Grant::namespace).collect(Collectors.toCollection(TreeSet::new));
        for (String namespace : namespaces) {
            List<Grant> there = fixed.stream()
                    .filter(grant -> grant.namespace().equals(namespace))
                    .toList();
            text.append(role(account, "-fixed", namespace, indented(there)));
        }
    }

    private List<Grant> grants(Account account, Area area) {
        return operator.grants().stream()
                .filter(grant -> grant.area() == area && Account.of(grant).equals(account))
                .toList();
    }

    private static String rules(List<Grant> grants) {
        return RoleTexts.chartRules(grants, ChartRoles::objectName);
    }

    private static String indented(List<Grant> grants) {
        return Templates.indent(rules(grants), 2);
    }

    /** The names of leases start with the name of the release. */
    private static String objectName(String name) {
        if (name.equals(OperatorReader.RELEASE)) {
            return "{{ include \"@name@.fullname\" $ | quote }}";
        }
        if (name.startsWith(OperatorReader.RELEASE)) {
            return "{{ printf \"%s" + name.substring(OperatorReader.RELEASE.length())
                    + "\" (include \"@name@.fullname\" $) | quote }}";
        }
        return RoleTexts.quoted(name);
    }

    private String include(Account account, String helper) {
        return "  {{- include \"" + helperName(account, helper) + "\" $ | nindent 2 }}";
    }

    /** Returns a role and its binding; without a namespace they are of the cluster. */
    private String role(Account account, String suffix, String namespace, String rules) {
        Map<String, String> values = tokens(account);
        values.put("kind", namespace.isEmpty() ? "ClusterRole" : "Role");
        values.put("suffix", account.suffix() + suffix);
        values.put("namespace", namespace.isEmpty() ? "" : "  namespace: " + namespace);
        values.put("rules", Templates.fill(rules, Map.of("name", operator.name())));
        return Templates.fill(Templates.read("chart/role.yaml"), values);
    }

    private Map<String, String> tokens(Account account) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("name", operator.name());
        values.put(
                "account",
                account.isOperator()
                        ? "{{ include \"" + operator.name() + ".serviceAccountName\" $ }}"
                        : account.name());
        values.put("accountNamespace", account.namespace().isEmpty() ? OWN_NAMESPACE : account.namespace());
        return values;
    }
}
