package io.github.reconciler4j.test.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the custom resource definitions of the class path. */
final class Definitions {
    private Definitions() {}

    /** The definitions in the files of these places, one for each name; of several files the first wins. */
    static List<CustomResourceDefinition> read(List<String> places, KubernetesSerialization serialization) {
        Map<String, CustomResourceDefinition> definitions = new LinkedHashMap<>();
        for (URL file : ClassPathFiles.find(places, List.of(".yml", ".yaml", ".json"))) {
            for (CustomResourceDefinition definition : read(file, serialization)) {
                definitions.putIfAbsent(definition.getMetadata().getName(), definition);
            }
        }
        return List.copyOf(definitions.values());
    }

    private static List<CustomResourceDefinition> read(URL file, KubernetesSerialization serialization) {
        try (InputStream content = file.openStream()) {
            Object parsed = serialization.unmarshal(content);
            List<? extends Object> objects =
                    parsed instanceof KubernetesResourceList<?> list ? list.getItems() : single(parsed);
            List<CustomResourceDefinition> definitions = new ArrayList<>();
            for (Object object : objects) {
                if (object instanceof CustomResourceDefinition definition) {
                    definitions.add(definition);
                }
            }
            return definitions;
        } catch (IOException | RuntimeException e) {
            throw new IllegalStateException("The custom resource definitions in " + file + " cannot be read", e);
        }
    }

    private static List<Object> single(Object parsed) {
        if (parsed instanceof List<?> several) {
            return List.copyOf(several);
        }
        return parsed instanceof HasMetadata ? List.of(parsed) : List.of();
    }
}
