package io.github.reconciler4j.test.server.internal.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.selector.LabelSelector;
import io.github.reconciler4j.test.server.internal.storage.ListQuery;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import io.github.reconciler4j.test.server.internal.storage.VersionedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Role-based access control by the roles and bindings in the store, which it reads for each decision. */
public final class Rbac implements Authorizer {
    private static final String GROUP = "rbac.authorization.k8s.io";
    private static final ResourceId ROLES = new ResourceId(GROUP, "roles");
    private static final ResourceId CLUSTER_ROLES = new ResourceId(GROUP, "clusterroles");
    private static final ResourceId BINDINGS = new ResourceId(GROUP, "rolebindings");
    private static final ResourceId CLUSTER_BINDINGS = new ResourceId(GROUP, "clusterrolebindings");
    private static final String ACCOUNT_PREFIX = "system:serviceaccount:";

    private final VersionedStore store;

    public Rbac(VersionedStore store) {
        this.store = store;
    }

    @Override
    public boolean allows(AccessRequest request) {
        return request.user().isMaster()
                || rules(request.user(), request.namespace()).stream()
                        .anyMatch(rule -> RuleMatch.covers(rule, request));
    }

    @Override
    public List<JsonNode> rules(User user, String namespace) {
        if (user.isMaster()) {
            return Authorizer.super.rules(user, namespace);
        }
        List<JsonNode> rules = new ArrayList<>();
        addRules(CLUSTER_BINDINGS, "", user, rules);
        if (!namespace.isEmpty()) {
            addRules(BINDINGS, namespace, user, rules);
        }
        return rules;
    }

    private void addRules(ResourceId bindings, String namespace, User user, List<JsonNode> rules) {
        for (StoredObject stored :
                store.list(bindings, ListQuery.all(namespace)).items()) {
            ObjectNode binding = stored.tree();
            boolean applies = Json.items(binding, "subjects").stream()
                    .anyMatch(subject -> isSubject(subject, user, stored.name().namespace()));
            if (applies) {
                boolean cluster = Json.text(binding, "roleRef", "kind").equals("ClusterRole");
                ObjectName name = new ObjectName(cluster ? "" : namespace, Json.text(binding, "roleRef", "name"));
                rules.addAll(roleRules(cluster ? CLUSTER_ROLES : ROLES, name));
            }
        }
    }

    private static boolean isSubject(JsonNode subject, User user, String bindingNamespace) {
        String name = Json.text(subject, "name");
        return switch (Json.text(subject, "kind")) {
            case "User" -> user.name().equals(name);
            case "Group" -> user.groups().contains(name);
            case "ServiceAccount" -> {
                String own = Json.text(subject, "namespace");
                String namespace = own.isEmpty() ? bindingNamespace : own;
                yield user.name().equals(ACCOUNT_PREFIX + namespace + ":" + name);
            }
            default -> false;
        };
    }

    private List<JsonNode> roleRules(ResourceId roles, ObjectName name) {
        StoredObject stored = store.get(roles, name);
        if (stored == null) {
            return List.of();
        }
        ObjectNode role = stored.tree();
        List<JsonNode> rules = new ArrayList<>(Json.items(role, "rules"));
        for (JsonNode selector : Json.items(role, "aggregationRule", "clusterRoleSelectors")) {
            Predicate<Map<String, String>> matches = LabelSelector.of(selector);
            ListQuery query = new ListQuery("", "", 0, other -> matches.test(other.labels()));
            store.list(CLUSTER_ROLES, query).items().forEach(other -> rules.addAll(Json.items(other.tree(), "rules")));
        }
        return rules;
    }

    /** Matches rules of roles with requests. */
    private static final class RuleMatch {
        private static final String ALL = "*";

        private RuleMatch() {}

        static boolean covers(JsonNode rule, AccessRequest request) {
            if (!has(Json.texts(rule, "verbs"), request.verb())) {
                return false;
            }
            return request.isResource() ? coversResource(rule, request) : coversPath(rule, request.path());
        }

        private static boolean coversResource(JsonNode rule, AccessRequest request) {
            List<String> names = Json.texts(rule, "resourceNames");
            return has(Json.texts(rule, "apiGroups"), request.group())
                    && Json.texts(rule, "resources").stream().anyMatch(resource -> coversName(resource, request))
                    && (names.isEmpty() || names.contains(request.name()));
        }

        private static boolean coversName(String rule, AccessRequest request) {
            return rule.equals(ALL)
                    || rule.equals(request.fullResource())
                    || !request.subresource().isEmpty() && rule.equals(ALL + "/" + request.subresource());
        }

        private static boolean coversPath(JsonNode rule, String path) {
            return Json.texts(rule, "nonResourceURLs").stream()
                    .anyMatch(url -> url.equals(path)
                            || url.endsWith(ALL) && path.startsWith(url.substring(0, url.length() - 1)));
        }

        private static boolean has(List<String> values, String value) {
            return values.contains(ALL) || values.contains(value);
        }
    }
}
