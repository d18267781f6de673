package io.github.reconciler4j.generator.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrdCompatibilityTests {

    /** What crdify does not look at: rules, types of lists and maps, combinations. */
    @ParameterizedTest(name = "{0} -> {1}: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | {x-kubernetes-validations: [{rule: self > 1}]} | validation-rule-added",
                "{x-kubernetes-validations: [{rule: self > 1}]} | {x-kubernetes-validations: [{rule: self > 2}]} | validation-rule-added",
                "{x-kubernetes-validations: [{rule: self > 1}]} | {} | ''",
                "{x-kubernetes-validations: [{rule: self > 1}]} | {x-kubernetes-validations: [{rule: self > 1, message: m}]} | ''",
                "{type: array} | {type: array, x-kubernetes-list-type: set} | list-type-changed",
                "{type: array} | {type: array, x-kubernetes-list-type: atomic} | ''",
                "{x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a]} | {x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b]} | list-type-changed",
                "{type: object} | {type: object, x-kubernetes-map-type: atomic} | map-type-changed",
                "{additionalProperties: {type: string}} | {properties: {a: {type: string}}} | additional-properties-removed",
                "{additionalProperties: {type: string}} | {additionalProperties: {type: integer}} | type-changed",
                "{additionalProperties: true} | {additionalProperties: false} | additional-properties-removed",
                "{} | {oneOf: [{required: [a]}]} | combination-changed",
            })
    void schemaWhenChangedIsFoundByTheRule(String before, String after, String rule) {
        assertRule(before, after, rule);
    }

    /** What crdify does not look at: pruning, formats, limits. */
    @ParameterizedTest(name = "{0} -> {1}: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "{anyOf: [{required: [a]}]} | {anyOf: [{required: [b]}]} | combination-changed",
                "{not: {required: [a]}} | {} | ''",
                "{x-kubernetes-preserve-unknown-fields: true} | {} | pruning-added",
                "{} | {x-kubernetes-preserve-unknown-fields: true} | pruning-removed",
                "{} | {x-kubernetes-embedded-resource: true} | embedded-resource-changed",
                "{type: string} | {type: string, format: uuid} | format-changed",
                "{type: string, format: date} | {type: string, format: date-time} | format-changed",
                "{type: string, format: date} | {type: string} | format-removed",
                "{type: integer} | {x-kubernetes-int-or-string: true} | type-changed",
                "{maximum: 5} | {maximum: 5, exclusiveMaximum: true} | limit-added",
                "{} | {multipleOf: 2} | limit-added",
                "{multipleOf: 2} | {multipleOf: 2.0} | ''",
                "{} | {uniqueItems: true} | limit-added",
                "{default: 1} | {default: 1.0} | ''",
                "{enum: [a]} | {} | enum-value-added",
                "{title: a, example: b} | {title: c} | ''",
                "{x-something: a} | {x-something: b} | unknown-change",
                "{type: array, items: {properties: {a: {}}}} | {type: array, items: {properties: {}}} | field-removed",
            })
    void schemaWhenLimitsOrFormatsChangeIsFoundByTheRule(String before, String after, String rule) {
        assertRule(before, after, rule);
    }

    private static void assertRule(String before, String after, String rule) {
        List<Finding> findings = compare(
                version("v1", "schema: {openAPIV3Schema: {properties: {field: " + before + "}}}"),
                version("v1", "schema: {openAPIV3Schema: {properties: {field: " + after + "}}}"));

        assertThat(findings)
                .extracting(finding -> finding.rule().id())
                .isEqualTo(rule.isEmpty() ? List.of() : List.of(rule));
    }

    @ParameterizedTest(name = "{0} -> {1}: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "{subresources: {status: {}}} | {subresources: {}} | subresource-changed",
                "{} | {subresources: {status: {}}} | subresource-changed",
                "{} | {subresources: {scale: {specReplicasPath: .spec.a}}} | ''",
                "{subresources: {scale: {specReplicasPath: .spec.a}}} | {subresources: {scale: {specReplicasPath: .spec.b}}} | subresource-changed",
                "{selectableFields: [{jsonPath: .spec.a}]} | {} | selectable-field-removed",
                "{additionalPrinterColumns: [{jsonPath: .spec.a}]} | {} | printer-column-removed",
                "{} | {served: false} | version-removed",
            })
    void versionWhenChangedIsFoundByTheRule(String before, String after, String rule) {
        List<Finding> findings = compare(versionOf("v1", before), versionOf("v1", after));

        assertThat(findings)
                .extracting(finding -> finding.rule().id())
                .isEqualTo(rule.isEmpty() ? List.of() : List.of(rule));
    }

    @Test
    void definitionWhenGoneOrRenamedIsFound() {
        Map<String, Object> before = definition("{kind: Thing, plural: things, shortNames: [t]}", "v1");
        Map<String, Object> after = definition("{kind: Item, plural: things}", "v2");

        assertThat(new CrdCompatibility(CompatibilityOptions.defaults()).compare(List.of(before), List.of()))
                .extracting(Finding::toString)
                .containsExactly(
                        "ERROR things.example.com: the definition is gone, and with it every object of the kind"
                                + " [definition-removed]");
        assertThat(new CrdCompatibility(CompatibilityOptions.defaults()).compare(List.of(before), List.of(after)))
                .extracting(Finding::toString)
                .containsExactly(
                        "ERROR things.example.com: the kind went from Thing to Item [names-changed]",
                        "WARNING things.example.com: 't' is gone from the shortNames [short-name-removed]",
                        "ERROR things.example.com v1: the version is not served any more [version-removed]",
                        "ERROR things.example.com v1: objects may be stored in this version: migrate them and keep it,"
                                + " unserved, until then [stored-version-removed]");
    }

    @Test
    void definitionWhenNewBreaksNobody() {
        assertThat(new CrdCompatibility(CompatibilityOptions.defaults())
                        .compare(List.of(), List.of(definition("{kind: Thing, plural: things}", "v1"))))
                .isEmpty();
    }

    @Test
    void severityWhenUnknownIsRefusedWithTheNames() {
        assertThatThrownBy(() -> CompatibilityOptions.defaults().withSeverities(Map.of("field-removd", "error")))
                .isInstanceOf(GeneratorException.class)
                .hasMessageStartingWith("There is no rule 'field-removd'; the rules are scope-changed, ");
        assertThatThrownBy(() -> CompatibilityOptions.defaults().withSeverities(Map.of("field-removed", "fatal")))
                .hasMessage("The severity of the rule 'field-removed' must be error, warning or ignore, was 'fatal'");
    }

    @Test
    void versionsWhenOrderedFollowKubernetesPriority() {
        assertThat(List.of("v2", "v1beta2", "v10", "v1alpha1", "v1", "foo", "v1beta10", "v2alpha1").stream()
                        .sorted(VersionPriority.ASCENDING))
                .containsExactly("foo", "v1alpha1", "v2alpha1", "v1beta2", "v1beta10", "v1", "v2", "v10");
    }

    private static List<Finding> compare(Map<String, Object> before, Map<String, Object> after) {
        return new CrdCompatibility(CompatibilityOptions.defaults())
                .compare(List.of(withVersion(before)), List.of(withVersion(after)));
    }

    private static Map<String, Object> withVersion(Map<String, Object> version) {
        return Map.of("metadata", Map.of("name", "things.example.com"), "spec", Map.of("versions", List.of(version)));
    }

    private static Map<String, Object> version(String name, String more) {
        return versionOf(name, "{" + more + "}");
    }

    private static Map<String, Object> versionOf(String name, String more) {
        Map<String, Object> version = Yaml.read("{name: " + name + ", served: true, storage: true}", "version");
        version.putAll(Yaml.read(more, "version"));
        return version;
    }

    private static Map<String, Object> definition(String names, String version) {
        return Map.of(
                "metadata", Map.of("name", "things.example.com"),
                "spec", Map.of("names", Yaml.read(names, "names"), "versions", List.of(version(version, ""))));
    }
}
