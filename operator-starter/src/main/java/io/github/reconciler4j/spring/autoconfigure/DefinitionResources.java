package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.installer.CrdInstaller;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.ResourcePatternResolver;

/** Reads the CustomResourceDefinitions that the operator installs. */
final class DefinitionResources {

    static final String LOCATIONS = OperatorProperties.Crds.PREFIX + "locations";

    private DefinitionResources() {}

    /**
     * Return the definitions of all files, sorted by name.
     *
     * @throws OperatorConfigurationException if there is no file, if one is not a complete definition, or if two have different
     *     definitions of the same name
     */
    static List<CustomResourceDefinition> read(ResourcePatternResolver resources, List<String> locations) {
        Map<String, CustomResourceDefinition> definitions = new TreeMap<>();
        Map<String, String> files = new HashMap<>();
        for (String location : locations) {
            for (Resource file : find(resources, location)) {
                CustomResourceDefinition definition = read(file);
                String name = definition.getMetadata().getName();
                CustomResourceDefinition other = definitions.putIfAbsent(name, definition);
                if (other == null) {
                    files.put(name, file.getDescription());
                } else if (!other.equals(definition)) { // two jars can have the same one
                    throw OperatorConfigurationException.property(
                            LOCATIONS,
                            "must name one definition of " + name + ", but " + files.get(name) + " and "
                                    + file.getDescription() + " differ",
                            null);
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
        return List.copyOf(definitions.values());
    }

    private static Resource[] find(ResourcePatternResolver resources, String location) {
        try {
            return resources.getResources(location);
        } catch (IOException e) {
            throw OperatorConfigurationException.property(
                    LOCATIONS, "has '" + location + "', which cannot be read: " + e.getMessage(), e);
        }
    }

    private static CustomResourceDefinition read(Resource file) {
        if (!(parse(file) instanceof CustomResourceDefinition definition)) {
            throw OperatorConfigurationException.property(
                    LOCATIONS,
                    "must name files with one CustomResourceDefinition each, which " + file.getDescription()
                            + " is not",
                    null);
        }
        try {
            CrdInstaller.check(definition);
            return definition;
        } catch (IllegalArgumentException e) {
            throw OperatorConfigurationException.property(
                    LOCATIONS,
                    "must name definitions that can be installed, but " + file.getDescription() + " has none: "
                            + e.getMessage(),
                    e);
        }
    }

    private static @Nullable Object parse(Resource file) {
        try (InputStream in = file.getInputStream()) {
            return new KubernetesSerialization().<Object>unmarshal(in);
        } catch (IOException e) {
            throw OperatorConfigurationException.property(
                    LOCATIONS, "names " + file.getDescription() + ", which cannot be read: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            throw OperatorConfigurationException.property(
                    LOCATIONS, "must name valid YAML, but " + file.getDescription() + " is not: " + e.getMessage(), e);
        }
    }
}
