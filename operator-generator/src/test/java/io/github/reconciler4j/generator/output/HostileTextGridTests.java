package io.github.reconciler4j.generator.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.marcnuri.helm.Helm;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.operator.OperatorDescription;
import io.github.reconciler4j.generator.operator.OperatorReaderTests;
import io.github.reconciler4j.generator.operator.Switch;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each hostile text in each place of a definition that can hold one: Helm renders the chart to the same definition, and so do
 * the plain manifests. To add a text, add it to {@link #TEXTS}.
 */
class HostileTextGridTests {

    private static final long SEED = Long.getLong("grid.seed", 1);
    private static final String NAME = "things.example.com";

    private static final List<String> TEXTS = List.of(
            "{{ x }}",
            "{{",
            "}}",
            "{{{",
            "{{{{",
            "a{{b{{c",
            "{{- /* x */ -}}",
            "{{ \"{{\" }}",
            "{{ .Values.image }} and {{ fail \"stop\" }}",
            "`{{`",
            "@name@",
            "@labels@",
            "@annotations@ @name@",
            "$1 $name ${x} #{y}",
            "\\1 \\ \\n",
            "# no comment",
            "a: b",
            "---\nkind: Secret",
            "a\n---\nb",
            "spec:\n  a: b",
            "%YAML 1.2",
            "\t",
            "a\r\nb",
            "\u0000",
            "\u0085\u2028\u2029\ufeff",
            "\ufffe\uffff",
            "\ud83d\ude00 \ud83d\udc69\u200d\ud83d\ude80 \u202e",
            "\u00e9 \u4e2d\u6587",
            "'\"`",
            "{{ x }} ".repeat(40).strip(),
            ("word {{ y }} " + "z".repeat(130) + "\n").repeat(3));

    @TempDir
    private Path folder;

    private static List<String> texts() {
        List<String> texts = new ArrayList<>(TEXTS);
        Random random = new Random(SEED);
        for (int i = 0; i < 20; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = 0; j <= i; j++) {
                int point = random.nextInt(Character.MAX_CODE_POINT + 1);
                boolean surrogate = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
                text.append(random.nextBoolean() ? "{{" : surrogate ? "}" : Character.toString(point));
            }
            texts.add(text.toString());
        }
        return texts;
    }

    private static Map<String, Object> map(Object... entries) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            map.put((String) entries[i], entries[i + 1]);
        }
        return map;
    }

    /** A definition with every text in every place. */
    private static Map<String, Object> definition() {
        Map<String, Object> properties = new LinkedHashMap<>();
        Map<String, Object> annotations = new LinkedHashMap<>();
        List<Object> columns = new ArrayList<>();
        List<Object> rules = new ArrayList<>();
        List<String> texts = texts();
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i);
            properties.put(
                    "p" + i,
                    map(
                            "type", "string",
                            "description", text,
                            "default", text,
                            "pattern", text,
                            "enum", List.of(text),
                            "example", text));
            properties.put(text, map("type", "string"));
            annotations.put("example.com/a" + i, text);
            columns.add(map("name", text, "type", "string", "jsonPath", ".spec." + text, "description", text));
            rules.add(map("rule", "self != " + text, "message", text));
        }
        return definition(properties, annotations, columns, rules);
    }

    private static Map<String, Object> definition(
            Map<String, Object> properties, Map<String, Object> annotations, List<Object> columns, List<Object> rules) {
        Map<String, Object> schema = map("type", "object", "properties", properties, "x-kubernetes-validations", rules);
        Map<String, Object> version = map(
                "name",
                "v1",
                "served",
                true,
                "storage",
                true,
                "schema",
                map("openAPIV3Schema", schema),
                "additionalPrinterColumns",
                columns);
        return map(
                "apiVersion",
                "apiextensions.k8s.io/v1",
                "kind",
                "CustomResourceDefinition",
                "metadata",
                map("name", NAME, "annotations", annotations),
                "spec",
                map(
                        "group",
                        "example.com",
                        "scope",
                        "Namespaced",
                        "names",
                        map("kind", "Thing", "plural", "things", "singular", "thing"),
                        "versions",
                        List.of(version)));
    }

    private static Outputs outputs(Map<String, Object> definition) {
        OperatorDescription example = OperatorReaderTests.example();
        OperatorDescription described = new OperatorDescription(
                example.snapshot(), example.grants(), example.switches(), List.of(definition), example.policies());
        return new Outputs(
                described, OutputOptions.defaults().withImage("example").withVersion("1.2.3"));
    }

    private static Map<String, Object> only(String yaml) {
        List<Map<String, Object>> found = Yaml.readAll(yaml, "output").stream()
                .filter(object -> "CustomResourceDefinition".equals(object.get("kind")))
                .toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private static void check(String yaml, Map<String, Object> definition) {
        Map<String, Object> read = only(yaml);
        assertThat(read.get("spec")).isEqualTo(definition.get("spec"));
        Map<?, ?> annotations = (Map<?, ?>) ((Map<?, ?>) read.get("metadata")).get("annotations");
        Map<?, ?> expected = (Map<?, ?>) ((Map<?, ?>) definition.get("metadata")).get("annotations");
        expected.forEach((name, text) -> assertThat(annotations.get(name)).isEqualTo(text));
    }

    @Test
    void chartWhenTextsAreHostileRendersToTheSameDefinition() {
        Map<String, Object> definition = definition();
        outputs(definition).writeChart(folder);

        check(
                new Helm(folder)
                        .template()
                        .withName("demo")
                        .withNamespace("demo")
                        .withKubeVersion("1.37.2")
                        .call(),
                definition);
    }

    @Test
    void manifestsWhenTextsAreHostileHoldTheSameDefinition() throws IOException {
        Map<String, Object> definition = definition();
        outputs(definition).writeManifests(folder);

        check(Files.readString(folder.resolve("install.yaml")), definition);
    }

    @Test
    void textWhenItHasHalfOfASurrogatePairIsReplaced() {
        assertThat(Yaml.read(Yaml.write(map("a", "x\ud800y")), "test")).isEqualTo(map("a", "x\ufffdy"));
    }

    @Test
    void switchWhenItsTextsAreHostileIsRefusedOrOnOneLine() {
        for (String text : TEXTS) {
            assertThatExceptionOfType(GeneratorException.class)
                    .as(text)
                    .isThrownBy(() -> new Switch("a.b", text, "x"))
                    .withMessageContaining("The property");
        }
        for (String text : texts()) {
            assertThat(new Switch("a.b", "a.b", text).description().lines().count())
                    .as(text)
                    .isLessThanOrEqualTo(1);
        }
    }
}
