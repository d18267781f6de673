package io.github.reconciler4j.generator.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Random schemas with hostile texts: each table keeps its columns, and each description reads as it was written. */
class HostilePageTests {

    private static final long SEED = Long.getLong("grid.seed", 1);
    private static final int PAGES = 300;

    private static final List<String> PARTS = List.of(
            "|",
            "\\|",
            "\\",
            "\\\\",
            "`",
            "``",
            "```",
            "<b>",
            "</td>",
            "<!--",
            "-->",
            "<script>",
            "&#124;",
            "&amp;",
            "&",
            "\n",
            "\r\n",
            "\r",
            "\n\n",
            "\u2028",
            "\u0085",
            "\t",
            "\u0000",
            "\u202e",
            "*",
            "_",
            "[x](y)",
            "![",
            "]",
            "(#a)",
            "~~",
            "# ",
            "- ",
            "1. ",
            "> ",
            "---",
            "| a | b |",
            "$x$",
            "word",
            " ",
            "é",
            "\ud83d\ude00",
            "\ud800",
            "</code>",
            "^(a|b)\\d$");

    private final Random random = new Random(SEED);

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(8); i >= 0; i--) {
            text.append(PARTS.get(random.nextInt(PARTS.size())));
        }
        return text.toString();
    }

    private Map<String, Object> schema(int depth) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("description", text());
        int shape = random.nextInt(depth > 2 ? 2 : 5);
        schema.put(
                "type",
                List.of("string", "integer", "object", "array", "object").get(shape));
        switch (shape) {
            case 2 -> {
                Map<String, Object> properties = new LinkedHashMap<>();
                for (int i = random.nextInt(3); i >= 0; i--) {
                    properties.put(text(), schema(depth + 1));
                }
                schema.put("properties", properties);
                schema.put("required", List.copyOf(properties.keySet()));
            }
            case 3 -> schema.put("items", schema(depth + 1));
            case 4 -> schema.put("additionalProperties", schema(depth + 1));
            default -> {
                schema.put("pattern", text());
                schema.put("format", text());
                schema.put("enum", List.of(text(), text()));
                schema.put("default", random.nextBoolean() ? text() : Map.of(text(), text()));
            }
        }
        schema.put("x-kubernetes-validations", List.of(Map.of("rule", text(), "message", text())));
        return schema;
    }

    private Map<String, Object> definition(Map<String, Object> schema) {
        Map<String, Object> version = new LinkedHashMap<>();
        version.put("name", "v1");
        version.put("deprecated", true);
        version.put("deprecationWarning", text());
        version.put("schema", Map.of("openAPIV3Schema", schema));
        version.put(
                "additionalPrinterColumns",
                List.of(Map.of("name", text(), "type", "string", "jsonPath", text(), "description", text())));
        return Map.of(
                "metadata", Map.of("name", "things.example.com"),
                "spec",
                        Map.of(
                                "group",
                                "example.com",
                                "scope",
                                "Namespaced",
                                "names",
                                Map.of("kind", "Thing", "plural", "things", "shortNames", List.of(text())),
                                "versions",
                                List.of(version)));
    }

    @Test
    void tablesKeepTheirColumns() {
        for (int i = 0; i < PAGES; i++) {
            Map<String, Object> schema = new LinkedHashMap<>();
            schema.put("type", "object");
            schema.put("description", text());
            schema.put("properties", Map.of("spec", schema(0), text(), schema(0)));
            String page = new ApiPage(List.of(definition(schema))).markdown();
            int columns = 0;
            for (String line : page.split("\\R", -1)) {
                assertThat(line).as(page).matches("(\\| .*|\\|---.*|<a id=.*|#{1,3} .*|- .*|<!-- .*-->|[^|#<>-].*|)");
                boolean row = line.startsWith("|");
                int count = row ? line.length() - line.replace("|", "").length() - 1 : 0;
                if (row && columns > 0) {
                    assertThat(count).as(line).isEqualTo(columns);
                } else {
                    assertThat(line.chars()
                                    .filter(character -> character == '|')
                                    .count())
                            .as(line)
                            .isEqualTo(row ? count + 1 : 0);
                }
                columns = count;
            }
            assertThat(page.codePoints()).noneMatch(point -> point < ' ' && point != '\n' || point == 0x202e);
        }
    }

    @Test
    void textReadsAsItWasWritten() {
        for (int i = 0; i < PAGES * 10; i++) {
            String text = text();
            assertThat(shown(Markdown.text(text))).as(text).isEqualTo(expected(text));
        }
    }

    /** What a reader sees of a cell: an independent and smaller reading of Markdown. */
    private static String shown(String cell) {
        List<String> lines = new ArrayList<>();
        for (String line : cell.split("<br>", -1)) {
            assertThat(line).doesNotContain("<", "|").doesNotContainPattern("(?<!\\\\)(\\\\\\\\)*[`*_\\[\\]]");
            lines.add(line.replaceAll("\\\\([!-/:-@\\[-`{-~])", "$1")
                    .replace("&lt;", "<")
                    .replace("&gt;", ">")
                    .replace("&#124;", "|")
                    .replace("&amp;", "&"));
        }
        return String.join("\n", lines);
    }

    private static String expected(String text) {
        String broken =
                text.strip().replaceAll("\\r\\n|[\\r\\u2028\\u0085]", "\n").replaceAll("\\n+$", "");
        String[] lines = broken.split("\n");
        StringBuilder expected = new StringBuilder();
        for (String line : lines) {
            expected.append(expected.isEmpty() ? "" : "\n")
                    .append(Pattern.compile("[\\u0000\\u202e\\ud800]")
                            .matcher(line.strip().replace('\t', ' '))
                            .replaceAll(""));
        }
        return expected.toString();
    }

    @Test
    void codeHasNoCharacterThatEndsItOrItsCell() {
        for (int i = 0; i < PAGES * 10; i++) {
            String code = Markdown.code(text());
            assertThat(code).doesNotContain("|", "\n", "\r");
            assertThat(code).matches("`[^`\\\\]+`|<code>[^`<>\\\\]*</code>");
        }
    }
}
