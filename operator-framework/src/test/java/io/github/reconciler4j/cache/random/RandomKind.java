package io.github.reconciler4j.cache.random;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The kinds that a run can be about; each object has a value in its content. */
enum RandomKind {
    CONFIG_MAPS(ConfigMap.class, "ConfigMap", "", "configmaps", "data"),
    WIDGETS(Widget.class, "Widget", "random.example.io", "widgets", "spec");

    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String DEFINITION = "widgets.random.example.io";
    private static final String CRD = """
            {"metadata": {"name": "widgets.random.example.io"}, "spec": {"group": "random.example.io",
             "scope": "Namespaced", "names": {"kind": "Widget", "plural": "widgets", "singular": "widget"},
             "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
               {"type": "object", "properties": {"spec": {"type": "object", "properties":
                 {"value": {"type": "string"}}}}}}}]}}""";

    final Class<? extends HasMetadata> type;
    final String group;
    final String plural;
    /** The field that has the content. */
    final String content;

    private final String kind;

    RandomKind(Class<? extends HasMetadata> type, String kind, String group, String plural, String content) {
        this.type = type;
        this.kind = kind;
        this.group = group;
        this.plural = plural;
        this.content = content;
    }

    /** A custom resource. */
    @Group("random.example.io")
    @Version("v1")
    @JsonIgnoreProperties(ignoreUnknown = true)
    public static class Widget extends CustomResource<WidgetSpec, Void> implements Namespaced {
        private static final long serialVersionUID = 1L;
    }

    /** Its content. */
    public static class WidgetSpec {
        public String value;
    }

    /** The path of the objects of a namespace, or of one; of all for {@code ""}. */
    String path(String namespace, String name) {
        return (group.isEmpty() ? "/api/v1" : "/apis/" + group + "/v1")
                + (namespace.isEmpty() ? "" : "/namespaces/" + namespace) + "/" + plural
                + (name.isEmpty() ? "" : "/" + name);
    }

    /** An object as JSON. */
    String object(String metadata, String value) {
        String version = group.isEmpty() ? "v1" : group + "/v1";
        return "{\"apiVersion\":\"" + version + "\",\"kind\":\"" + kind + "\",\"metadata\":" + metadata + ",\""
                + content + "\":{\"value\":\"" + value + "\"}}";
    }

    /** The value of an object; {@code corrupt} if its content is invalid. */
    String value(JsonNode object) {
        return object.path(content).isObject()
                ? object.path(content).path("value").asText("")
                : "corrupt";
    }

    /** The value of a decoded object. */
    static @Nullable String value(HasMetadata object) {
        return object instanceof ConfigMap map ? map.getData().get("value") : ((Widget) object).getSpec().value;
    }

    /** Has the server serve the kind; false if that does not work now. */
    boolean install(ApiConnection connection) {
        if (this == CONFIG_MAPS) {
            return true;
        }
        try {
            connection.send(ApiRequest.of("create", "POST", DEFINITIONS)
                    .withBody(ApiRequest.JSON, CRD.getBytes(StandardCharsets.UTF_8)));
            return true;
        } catch (ApiException e) {
            return false; // the former one is still going, or the server is away
        }
    }

    /** Takes the kind away from the server, if it is a custom one and that works now. */
    boolean uninstall(ApiConnection connection) {
        if (this == CONFIG_MAPS) {
            return false;
        }
        try {
            connection.send(ApiRequest.of("delete", "DELETE", DEFINITIONS + "/" + DEFINITION));
            return true;
        } catch (ApiException e) {
            return false;
        }
    }
}
