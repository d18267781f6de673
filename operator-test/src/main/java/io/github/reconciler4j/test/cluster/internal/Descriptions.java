package io.github.reconciler4j.test.cluster.internal;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The descriptions of a definition. They come from Javadoc and KDoc, which only a build with the sources sees. */
final class Descriptions {

    private Descriptions() {}

    /** Add the descriptions of a former definition to what has none, and return the changed definition. */
    static CustomResourceDefinition added(CustomResourceDefinition definition, CustomResourceDefinition former) {
        for (CustomResourceDefinitionVersion version : definition.getSpec().getVersions()) {
            for (CustomResourceDefinitionVersion other : former.getSpec().getVersions()) {
                if (version.getName().equals(other.getName())) {
                    add(version, other);
                }
            }
        }
        return definition;
    }

    private static void add(CustomResourceDefinitionVersion version, CustomResourceDefinitionVersion former) {
        if (version.getSchema() != null && former.getSchema() != null) {
            add(version.getSchema().getOpenAPIV3Schema(), former.getSchema().getOpenAPIV3Schema());
        }
        List<CustomResourceColumnDefinition> columns = former.getAdditionalPrinterColumns();
        for (CustomResourceColumnDefinition column : version.getAdditionalPrinterColumns()) {
            if (column.getDescription() == null) {
                columns.stream()
                        .filter(other -> column.getJsonPath().equals(other.getJsonPath()))
                        .forEach(other -> column.setDescription(other.getDescription()));
            }
        }
    }

    private static void add(@Nullable JSONSchemaProps schema, @Nullable JSONSchemaProps former) {
        if (schema == null || former == null) {
            return;
        }
        if (schema.getDescription() == null) {
            schema.setDescription(former.getDescription());
        }
        Map<String, JSONSchemaProps> others = former.getProperties();
        if (schema.getProperties() != null && others != null) {
            schema.getProperties().forEach((name, property) -> add(property, others.get(name)));
        }
        if (schema.getItems() != null && former.getItems() != null) {
            add(schema.getItems().getSchema(), former.getItems().getSchema());
        }
        if (schema.getAdditionalProperties() != null && former.getAdditionalProperties() != null) {
            add(
                    schema.getAdditionalProperties().getSchema(),
                    former.getAdditionalProperties().getSchema());
        }
    }
}
