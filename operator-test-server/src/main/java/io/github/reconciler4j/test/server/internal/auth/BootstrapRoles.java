package io.github.reconciler4j.test.server.internal.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The roles and bindings of a new cluster with RBAC, from {@code bootstrap-roles.yaml}. Stateless; safe for use by
 * multiple threads.
 */
public final class BootstrapRoles {
    private static final String GROUP = "rbac.authorization.k8s.io";

    private BootstrapRoles() {}

    private static JsonNode read(String part) {
        String name = "bootstrap-roles.yaml";
        try (InputStream text = BootstrapRoles.class.getResourceAsStream(name)) {
            return new YAMLMapper().readTree(Objects.requireNonNull(text, name)).path(part);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<ObjectNode> roles() {
        List<ObjectNode> roles = new ArrayList<>();
        read("roles").properties().forEach(role -> {
            ObjectNode object = object("ClusterRole", role.getKey());
            object.set("rules", role.getValue());
            roles.add(object);
        });
        return roles;
    }

    public static List<ObjectNode> bindings() {
        List<ObjectNode> bindings = new ArrayList<>();
        read("bindings").properties().forEach(binding -> {
            ObjectNode object = object("ClusterRoleBinding", binding.getKey());
            object.putObject("roleRef")
                    .put("apiGroup", GROUP)
                    .put("kind", "ClusterRole")
                    .put("name", binding.getKey());
            for (JsonNode group : binding.getValue()) {
                object.withArray("subjects")
                        .addObject()
                        .put("apiGroup", GROUP)
                        .put("kind", "Group")
                        .put("name", group.asText());
            }
            bindings.add(object);
        });
        return bindings;
    }

    private static ObjectNode object(String kind, String name) {
        ObjectNode object = Json.object().put("apiVersion", GROUP + "/v1").put("kind", kind);
        Json.metadata(object).put("name", name).putObject("labels").put("kubernetes.io/bootstrapping", "rbac-defaults");
        return object;
    }
}
