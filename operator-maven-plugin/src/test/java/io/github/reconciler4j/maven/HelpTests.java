package io.github.reconciler4j.maven;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the goal {@code help} prints names goals, properties and annotations as users write them. */
class HelpTests {

    private static final Path DESCRIPTOR =
            Path.of("target/classes/META-INF/maven/io.github.reconciler4j/reconciler4j-maven-plugin/plugin-help.xml");

    private static final Pattern DESCRIPTION = Pattern.compile("<description>(.*?)</description>", Pattern.DOTALL);

    private static final Pattern RESIDUE = Pattern.compile("Mojo|\\{@|java\\.|io\\.github|@link|@see|#\\w+\\(");

    private static List<String> descriptions() throws IOException {
        return DESCRIPTION
                .matcher(Files.readString(DESCRIPTOR, StandardCharsets.UTF_8))
                .results()
                .map(found -> found.group(1).strip())
                .toList();
    }

    @Test
    void descriptionsHaveNoNamesOfClassesAndNoTags() throws IOException {
        assertThat(descriptions()).hasSizeGreaterThan(40).allSatisfy(text -> {
            assertThat(text).isNotBlank();
            assertThat(RESIDUE.matcher(text).results().map(MatchResult::group))
                    .as(text)
                    .isEmpty();
        });
    }
}
