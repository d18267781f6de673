package io.github.reconciler4j.manager;

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
 * What the API server said about the rights that components need. Immutable.
 *
 * @param missing the rights that are missing
 * @param problem why it could not be asked, {@code ""} if it could
 * @since 0.1.0
 */
public record PermissionReport(List<Missing> missing, String problem) {

    private static final String ROW = "%-20s %-40s %-20s %s%n";

    /**
     * Missing verbs of one need.
     *
     * @param component who needs it
     * @param need the resource, with those verbs only that are missing
     * @since 0.1.0
     */
    public record Missing(String component, RequiredPermission need) {}

    /** Copies the list. */
    public PermissionReport {
        missing = List.copyOf(missing);
    }

    /** Whether nothing is known to be missing. */
    public boolean isComplete() {
        return missing.isEmpty();
    }

    /** One row per component and resource, for people. */
    public String table() {
        StringBuilder table = new StringBuilder(
                String.format(Locale.ROOT, ROW, "COMPONENT", "RESOURCE", "NAMESPACE", "MISSING VERBS"));
        for (Missing row : missing) {
            table.append(String.format(
                    Locale.ROOT,
                    ROW,
                    row.component(),
                    row.need().name().isEmpty()
                            ? row.need().qualifiedResource()
                            : row.need().qualifiedResource() + " " + row.need().name(),
                    row.need().namespace().isEmpty() ? "(all)" : row.need().namespace(),
                    String.join(", ", new TreeSet<>(row.need().verbs()))));
        }
        return table.toString();
    }

    /**
     * The rules to add, as YAML: a ClusterRole, and a Role for each namespace.
     *
     * @param name the name of the roles
     */
    public String yaml(String name) {
        Map<String, Map<List<String>, Set<String>>> rules = new TreeMap<>();
        for (Missing row : missing) {
            RequiredPermission need = row.need();
            rules.computeIfAbsent(need.namespace(), absent -> new LinkedHashMap<>())
                    .computeIfAbsent(List.of(need.group(), need.resource(), need.name()), absent -> new TreeSet<>())
                    .addAll(need.verbs());
        }
        List<String> documents = new ArrayList<>();
        rules.forEach((namespace, entries) -> documents.add(role(name, namespace, entries)));
        return String.join("---\n", documents);
    }

    private static String role(String name, String namespace, Map<List<String>, Set<String>> rules) {
        StringBuilder yaml = new StringBuilder("apiVersion: rbac.authorization.k8s.io/v1\n");
        yaml.append("kind: ")
                .append(namespace.isEmpty() ? "ClusterRole" : "Role")
                .append('\n');
        yaml.append("metadata:\n  name: ").append(name).append('\n');
        if (!namespace.isEmpty()) {
            yaml.append("  namespace: ").append(namespace).append('\n');
        }
        yaml.append("rules:\n");
        rules.forEach((resource, verbs) -> {
            yaml.append("- apiGroups: ").append(list(Set.of(resource.get(0)))).append('\n');
            yaml.append("  resources: ").append(list(Set.of(resource.get(1)))).append('\n');
            if (!resource.get(2).isEmpty()) {
                yaml.append("  resourceNames: ")
                        .append(list(Set.of(resource.get(2))))
                        .append('\n');
            }
            yaml.append("  verbs: ").append(list(verbs)).append('\n');
        });
        return yaml.toString();
    }

    private static String list(Set<String> values) {
        return values.stream().map(value -> '"' + value + '"').collect(Collectors.joining(", ", "[", "]"));
    }
}
