package io.github.reconciler4j.generator.output;

import io.github.reconciler4j.generator.operator.Grant;
import io.github.reconciler4j.generator.operator.Grant.Area;
import io.github.reconciler4j.generator.operator.OperatorDescription;
import io.github.reconciler4j.generator.operator.OperatorReader;
import io.github.reconciler4j.generator.operator.OperatorSnapshot.Sharding;
import io.github.reconciler4j.generator.rbac.Right;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Writes plain manifests with the chart's defaults: one file for each purpose, a kustomization, and all in one file. */
final class ManifestWriter {

    private final OperatorDescription operator;
    private final OutputOptions options;
    private final WebhookTexts webhooks;
    private final Map<String, String> tokens = new LinkedHashMap<>();

    ManifestWriter(OperatorDescription operator, OutputOptions options) {
        this.operator = operator;
        this.options = options;
        this.webhooks = new WebhookTexts(operator);
        tokens.put("name", operator.name());
        tokens.put("image", options.image());
        tokens.put("version", options.version().isEmpty() ? "latest" : options.version());
        boolean web = operator.snapshot().web().probes();
        tokens.put("probes", web ? Templates.read("manifests/probes.yaml").stripTrailing() : "");
        tokens.put("ports", webhooks.manifestPorts());
        tokens.put("service", webhooks.serviceName());
        tokens.put("properties", Templates.indent(String.join("\n", properties()), 4));
    }

    void addTo(ManagedFiles files) {
        Map<String, String> manifests = manifests();
        manifests.forEach(files::generate);
        files.generate("kustomization.yaml", Yaml.write(kustomization(manifests.keySet())));
        files.generate("install.yaml", String.join("---\n", manifests.values()));
        if (options.ownOnly()) {
            files.generate("own-only.yaml", new OwnOnlyTexts(operator).manifest());
        }
        if (!operator.snapshot().memberPermissions().isEmpty()) {
            files.generate("member-cluster.yaml", memberCluster());
        }
    }

    /** Returns what each other cluster needs in which controllers work: the definitions, an account and its role. */
    private String memberCluster() {
        List<String> texts = new ArrayList<>();
        texts.add(filled("namespace.yaml"));
        operator.definitions()
                .forEach(definition -> texts.add(Yaml.write(webhooks.unconverted(definition, nameOf(definition)))));
        texts.add(filled("serviceaccount.yaml"));
        Map<Account, Set<Right>> rights = new LinkedHashMap<>();
        for (RequiredPermission permission : operator.snapshot().memberPermissions()) {
            String account = permission.account().replaceFirst("^" + OperatorReader.RELEASE + "/", "");
            rights.computeIfAbsent(Account.named(account), absent -> new TreeSet<>())
                    .addAll(Right.of(permission));
        }
        rights.forEach((account, needed) -> {
            if (!account.isOperator()) {
                texts.add(filled(account));
            }
            texts.add(Yaml.writeAll(RoleTrees.role(operator.name(), account, "", "", List.copyOf(needed))));
        });
        return String.join("---\n", texts);
    }

    private static Map<String, Object> kustomization(Iterable<String> resources) {
        List<String> names = new ArrayList<>();
        resources.forEach(names::add);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", "kustomize.config.k8s.io/v1beta1");
        tree.put("kind", "Kustomization");
        tree.put("resources", names);
        return tree;
    }

    /** The manifests by file name, in the order in which they have to be applied. */
    Map<String, String> manifests() {
        Map<String, String> manifests = new LinkedHashMap<>();
        manifests.put("namespace.yaml", filled("namespace.yaml"));
        operator.definitions().forEach(definition -> {
            String name = nameOf(definition);
            manifests.put("crds/" + name + ".yaml", Yaml.write(webhooks.converted(definition, name)));
        });
        manifests.put("serviceaccount.yaml", accounts());
        manifests.put(
                "rbac.yaml", Yaml.writeAll(roles(operator.snapshot().sharding().enabled())));
        if (!operator.definitions().isEmpty()) {
            manifests.put("user-roles.yaml", Yaml.writeAll(userRoles()));
        }
        manifests.put("configmap.yaml", filled("configmap.yaml"));
        manifests.put("deployment.yaml", filled("deployment.yaml"));
        if (operator.snapshot().web().probes()) {
            manifests.put("service.yaml", filled("service.yaml"));
        }
        if (!webhooks.isEmpty()) {
            manifests.put("webhook-service.yaml", filled("webhook-service.yaml"));
            manifests.put("webhooks.yaml", Yaml.writeAll(webhooks.configurations()));
        }
        if (!operator.policies().isEmpty()) {
            manifests.put("policies.yaml", Yaml.writeAll(webhooks.policies()));
        }
        return manifests;
    }

    private static String nameOf(Map<String, Object> definition) {
        return String.valueOf(((Map<?, ?>) Objects.requireNonNull(definition.get("metadata"))).get("name"));
    }

    private String filled(Account account) {
        Map<String, String> values = new LinkedHashMap<>(tokens);
        values.put("account", account.name());
        values.put("accountNamespace", account.namespace().isEmpty() ? operator.name() : account.namespace());
        return Templates.fill(Templates.read("manifests/account.yaml"), values);
    }

    private String filled(String name) {
        return Templates.fill(Templates.read("manifests/" + name), tokens);
    }

    /** Returns the properties of an installation whose namespace and names are those of the manifests. */
    private List<String> properties() {
        List<String> lines = properties(true);
        lines.addAll(webhooks.properties());
        return lines;
    }

    /** Returns the properties of an installation that gets its namespace and the Service of its webhooks from elsewhere. */
    List<String> propertiesWithoutNames() {
        return properties(false);
    }

    private List<String> properties(boolean named) {
        List<String> lines = new ArrayList<>();
        String port = operator.snapshot().web().portProperty();
        if (!port.isEmpty()) {
            lines.add(port + "=8081");
        }
        if (!operator.snapshot().namespaces().isEmpty()) {
            lines.add("reconciler4j.cache.namespaces="
                    + String.join(",", operator.snapshot().namespaces()));
        }
        lines.add("reconciler4j.leader-election.enabled=true");
        lines.add("reconciler4j.leader-election.name=" + operator.name());
        if (named) {
            lines.add("reconciler4j.leader-election.namespace=" + operator.name());
        }
        Sharding sharding = operator.snapshot().sharding();
        lines.add("reconciler4j.sharding.enabled=" + sharding.enabled());
        if (sharding.enabled()) {
            lines.add("reconciler4j.sharding.name=" + operator.name());
            if (named) {
                lines.add("reconciler4j.sharding.lease-namespace=" + operator.name());
            }
            lines.add("reconciler4j.sharding.shards=" + sharding.shards());
        }
        lines.add("reconciler4j.grace-period=25s");
        operator.switches().forEach(one -> lines.add(one.property() + "=true"));
        return lines;
    }

    /** Returns the roles with all switches on. */
    String allRoles() {
        return Yaml.writeAll(roles(true));
    }

    private String accounts() {
        StringBuilder text = new StringBuilder(filled("serviceaccount.yaml"));
        Account.of(operator.grants()).stream()
                .filter(account -> !account.isOperator())
                .forEach(account -> text.append("---\n").append(filled(account)));
        return text.toString();
    }

    private List<Map<String, Object>> roles(boolean sharding) {
        List<Map<String, Object>> roles = new ArrayList<>();
        Account.of(operator.grants()).forEach(account -> addRoles(roles, account, sharding));
        return roles;
    }

    private void addRoles(List<Map<String, Object>> roles, Account account, boolean sharding) {
        if (operator.snapshot().namespaces().isEmpty()) {
            addRole(roles, account, "", "", grant -> grant.area() == Area.WATCHED || grant.area() == Area.CLUSTER);
        } else {
            for (String namespace : operator.snapshot().namespaces()) {
                addRole(roles, account, "", namespace, grant -> grant.area() == Area.WATCHED);
            }
            addRole(roles, account, "-cluster", "", grant -> grant.area() == Area.CLUSTER);
        }
        addRole(roles, account, "-components", operator.name(), grant -> grant.area() == Area.COMPONENTS);
        addRole(roles, account, "-leader-election", operator.name(), grant -> grant.area() == Area.OWN);
        if (sharding) {
            addRole(roles, account, "-sharding", operator.name(), grant -> grant.area() == Area.SHARDING);
        }
        addRole(roles, account, "-webhook", operator.name(), grant -> grant.area() == Area.WEBHOOK);
        for (String namespace : operator.grants().stream()
                .map(Grant::namespace)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new))) {
            addRole(
                    roles,
                    account,
                    "-fixed",
                    namespace,
                    grant -> grant.namespace().equals(namespace));
        }
    }

    private void addRole(
            List<Map<String, Object>> roles,
            Account account,
            String suffix,
            String namespace,
            Predicate<Grant> selected) {
        List<Right> rights = operator.grants().stream()
                .filter(grant -> Account.of(grant).equals(account))
                .filter(selected)
                .map(Grant::right)
                .map(this::withName)
                .toList();
        if (!rights.isEmpty()) {
            roles.addAll(RoleTrees.role(operator.name(), account, suffix, namespace, rights));
        }
    }

    /** Returns a right on the lease that the manifests name after the operator. */
    Right withName(Right right) {
        return new Right(
                right.group(),
                right.resource(),
                right.name().replace(OperatorReader.RELEASE, operator.name()),
                right.verb());
    }

    private List<Map<String, Object>> userRoles() {
        List<Map<String, Object>> roles = new ArrayList<>();
        for (Map<String, Object> definition : operator.definitions()) {
            for (UserRole role : UserRole.values()) {
                roles.add(RoleTrees.userRole(operator.name(), definition, role));
            }
        }
        return roles;
    }
}
