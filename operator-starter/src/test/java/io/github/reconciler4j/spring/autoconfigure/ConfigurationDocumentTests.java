package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.sharding.ShardingOptions;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** The metadata of the properties, their table in {@code docs/properties.md} and the defaults of the framework agree. */
class ConfigurationDocumentTests {

    private static final Path DOCUMENT = Path.of("../docs/properties.md");
    private static final String METADATA = "/META-INF/spring-configuration-metadata.json";
    private static final String ALL_CONTROLLERS = "reconciler4j.all-controllers.";

    @Test
    void metadataWhenReadHasADescriptionOfEachProperty() throws IOException {
        assertThat(properties()).hasSizeGreaterThan(50).allSatisfy((name, property) -> {
            String description = String.valueOf(property.get("description"));
            assertThat(description).as(name).matches("[A-Z].{8,}\\.");
            if (property.get("defaultValue") != null) {
                assertThat(description).as(name).doesNotContainIgnoringCase("default to", "defaults to", "unless set");
            }
        });
    }

    @Test
    void documentWhenReadNamesAllPropertiesAndNoOthers() throws Exception {
        Set<String> expected = new TreeSet<>(properties().keySet());
        expected.remove("reconciler4j.controllers");
        expected.remove("reconciler4j.cache.kinds");
        Arrays.stream(CacheProperties.Kind.class.getRecordComponents())
                .map(ConfigurationDocumentTests::dashed)
                .forEach(name -> expected.add("reconciler4j.cache.kinds.<kind>." + name));

        assertThat(documented().keySet()).isEqualTo(expected);
    }

    @Test
    void documentWhenAPropertyHasADefaultNamesIt() throws Exception {
        Map<String, String> documented = documented();
        properties().forEach((name, property) -> {
            Object value = property.get("defaultValue");
            if (value != null) {
                String text = value instanceof List<?> list
                        ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
                        : value.toString().replaceAll("^\\[(.*)\\]$", "$1").replace(", ", ",");
                assertThat(documented.get(name)).as(name).isEqualTo("`" + text + "`");
            }
        });
    }

    @Test
    void propertiesWhenNothingIsSetAreTheDefaultsOfTheFramework() {
        OperatorProperties properties = bind(Map.of());
        ManagerOptions defaults = ManagerOptions.defaults();

        ManagerOptions options = properties.toManagerOptions(defaults, new KindNames(Set.of()));

        assertThat(options.lifecycle().toString())
                .isEqualTo(defaults.lifecycle().toString());
        assertThat(options.cache().toString()).isEqualTo(defaults.cache().toString());
        assertThat(options.client().toString()).isEqualTo(defaults.client().toString());
        assertThat(options.events().toString()).isEqualTo(defaults.events().toString());
        assertThat(options.leaderElection()).isEmpty();
        assertThat(options.extensions()).isEmpty();
    }

    @Test
    void shardingWhenOnlyEnabledHasTheDefaultsOfTheFramework() {
        OperatorProperties properties = bind(Map.of("reconciler4j.sharding.enabled", "true"));
        ManagerOptions defaults = ManagerOptions.defaults();

        ManagerOptions options = properties.toManagerOptions(defaults, new KindNames(Set.of()));

        assertThat(ShardingOptions.of(options).orElseThrow())
                .hasToString(ShardingOptions.named(defaults.name()).toString());
    }

    @Test
    void metadataOfControllersWhenAppliedChangesNoDefaultOfTheFramework() throws IOException {
        Map<String, Object> values = new LinkedHashMap<>();
        properties().forEach((name, property) -> {
            if (name.startsWith(ALL_CONTROLLERS) && property.get("defaultValue") != null) {
                values.put(name, property.get("defaultValue"));
            }
        });
        assertThat(values).hasSizeGreaterThan(8);
        ControllerOptions defaults = ControllerOptions.defaults();

        ControllerOptions options = new ControllerSettings(bind(values).allControllersLayer()).applyTo(defaults);

        assertThat(options)
                .usingRecursiveComparison()
                .ignoringFields("values.fairness", "values.rateLimiter") // equal to the defaults by their effect only
                .isEqualTo(defaults);
    }

    private static OperatorProperties bind(Map<String, ?> values) {
        return new Binder(new MapConfigurationPropertySource(values))
                .bindOrCreate(OperatorProperties.PREFIX, OperatorProperties.class);
    }

    private static String dashed(RecordComponent component) {
        return DataObjectPropertyName.toDashedForm(component.getName());
    }

    /** The first and the second cell of each row of the document's tables that is about a property. */
    private static Map<String, String> documented() throws IOException {
        return Files.readAllLines(DOCUMENT).stream()
                .filter(line -> line.startsWith("| `reconciler4j."))
                .map(line -> line.split(" \\| "))
                .collect(Collectors.toMap(
                        cells -> cells[0].replaceAll("[| `]", ""), cells -> cells[1], (a, b) -> a, TreeMap::new));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Map<String, Object>> properties() throws IOException {
        try (InputStream metadata = ConfigurationDocumentTests.class.getResourceAsStream(METADATA)) {
            assertThat(metadata).as(METADATA).isNotNull();
            Map<String, Object> parsed = new ObjectMapper().readValue(metadata, Map.class);
            return ((List<Map<String, Object>>) parsed.get("properties"))
                    .stream()
                            .filter(property -> property.get("name").toString().startsWith("reconciler4j."))
                            .collect(Collectors.toMap(
                                    property -> property.get("name").toString(), property -> property));
        }
    }
}
