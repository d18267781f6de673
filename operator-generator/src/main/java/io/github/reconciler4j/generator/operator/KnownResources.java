package io.github.reconciler4j.generator.operator;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.LocalServer;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which resources a cluster has and which of them have namespaces, by the discovery of an API server inside this JVM. It
 * knows Kubernetes' own kinds and the operator's; about others it can only guess.
 */
final class KnownResources implements AutoCloseable {

    private static final String COMMON_VERBS = "get, list, watch, create, update, patch, delete and deletecollection";

    /** All verbs that Kubernetes itself asks for. */
    private static final Set<String> VERBS = Set.of(
            "*",
            "get",
            "list",
            "watch",
            "create",
            "update",
            "patch",
            "delete",
            "deletecollection",
            "proxy",
            "use",
            "bind",
            "escalate",
            "impersonate",
            "approve",
            "sign",
            "attest",
            "request-serviceaccounts-token-audience");

    private final LocalServer server = new LocalServer();
    private final Map<String, Map<String, Boolean>> byGroup = new TreeMap<>();

    KnownResources(Collection<Map<String, Object>> definitions) {
        for (Map<String, Object> definition : definitions) {
            Map<?, ?> spec = (Map<?, ?>) Objects.requireNonNull(definition.get("spec"));
            String plural = String.valueOf(((Map<?, ?>) Objects.requireNonNull(spec.get("names"))).get("plural"));
            boolean namespaced = "Namespaced".equals(spec.get("scope"));
            Map<String, Boolean> group =
                    byGroup.computeIfAbsent(String.valueOf(spec.get("group")), absent -> new TreeMap<>());
            group.put(plural, namespaced);
            group.put(plural + "/finalizers", namespaced);
            for (Map<String, Object> version : maps(spec.get("versions"))) {
                if (version.get("subresources") instanceof Map<?, ?> subresources) {
                    subresources.keySet().forEach(subresource -> group.put(plural + "/" + subresource, namespaced));
                }
            }
        }
        readVersion("", "/api/v1");
        List<Map<String, Object>> groups = maps(server.get("/apis").get("groups"));
        for (Map<String, Object> group : groups) {
            maps(group.get("versions"))
                    .forEach(version ->
                            readVersion(String.valueOf(group.get("name")), "/apis/" + version.get("groupVersion")));
        }
    }

    private void readVersion(String group, String path) {
        Map<String, Boolean> resources = byGroup.computeIfAbsent(group, absent -> new TreeMap<>());
        maps(server.get(path).get("resources")).forEach(resource -> {
            String name = String.valueOf(resource.get("name"));
            boolean namespaced = Boolean.TRUE.equals(resource.get("namespaced"));
            resources.put(name, namespaced);
            resources.putIfAbsent(name.split("/", 2)[0] + "/finalizers", namespaced);
        });
    }

    @SuppressWarnings("unchecked") // trees have strings as keys
    private static List<Map<String, Object>> maps(@Nullable Object list) {
        return list instanceof List<?> items ? (List<Map<String, Object>>) items : List.of();
    }

    /**
     * Refuses resources that a group of Kubernetes or of the operator does not have, and warns once about each unknown group and verb,
     * because extensions have their own. The group {@code *} stands for all groups, as in the role of a controller that reads
     * the scale of every kind.
     */
    void check(List<RequiredPermission> permissions, Consumer<String> warnings) {
        Set<String> warned = new HashSet<>();
        for (RequiredPermission permission : permissions) {
            permission.verbs().stream()
                    .filter(verb -> !VERBS.contains(verb) && warned.add(verb + " " + permission.qualifiedResource()))
                    .forEach(verb -> warnings.accept("the verb '" + verb + "' of " + permission.qualifiedResource()
                            + " is unknown, and allows nothing if it is misspelled: verbs are " + COMMON_VERBS));
            Map<String, Boolean> group = byGroup.get(permission.group());
            if (permission.group().equals("*") || (group == null && !warned.add(permission.group()))) {
                continue;
            }
            if (group == null) {
                warnings.accept("the group '" + permission.group() + "' of " + permission.qualifiedResource()
                        + " is unknown here: its kinds are taken for namespaced ones");
            } else if (!group.containsKey(permission.resource())
                    && !permission.resource().contains("*")) {
                throw new GeneratorException("The operator needs a permission for '" + permission.qualifiedResource()
                        + "', but the group '" + permission.group() + "' has no such resource"
                        + similar(permission.resource(), group.keySet()));
            }
        }
    }

    private static String similar(String resource, Collection<String> known) {
        return known.stream()
                .filter(name -> name.startsWith(resource) || resource.startsWith(name))
                .findFirst()
                .map(name -> ": did you mean '" + name + "'?")
                .orElse("; resources are named in the plural and in lower case");
    }

    boolean isNamespaced(RequiredPermission permission) {
        return byGroup.getOrDefault(permission.group(), Map.of()).getOrDefault(permission.resource(), true);
    }

    @Override
    public void close() {
        server.close();
    }
}
