package io.github.reconciler4j.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.spring.autoconfigure.NamedControllerProperties;
import java.beans.Introspector;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every property has a description and a default that one can read, and {@code docs/spring.md} names them all. */
class ConfigurationDocumentTests {

    private static final Path DOCUMENT = Path.of("../docs/spring.md");
    private static final String METADATA = "/META-INF/spring-configuration-metadata.json";
    private static final String OF_ONE = "reconciler4j.controllers.<name>.";

    @Test
    void propertiesAllHaveADescriptionAndADefault() throws IOException {
        assertThat(properties()).hasSizeGreaterThan(20).allSatisfy((name, property) -> {
            String description = String.valueOf(property.get("description"));
            assertThat(description).as(name).endsWith(".").hasSizeGreaterThan(15);
            boolean says = description.matches("(?s).*(unless set|by default|the default|usual).*")
                    || property.get("defaultValue") != null
                    || String.valueOf(property.get("type")).startsWith("java.util.");
            assertThat(says).as("the default of " + name + " is known").isTrue();
        });
    }

    @Test
    void documentNamesAllPropertiesAndNoOthers() throws Exception {
        Set<String> expected = new TreeSet<>(properties().keySet());
        expected.remove("reconciler4j.controllers");
        Arrays.stream(Introspector.getBeanInfo(NamedControllerProperties.class, Object.class)
                        .getPropertyDescriptors())
                .map(property -> OF_ONE + dashed(property.getName()))
                .forEach(expected::add);

        assertThat(documented()).isEqualTo(expected);
    }

    private static String dashed(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
    }

    /** The first cell of each row of the document's tables that is a property. */
    private static Set<String> documented() throws IOException {
        return Files.readAllLines(DOCUMENT).stream()
                .filter(line -> line.startsWith("| `operator."))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .collect(Collectors.toCollection(TreeSet::new));
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
