package io.github.reconciler4j.generator.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.generator.Golden;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ApiPageTests {

    private static final Path SAMPLE =
            Path.of("../charts/sample-operator/templates/crds/webapps.apps.reconciler4j.io.yaml");

    static Map<String, Object> shapes() throws IOException {
        return Yaml.read(Files.readString(Path.of("src/test/resources/docs/shapes.yaml")), "shapes.yaml");
    }

    private static Map<String, Object> webApps() throws IOException {
        String text = Files.readAllLines(SAMPLE).stream()
                .filter(line -> !line.contains("{{"))
                .collect(Collectors.joining("\n"));
        return Yaml.read(text, SAMPLE.toString());
    }

    /** The build of the sample writes the page too. */
    @Test
    void pageOfTheSampleIsTheOneInItsFolder() throws IOException {
        String page = new ApiPage(List.of(webApps())).markdown();

        Path copy = Path.of("target/golden/docs/api.md");
        Files.createDirectories(copy.getParent());
        Files.writeString(copy, page);
        assertThat(Path.of("../sample-operator/docs/api.md")).content().isEqualTo(page);
    }

    @Test
    void pageOfAllShapesIsAsReviewed() throws IOException {
        Golden.check("docs/shapes.md", new ApiPage(List.of(shapes())).markdown());
    }

    @Test
    void pageWhenDefinitionsComeInAnotherOrderHasTheSameBytes() throws IOException {
        List<Map<String, Object>> definitions = new ArrayList<>(List.of(shapes(), webApps()));
        String page = new ApiPage(definitions).markdown();

        Collections.reverse(definitions);
        definitions.replaceAll(definition -> reversed(definition));

        assertThat(new ApiPage(definitions).markdown()).isEqualTo(page);
    }

    private static Map<String, Object> reversed(Map<?, ?> tree) {
        List<Map.Entry<?, ?>> entries = new ArrayList<>(tree.entrySet());
        Collections.reverse(entries);
        Map<String, Object> reversed = new LinkedHashMap<>();
        entries.forEach(entry -> reversed.put(
                String.valueOf(entry.getKey()),
                entry.getValue() instanceof Map<?, ?> map && !"default".equals(entry.getKey())
                        ? reversed(map)
                        : entry.getValue()));
        return reversed;
    }

    @Test
    void linksLeadToAnchorsOfThePage() throws IOException {
        String page = new ApiPage(List.of(shapes(), webApps())).markdown();

        List<String> anchors = all(page, "<a id=\"([^\"]*)\">");
        assertThat(anchors).doesNotHaveDuplicates().contains("example.com/v1/Shape/spec/ports/options");
        assertThat(new TreeSet<>(all(page, "\\]\\(#([^)]*)\\)"))).isEqualTo(new TreeSet<>(anchors));
    }

    private static List<String> all(String page, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(page);
        return matcher.results().map(match -> match.group(1)).toList();
    }

    @Test
    void pageWithoutKindsHasNone() {
        assertThat(new ApiPage(List.of()).markdown())
                .isEqualTo(
                        "# API\n\n<!-- Generated from the definitions of the operator. Changes are overwritten. -->\n\n"
                                + "| Kind | API version | Scope | Resource |\n|---|---|---|---|\n");
    }
}
