package io.github.reconciler4j.manager.permission;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.YamlDumpSettingsBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The permissions that the components of a manager need and do not have. Immutable.
 *
 * @param missing the missing permissions
 * @param problem why the API server could not be asked about all of them, {@code ""} if it could
 * @since 0.1.0
 */
public record PermissionReport(List<Missing> missing, String problem) {

    private static final KubernetesSerialization YAML = new KubernetesSerialization(
            new ObjectMapper(),
            false,
            new YamlDumpSettingsBuilder().setMinimizeQuotes(true).build());

    private static final String ROW = "%-20s %-40s %-20s %s%n";

    /**
     * A missing permission.
     *
     * @param component the name of the component that needs it
     * @param cluster the name of the cluster it is missing on, {@code ""} for the API server of the manager
     * @param permission the resource, with only the missing verbs
     * @since 0.1.0
     */
    public record Missing(String component, String cluster, RequiredPermission permission) {}

    /** Copy the list. */
    public PermissionReport {
        missing = List.copyOf(missing);
    }

    /** Return whether no permission is known to be missing. */
    public boolean isComplete() {
        return missing.isEmpty();
    }

    /** Return a table for people with a row for each component and resource. */
    public String table() {
        StringBuilder table = new StringBuilder(
                String.format(Locale.ROOT, ROW, "COMPONENT", "RESOURCE", "NAMESPACE", "MISSING VERBS"));
        for (Missing row : missing) {
            RequiredPermission permission = row.permission();
            String resource = permission.name().isEmpty()
                    ? permission.qualifiedResource()
                    : permission.qualifiedResource() + " " + permission.name();
            String namespace = permission.namespace().isEmpty() ? "(all)" : permission.namespace();
            table.append(String.format(
                    Locale.ROOT,
                    ROW,
                    row.component(),
                    resource
                            + (permission.account().isEmpty() ? "" : " for " + permission.account())
                            + (row.cluster().isEmpty() ? "" : " on " + row.cluster()),
                    namespace,
                    String.join(", ", new TreeSet<>(permission.verbs()))));
        }
        return table.toString();
    }

    /** Return the clusters on which permissions are missing, {@code ""} for the API server of the manager. */
    public Set<String> clusters() {
        Set<String> clusters = new TreeSet<>();
        missing.forEach(row -> clusters.add(row.cluster()));
        return clusters;
    }

    /**
     * Return the accounts that miss permissions on a cluster: {@code ""} for that of the operator, and the service accounts of
     * controllers as {@code namespace/name}.
     */
    public Set<String> accounts(String cluster) {
        return missing.stream()
                .filter(row -> row.cluster().equals(cluster))
                .map(row -> row.permission().account())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Return the missing rules for the API server of the manager as YAML: a ClusterRole, and a Role for each namespace. The
     * result is empty if nothing is missing there. Bindings are not included.
     *
     * @param name the name of the roles
     */
    public String yaml(String name) {
        return yaml(name, "", "");
    }

    /**
     * Return the missing rules for one account on one cluster as YAML.
     *
     * @param name the name of the roles
     * @param cluster the name of the cluster, {@code ""} for the API server of the manager
     * @param account one of {@link #accounts}
     * @see #yaml(String)
     */
    public String yaml(String name, String cluster, String account) {
        Map<String, Map<List<String>, Set<String>>> verbsByRule = new TreeMap<>();
        for (Missing row : missing) {
            RequiredPermission permission = row.permission();
            if (row.cluster().equals(cluster) && permission.account().equals(account)) {
                verbsByRule
                        .computeIfAbsent(permission.namespace(), namespace -> new LinkedHashMap<>())
                        .computeIfAbsent(
                                List.of(permission.group(), permission.resource(), permission.name()),
                                rule -> new TreeSet<>())
                        .addAll(permission.verbs());
            }
        }
        StringBuilder yaml = new StringBuilder();
        verbsByRule.forEach((namespace, rules) -> yaml.append(role(name, namespace, rules(rules))));
        return yaml.toString();
    }

    private static List<PolicyRule> rules(Map<List<String>, Set<String>> verbsByRule) {
        List<PolicyRule> rules = new ArrayList<>();
        verbsByRule.forEach((rule, verbs) -> rules.add(new PolicyRuleBuilder()
                .withApiGroups(rule.get(0))
                .withResources(rule.get(1))
                .withResourceNames(rule.get(2).isEmpty() ? List.of() : List.of(rule.get(2)))
                .withVerbs(List.copyOf(verbs))
                .build()));
        return rules;
    }

    private static String role(String name, String namespace, List<PolicyRule> rules) {
        if (namespace.isEmpty()) {
            ObjectMeta metadata = new ObjectMetaBuilder().withName(name).build();
            return YAML.asYaml(new ClusterRoleBuilder()
                    .withMetadata(metadata)
                    .withRules(rules)
                    .build());
        }
        ObjectMeta metadata =
                new ObjectMetaBuilder().withName(name).withNamespace(namespace).build();
        return YAML.asYaml(
                new RoleBuilder().withMetadata(metadata).withRules(rules).build());
    }
}
