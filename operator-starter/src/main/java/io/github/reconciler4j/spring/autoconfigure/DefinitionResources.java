package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.ResourcePatternResolver;

/** Reads the CustomResourceDefinitions that the operator installs. */
final class DefinitionResources {

    static final String LOCATIONS = OperatorProperties.Crds.PREFIX + "locations";

    private DefinitionResources() {}

    /**
     * Return the definitions of all files, sorted by name.
     *
     * @throws OperatorConfigurationException if there is no file, or one is not a definition
     */
    static List<CustomResourceDefinition> read(ResourcePatternResolver resources, List<String> locations) {
        List<CustomResourceDefinition> definitions = new ArrayList<>();
        for (String location : locations) {
            for (Resource resource : find(resources, location)) {
                CustomResourceDefinition definition = read(resource);
                if (!definitions.contains(definition)) { // two jars can have the same one
                    definitions.add(definition);
                }
            }
        }
        if (definitions.isEmpty()) {
            throw OperatorConfigurationException.property(
                    LOCATIONS,
                    "must name at least one CustomResourceDefinition, but none was found in " + locations
                            + ". The goal 'crds' of reconciler4j-maven-plugin writes them to META-INF/crds",
                    null);
        }
        definitions.sort(Comparator.comparing(DefinitionResources::name));
        return definitions;
    }

    /** The installer refuses a definition without a name. */
    private static String name(CustomResourceDefinition definition) {
        return definition.getMetadata() == null
                ? ""
                : Objects.requireNonNullElse(definition.getMetadata().getName(), "");
    }

    private static Resource[] find(ResourcePatternResolver resources, String location) {
        try {
            return resources.getResources(location);
        } catch (IOException e) {
            throw OperatorConfigurationException.property(LOCATIONS, "cannot be read: " + e.getMessage(), e);
        }
    }

    private static CustomResourceDefinition read(Resource resource) {
        try (InputStream in = resource.getInputStream()) {
            if (new KubernetesSerialization().<Object>unmarshal(in) instanceof CustomResourceDefinition definition) {
                return definition;
            }
        } catch (IOException e) {
            throw OperatorConfigurationException.property(LOCATIONS, "cannot be read: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            throw OperatorConfigurationException.property(
                    LOCATIONS,
                    "must name valid YAML, but " + resource.getDescription() + " is not: " + e.getMessage(),
                    e);
        }
        throw OperatorConfigurationException.property(
                LOCATIONS,
                "must name files with one CustomResourceDefinition each, which " + resource.getDescription()
                        + " is not",
                null);
    }
}
