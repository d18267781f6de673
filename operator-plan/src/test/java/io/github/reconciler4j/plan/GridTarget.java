package io.github.reconciler4j.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.KubernetesJson;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The object of a cell: a Deployment with version 2 of an image and a key of the tier, or a Secret with version 2 of a value.
 *
 * @param recorder the recorder of events
 */
record GridTarget(Client client, EventRecorder recorder, ObjectKey key, boolean isSecret) {

    /** Part of each value of a Secret. */
    static final String CONFIDENTIAL = "hunter";

    /** A value that a report does not show as a whole. */
    static final String LONG = "long".repeat(100);

    private static final String DEPLOYMENT = """
            {"apiVersion": "apps/v1", "kind": "Deployment",
             "metadata": {"namespace": "NS", "name": "NAME", "labels": {"cell": "NAME"}, "annotations": {"long": "LONG1"}},
             "spec": {
              "selector": {"matchLabels": {"app": "NAME"}},
              "template": {
               "metadata": {"labels": {"app": "NAME"}},
               "spec": {
                "initContainers": [{"name": "setup", "image": "setup"}],
                "containers": [{"name": "main", "image": "app"}, {"name": "proxy", "image": "proxy"}],
                "volumes": [{"name": "tmp", "emptyDir": {}}]}}}}
            """;
    private static final String SECRET = """
            {"apiVersion": "v1", "kind": "Secret",
             "metadata": {"namespace": "NS", "name": "NAME", "labels": {"cell": "NAME"}, "annotations": {"long": "LONG1"}},
             "data": {}}
            """;

    Kind<GenericKubernetesResource> kind() {
        return isSecret ? Kind.of("v1", "Secret") : Kind.of("apps/v1", "Deployment");
    }

    GenericKubernetesResource desired() {
        GenericKubernetesResource object = parse(isSecret ? SECRET : DEPLOYMENT);
        change(object);
        return object;
    }

    /** Return the object without content. */
    GenericKubernetesResource bare() {
        GenericKubernetesResource object = parse(isSecret ? SECRET : DEPLOYMENT);
        object.setAdditionalProperties(new LinkedHashMap<>());
        object.getMetadata().setLabels(null);
        return object;
    }

    private GenericKubernetesResource parse(String json) {
        try {
            return KubernetesJson.mapper()
                    .readValue(
                            json.replace("NS", key.namespace())
                                    .replace("NAME", key.name())
                                    .replace("LONG", LONG),
                            GenericKubernetesResource.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    GenericKubernetesResource labeled(String label, String value) {
        GenericKubernetesResource object = desired();
        object.getMetadata().getLabels().put(label, value);
        return object;
    }

    /** Return the content as a tree. */
    Map<?, ?> tree() {
        return KubernetesJson.mapper().convertValue(desired(), Map.class);
    }

    /** Return what there is, or what is desired if there is nothing. */
    GenericKubernetesResource read() {
        return client.live().get(kind(), key).orElseGet(this::desired);
    }

    GenericKubernetesResource changed() {
        GenericKubernetesResource object = read();
        change(object);
        return object;
    }

    void change(GenericKubernetesResource object) {
        set(object, "2");
    }

    void changeStatus(GenericKubernetesResource object) {
        object.getAdditionalProperties().put("status", new LinkedHashMap<>(Map.of("observedGeneration", 7)));
    }

    /** Give the object a version of its content. */
    void set(GenericKubernetesResource object, String version) {
        if (isSecret) {
            String value =
                    Base64.getEncoder().encodeToString((CONFIDENTIAL + version).getBytes(StandardCharsets.UTF_8));
            object.getAdditionalProperties().put("data", new LinkedHashMap<>(Map.of("value", value)));
        } else {
            container(object).put("image", "app:" + version);
        }
    }

    Map<String, Object> container(GenericKubernetesResource object) {
        return map(object.get("spec", "template", "spec", "containers", 0));
    }

    /** Let a Deployment select other pods. */
    void select(GenericKubernetesResource object, String app) {
        map(object.get("spec", "selector", "matchLabels")).put("app", app);
        map(object.get("spec", "template", "metadata", "labels")).put("app", app);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object node) {
        return (Map<String, Object>) node;
    }
}
