package io.github.reconciler4j.test.server.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class KnownDifferencesTests {
    private static final String HEADING = "## Known differences";

    @Test
    void documentWhenItListsDifferencesHasThoseOfTheFile() throws IOException {
        List<String> rows = KnownDifferences.read().entries().stream()
                .filter(entry -> entry.until() == 0)
                .map(KnownDifferences.Entry::row)
                .toList();

        assertThat(documented()).containsExactlyElementsOf(rows);
    }

    private static List<String> documented() throws IOException {
        return Files.readAllLines(Path.of("../docs/test-server.md")).stream()
                .dropWhile(line -> !line.equals(HEADING))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("| ") && !line.startsWith("| topic"))
                .toList();
    }

    @Test
    void differencesWhenListedHaveAPlaceThatShowsThem() {
        assertThat(KnownDifferences.read().entries())
                .allSatisfy(entry -> assertThat(entry.places()).isNotEmpty());
    }

    @Test
    void transcriptsWhenReadHaveNamesOfTheirOwnAndSteps() {
        List<Transcript> transcripts = Transcript.all();

        assertThat(transcripts).hasSizeGreaterThan(80);
        assertThat(transcripts).extracting(Transcript::id).doesNotHaveDuplicates();
        assertThat(transcripts)
                .allSatisfy(transcript -> assertThat(transcript.steps()).isNotEmpty());
    }
}
