package io.github.reconciler4j.generator.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.generator.GeneratorException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class YamlTests {

    /** Texts that YAML could take for something else. */
    private static final List<String> PECULIAR = List.of(
            "yes",
            "null",
            "~",
            "1",
            "1.0",
            "0x1f",
            "1e3",
            "12:30",
            "2026-01-02",
            "a: b",
            "a #b",
            "- a",
            "'",
            "\"",
            "\\",
            "{{ x }}",
            "",
            " ",
            "a\n",
            "a\n\n",
            "\na",
            " a\nb",
            "a\nb",
            "a \nb",
            "a\tb",
            "*",
            "&a",
            "!x",
            "%",
            "@",
            "`",
            "|",
            ">",
            "?",
            ":",
            "-",
            "#",
            "---",
            "...",
            "a:",
            "<<",
            "=",
            ".5",
            "\u0085",
            "word ".repeat(40).strip(),
            ("word ".repeat(30).strip() + "\n\n").repeat(3).strip());

    @Property(tries = 3000)
    void treeWhenWrittenReadsBackTheSame(@ForAll("trees") Map<String, Object> tree) {
        assertThat(Yaml.read(Yaml.write(tree), "test")).isEqualTo(tree);
    }

    @Provide
    Arbitrary<Map<String, Object>> trees() {
        Arbitrary<String> texts = Arbitraries.oneOf(
                Arbitraries.of(PECULIAR),
                Arbitraries.strings()
                        .withChars("ab \n\t:#-'\"\\{}[],&*!|>%@`\u00e9\u2028\ufeff\u0007")
                        .ofMaxLength(150));
        Arbitrary<Object> scalars = Arbitraries.oneOf(
                texts.map(text -> (Object) text),
                Arbitraries.integers().map(number -> (Object) number),
                Arbitraries.of(true, false).map(flag -> (Object) flag));
        Arbitrary<Object> values = Arbitraries.lazyOf(
                () -> scalars,
                () -> scalars,
                () -> scalars.list().ofMaxSize(3).map(list -> (Object) list),
                () -> nested(texts, scalars).map(map -> (Object) map),
                () -> nested(texts, scalars).list().ofMaxSize(2).map(list -> (Object) list),
                () -> scalars.list().ofMaxSize(2).list().ofMaxSize(2).map(list -> (Object) list));
        return nested(texts, values);
    }

    private static Arbitrary<Map<String, Object>> nested(Arbitrary<String> keys, Arbitrary<Object> values) {
        return Arbitraries.maps(keys, values).ofMaxSize(4).map(LinkedHashMap::new);
    }

    @Test
    void textWhenWrittenIsAsPeopleWriteIt() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("plain", "apps/v1");
        tree.put("flag", "true");
        tree.put("lines", "one\ntwo\n");
        tree.put("list", List.of("a", Map.of("b", 1), List.of()));
        tree.put("expression", new Yaml.Raw("{{ .Values.replicas }}"));
        tree.put("regular", "[\\d]+\"$");

        assertThat(Yaml.write(tree)).isEqualTo("""
                plain: apps/v1
                flag: "true"
                lines: |
                  one
                  two
                list:
                - a
                - b: 1
                - []
                expression: {{ .Values.replicas }}
                regular: '[\\d]+"$'
                """);
    }

    @Test
    void numberWhenNotFiniteIsWrittenAsYamlNamesIt() {
        String text = "a: .inf\nb: -.inf\nc: .nan\n";

        assertThat(Yaml.write(Yaml.read(text, "values.yaml"))).isEqualTo(text);
    }

    @Test
    void textWhenNotYamlIsRefusedWithItsOrigin() {
        assertThatThrownBy(() -> Yaml.read("a: [", "values.yaml"))
                .isInstanceOf(GeneratorException.class)
                .hasMessageStartingWith("values.yaml is not valid YAML");
        assertThatThrownBy(() -> Yaml.read("a: 1\n---\nb: 2", "values.yaml"))
                .hasMessage("values.yaml must hold one object, holds 2");
    }

    @Test
    void textWhenNestedTooDeeplyIsRefusedWithItsOrigin() {
        assertThatThrownBy(() -> Yaml.read("a: " + "[".repeat(20_000), "values.yaml"))
                .isInstanceOf(GeneratorException.class)
                .hasMessage("values.yaml cannot be read: its lists and maps are nested too deeply");
    }

    @Test
    void textWhenItEndsWithinAnEscapeIsRefusedWithItsOrigin() {
        assertThatThrownBy(() -> Yaml.readValue("\"\\u", "an argument"))
                .isInstanceOf(GeneratorException.class)
                .hasMessageStartingWith("an argument is not valid YAML");
    }

    @Test
    void templateWhenTextsHoldBracesHasOnlyRawExpressions() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("{{key", "a {{ b }}");
        tree.put("lines", "a\n{{ b }}\n");
        tree.put("expression", new Yaml.Raw("{{ .Values.a }}"));

        assertThat(Yaml.writeTemplate(tree, 2)).isEqualTo("""
                  "{{ "{{" }}key": a {{ "{{" }} b }}
                  lines: |
                    a
                    {{ "{{" }} b }}
                  expression: {{ .Values.a }}
                """);
    }
}
