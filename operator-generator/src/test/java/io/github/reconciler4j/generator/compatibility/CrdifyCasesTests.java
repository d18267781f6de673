package io.github.reconciler4j.generator.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.generator.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    @Test
    void casesWhenCountedAreAllThere() throws IOException {
        assertThat(cases()).hasSizeGreaterThan(100);
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
