package io.github.reconciler4j.test.client.internal;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.KubernetesList;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersionBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.test.cluster.internal.DefinitionFiles;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The definitions of custom resources: those on the class path, and one without rules for each other kind. Thread-safe. */
final class Definitions {

    private final Map<String, CustomResourceDefinition> onClassPath = new HashMap<>();

    /** Read the definitions at the given places of the class path. */
    Definitions(List<String> places) {
        for (CustomResourceDefinition definition : DefinitionFiles.read(places, Files.SERIALIZATION)) {
            onClassPath.put(definition.getMetadata().getName(), definition);
        }
    }

    /** Return the definition of a kind, given in each of its versions. */
    CustomResourceDefinition of(List<KindInfo> versions) {
        KindInfo first = versions.get(0);
        CustomResourceDefinition definition = onClassPath.get(first.resource());
        return definition == null ? withoutRules(first, versions) : definition;
    }

    private static CustomResourceDefinition withoutRules(KindInfo kind, List<KindInfo> versions) {
        String name = kind.kind().kind();
        return new CustomResourceDefinitionBuilder()
                .withNewMetadata()
                .withName(kind.resource())
                .endMetadata()
                .withNewSpec()
                .withGroup(kind.kind().group())
                .withScope(kind.namespaced() ? "Namespaced" : "Cluster")
                .withNewNames()
                .withKind(name)
                .withListKind(name + "List")
                .withPlural(kind.plural())
                .withSingular(name.toLowerCase(Locale.ROOT))
                .endNames()
                .withVersions(versions.stream()
                        .map(version -> version(version.kind().version(), version.equals(kind)))
                        .toList())
                .endSpec()
                .build();
    }

    /** Return a version that accepts every field, with the subresource of the status. */
    private static CustomResourceDefinitionVersion version(String name, boolean stored) {
        return new CustomResourceDefinitionVersionBuilder()
                .withName(name)
                .withServed(true)
                .withStorage(stored)
                .withNewSchema()
                .withNewOpenAPIV3Schema()
                .withType("object")
                .withXKubernetesPreserveUnknownFields(true)
                .endOpenAPIV3Schema()
                .endSchema()
                .withNewSubresources()
                .withNewStatus()
                .endStatus()
                .endSubresources()
                .build();
    }

    /** Created once in a JVM. It knows the kinds that it needs: to know all takes seconds. */
    private static final class Files {

        static final KubernetesSerialization SERIALIZATION = create();

        private static KubernetesSerialization create() {
            KubernetesSerialization created = new KubernetesSerialization(new ObjectMapper(), false);
            created.registerKubernetesResource(CustomResourceDefinition.class);
            created.registerKubernetesResource(KubernetesList.class);
            return created;
        }
    }
}
