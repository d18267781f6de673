package io.github.reconciler4j.test.server.internal.auth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * The cluster roles and bindings that every cluster with access control begins with.
 *
 * @since 0.1.0
 */
public final class BootstrapRoles {
    private static final String API = "rbac.authorization.k8s.io/v1";
    private static final List<String> ANY = List.of("*");
    private static final List<String> READ = List.of("get", "list", "watch");
    private static final List<String> WRITE =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
    private static final List<String> DISCOVERY_PATHS = List.of(
            "/api",
            "/api/*",
            "/apis",
            "/apis/*",
            "/healthz",
            "/livez",
            "/openapi",
            "/openapi/*",
            "/readyz",
            "/version",
            "/version/");
    private static final String PUBLIC = "system:public-info-viewer";
    private static final List<String> WORKLOADS = List.of(
            "configmaps",
            "endpoints",
            "persistentvolumeclaims",
            "pods",
            "replicationcontrollers",
            "serviceaccounts",
            "services",
            "events",
            "controllerrevisions",
            "daemonsets",
            "deployments",
            "deployments/scale",
            "replicasets",
            "replicasets/scale",
            "statefulsets",
            "statefulsets/scale",
            "horizontalpodautoscalers",
            "cronjobs",
            "jobs",
            "poddisruptionbudgets",
            "ingresses",
            "networkpolicies");
    private static final List<String> GROUPS =
            List.of("", "apps", "autoscaling", "batch", "policy", "networking.k8s.io");

    private BootstrapRoles() {}

    /** The roles. */
    public static List<ObjectNode> roles() {
        List<String> secrets = new ArrayList<>(WORKLOADS);
        secrets.add("secrets");
        return List.of(
                role("cluster-admin", rule(ANY, ANY, ANY), paths(ANY, ANY)),
                role("view", rule(READ, GROUPS, WORKLOADS)),
                role("edit", rule(WRITE, GROUPS, secrets)),
                role(
                        "admin",
                        rule(WRITE, GROUPS, secrets),
                        rule(WRITE, List.of("rbac.authorization.k8s.io"), List.of("roles", "rolebindings"))),
                role(PUBLIC, paths(List.of("get"), List.of("/healthz", "/livez", "/readyz", "/version", "/version/"))),
                role("system:discovery", paths(List.of("get"), DISCOVERY_PATHS)),
                role(
                        "system:basic-user",
                        rule(
                                List.of("create"),
                                List.of("authorization.k8s.io"),
                                List.of("selfsubjectaccessreviews", "selfsubjectrulesreviews")),
                        rule(List.of("create"), List.of("authentication.k8s.io"), List.of("selfsubjectreviews"))));
    }

    /** The bindings of these roles. */
    public static List<ObjectNode> bindings() {
        return List.of(
                binding("cluster-admin", User.MASTERS),
                binding(PUBLIC, User.AUTHENTICATED, User.UNAUTHENTICATED),
                binding("system:discovery", User.AUTHENTICATED),
                binding("system:basic-user", User.AUTHENTICATED));
    }

    private static ObjectNode role(String name, ObjectNode... rules) {
        ObjectNode role = Json.object().put("apiVersion", API).put("kind", "ClusterRole");
        bootstrap(role, name);
        role.putArray("rules").addAll(List.of(rules));
        return role;
    }

    private static void bootstrap(ObjectNode object, String name) {
        object.putObject("metadata")
                .put("name", name)
                .putObject("labels")
                .put("kubernetes.io/bootstrapping", "rbac-defaults");
    }

    private static ObjectNode rule(List<String> verbs, List<String> groups, List<String> resources) {
        ObjectNode rule = Json.object();
        rule.set("verbs", Json.strings(verbs));
        rule.set("apiGroups", Json.strings(groups));
        rule.set("resources", Json.strings(resources));
        return rule;
    }

    private static ObjectNode paths(List<String> verbs, List<String> urls) {
        ObjectNode rule = Json.object();
        rule.set("verbs", Json.strings(verbs));
        rule.set("nonResourceURLs", Json.strings(urls));
        return rule;
    }

    private static ObjectNode binding(String name, String... groups) {
        ObjectNode binding = Json.object().put("apiVersion", API).put("kind", "ClusterRoleBinding");
        bootstrap(binding, name);
        binding.putObject("roleRef")
                .put("apiGroup", "rbac.authorization.k8s.io")
                .put("kind", "ClusterRole")
                .put("name", name);
        for (String group : groups) {
            binding.withArray("subjects")
                    .addObject()
                    .put("apiGroup", "rbac.authorization.k8s.io")
                    .put("kind", "Group")
                    .put("name", group);
        }
        return binding;
    }
}
