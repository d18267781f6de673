package io.github.reconciler4j.test.spring;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.api.model.rbac.SubjectBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.cluster.TestCluster;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The roles of the operator, bound to it on the server in this JVM: those that {@code reconciler4j-maven-plugin} has generated, or
 * those of files.
 *
 * @param files the places of the files, empty for an operator that may do everything
 */
record OperatorRoles(List<String> files) {

    /** The system property that gives every operator its generated roles. */
    static final String PROPERTY = "reconciler4j.test.generated-role";

    private static final String SETTINGS = "reconciler4j.leader-election.";

    private static final String SECRETS = "secrets";

    /** The end of the name of the role for the certificates of webhooks. */
    private static final String WEBHOOK_ROLE = "-webhook";

    /** The end of the name of the role for sharding. */
    private static final String SHARDING_ROLE = "-sharding";

    /** The operator of a test is no service account. */
    private static final Subject USER = new SubjectBuilder()
            .withKind("User")
            .withApiGroup("rbac.authorization.k8s.io")
            .withName(TestCluster.OPERATOR)
            .build();

    /** Returns the roles under which a test runs the operator. */
    static OperatorRoles of(OperatorTest test) {
        if (!TestCluster.isInThisJvm()) {
            return new OperatorRoles(List.of());
        }
        if (test.roles().length > 0) {
            return new OperatorRoles(List.of(test.roles()));
        }
        boolean isWanted =
                test.generatedRole() || !System.getProperty(PROPERTY, "false").equals("false");
        return isWanted ? generated() : new OperatorRoles(List.of());
    }

    /** Returns the roles that the plugin has generated. */
    private static OperatorRoles generated() {
        String property = System.getProperty(PROPERTY, "true");
        boolean isFile = !property.equals("true") && !property.equals("false");
        return new OperatorRoles(List.of(isFile ? property : RoleFiles.GENERATED));
    }

    /** Returns whether the operator may do no more than its roles. */
    boolean areWanted() {
        return !files.isEmpty();
    }

    /** Creates roles and bindings, and returns the configuration of a user who has no other rights. */
    Config install(TestCluster cluster, OperatorWebhooks webhooks, boolean sharding) {
        KubernetesServer server = cluster.server()
                .orElseThrow(() -> new IllegalStateException(
                        "The roles of @OperatorTest need the API server in this JVM," + " but a real one was chosen"));
        List<HasMetadata> roles = roles();
        Map<String, Subject> accounts = accounts();
        Subject operator = accounts.values().stream().findFirst().orElse(USER); // its roles come first
        webhooks.role(webhookSettings(roles).isEmpty()).ifPresent(roles::add);
        if (!sharding) {
            roles.removeIf(OperatorRoles::isForSharding);
        }
        for (HasMetadata role : roles) {
            createNamespace(cluster, role.getMetadata().getNamespace());
            cluster.client().resource(role).serverSideApply();
            Subject account = accounts.getOrDefault(role.getMetadata().getName(), operator);
            cluster.client()
                    .resource(binding(role, account.equals(operator) ? USER : account))
                    .serverSideApply();
        }
        OwnOnly.install(cluster, files, operator);
        Config config = server.clientConfig(server.addUser(TestCluster.OPERATOR));
        if (accounts.values().stream().anyMatch(account -> !account.equals(operator))) {
            config.setNamespace(operator.getNamespace()); // where the accounts of controllers are
        }
        return config;
    }

    /** Returns the accounts by the names of the roles that are bound to them. */
    private Map<String, Subject> accounts() {
        Map<String, Subject> accounts = new LinkedHashMap<>();
        for (HasMetadata object : objects()) {
            if (object instanceof ClusterRoleBinding binding) {
                accounts.put(
                        binding.getRoleRef().getName(), binding.getSubjects().get(0));
            } else if (object instanceof RoleBinding binding) {
                accounts.put(
                        binding.getRoleRef().getName(), binding.getSubjects().get(0));
            }
        }
        return accounts;
    }

    /** Creates a namespace if it does not exist; null means none. */
    static void createNamespace(TestCluster cluster, @Nullable String name) {
        if (name != null) {
            cluster.client()
                    .resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .endMetadata()
                            .build())
                    .serverSideApply();
        }
    }

    private static HasMetadata binding(HasMetadata role, Subject subject) {
        String name = role.getMetadata().getName();
        String namespace = role.getMetadata().getNamespace();
        if (namespace == null) {
            return new ClusterRoleBindingBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .endMetadata()
                    .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", name)
                    .withSubjects(subject)
                    .build();
        }
        return new RoleBindingBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "Role", name)
                .withSubjects(subject)
                .build();
    }

    private static boolean isForSharding(HasMetadata role) {
        return role.getMetadata().getName().endsWith(SHARDING_ROLE);
    }

    /** Returns the names that the roles expect of the lease, and the namespace of the leases of shards. */
    Map<String, Object> leaseSettings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        for (HasMetadata role : roles()) {
            if (isForSharding(role)) {
                settings.put(
                        "reconciler4j.sharding.lease-namespace",
                        role.getMetadata().getNamespace());
            }
            if (role instanceof Role inNamespace) {
                for (PolicyRule rule : inNamespace.getRules()) {
                    if (rule.getResources().contains("leases")
                            && !rule.getResourceNames().isEmpty()) {
                        settings.putIfAbsent(
                                SETTINGS + "name", rule.getResourceNames().get(0));
                        settings.putIfAbsent(
                                SETTINGS + "namespace", role.getMetadata().getNamespace());
                    }
                }
            }
        }
        return settings;
    }

    /**
     * Returns the names that the roles expect of webhook configurations and of the Secret with their certificate authority:
     * none if no roles are generated, or none that name such objects.
     */
    Map<String, Object> webhookSettings() {
        if (!TestCluster.isInThisJvm()) {
            return Map.of();
        }
        if (areWanted()) {
            return webhookSettings(roles());
        }
        return RoleFiles.exists(generated().files()) ? generated().webhookSettings() : Map.of();
    }

    private static Map<String, Object> webhookSettings(List<HasMetadata> roles) {
        Map<String, Object> settings = new LinkedHashMap<>();
        for (HasMetadata role : roles) {
            for (PolicyRule rule : rules(role)) {
                if (rule.getResourceNames().isEmpty()) {
                    continue;
                }
                String name = rule.getResourceNames().get(0);
                if (rule.getApiGroups().contains(OperatorWebhooks.GROUP)) {
                    settings.putIfAbsent(OperatorWebhooks.CONFIGURATION, name);
                }
                if (rule.getResources().contains(SECRETS)
                        && role instanceof Role
                        && role.getMetadata().getName().endsWith(WEBHOOK_ROLE)) {
                    settings.putIfAbsent(OperatorWebhooks.SECRET, name);
                    settings.putIfAbsent(
                            OperatorWebhooks.SECRET_NAMESPACE,
                            role.getMetadata().getNamespace());
                }
            }
        }
        return settings;
    }

    private static List<PolicyRule> rules(HasMetadata role) {
        return role instanceof Role inNamespace ? inNamespace.getRules() : ((ClusterRole) role).getRules();
    }

    private List<HasMetadata> roles() {
        List<HasMetadata> roles = objects();
        roles.removeIf(object -> !(object instanceof ClusterRole || object instanceof Role));
        return roles;
    }

    private List<HasMetadata> objects() {
        return RoleFiles.read(files);
    }
}
