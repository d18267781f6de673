package io.github.reconciler4j.generator.compatibility;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.generator.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The verdicts of crdify, the tool of Kubernetes' API machinery group, on its own cases. */
class CrdifyCasesTests {

    private static final Path CASES = Path.of("src/test/resources/compatibility/crdify-cases.yaml");

    static Stream<Named<Map<String, Object>>> cases() throws IOException {
        return CrdCompatibility.maps(Yaml.readValue(Files.readString(CASES), "crdify-cases.yaml")).stream()
                .map(one -> Named.of(String.valueOf(one.get("name")), one));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void changeWhenInCrdifysTableHasTheSameVerdictOrANote(Map<String, Object> one) {
        List<Finding> findings = new CrdCompatibility(options(one))
                .compare(List.of(definition(one, "old")), List.of(definition(one, "new")));

        assertThat(findings).extracting(finding -> finding.rule().id()).isEqualTo(one.get("rules"));
        if (!one.containsKey("note")) {
            assertThat(!findings.isEmpty()).isEqualTo(one.get("flagged"));
        }
    }

    /** The number of cases in the tests of crdify, by the name of the test. */
    @Test
    void casesWhenCountedAreThoseOfCrdify() throws IOException {
        Map<String, Long> counts = cases().collect(
                        Collectors.groupingBy(one -> one.getName().split(":")[0], TreeMap::new, Collectors.counting()));

        assertThat(counts)
                .isEqualTo(Map.ofEntries(
                        entry("default", 5L),
                        entry("description", 3L),
                        entry("enum", 8L),
                        entry("maximum", 5L),
                        entry("maxItems", 5L),
                        entry("maxLength", 5L),
                        entry("maxProperties", 5L),
                        entry("minimum", 5L),
                        entry("minItems", 5L),
                        entry("minLength", 5L),
                        entry("minProperties", 5L),
                        entry("nullable", 6L),
                        entry("pattern", 6L),
                        entry("required", 3L),
                        entry("type", 3L),
                        entry("field", 3L),
                        entry("scope", 2L),
                        entry("stored versions", 3L),
                        entry("served versions", 6L),
                        entry("whole", 22L),
                        entry("path", 10L),
                        entry("pairs", 5L)));
        assertThat(cases().filter(one -> one.getPayload().containsKey("note"))).hasSize(7);
    }

    private static CompatibilityOptions options(Map<String, Object> one) {
        Map<String, String> severities = new LinkedHashMap<>();
        CrdCompatibility.map(one, "severities").forEach((rule, severity) -> severities.put(rule, severity.toString()));
        return CompatibilityOptions.defaults().withSeverities(severities);
    }

    private static Map<String, Object> definition(Map<String, Object> one, String key) {
        Map<String, Object> spec = new LinkedHashMap<>(CrdCompatibility.map(one, key));
        Map<String, Object> definition = new LinkedHashMap<>();
        definition.put("metadata", Map.of("name", "memcacheds.example.com"));
        if ("property".equals(one.get("kind"))) {
            spec = Map.of(
                    "versions",
                    List.of(Map.of(
                            "name",
                            "v1",
                            "served",
                            true,
                            "storage",
                            true,
                            "schema",
                            Map.of("openAPIV3Schema", Map.of("type", "object", "properties", Map.of("field", spec))))));
        }
        Object status = Objects.requireNonNullElse(spec.get("status"), Map.of());
        definition.put("status", status);
        definition.put("spec", spec);
        return definition;
    }
}
