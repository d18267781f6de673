package io.github.reconciler4j.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.generator.operator.OperatorReaderTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Collection;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiDocsTests {

    private final Collection<Map<String, Object>> definitions =
            OperatorReaderTests.example().definitions();

    @TempDir
    private Path folder;

    @Test
    void pageWhenWrittenAgainLeavesTheFileAlone() throws IOException {
        Path file = folder.resolve("docs/api.md");
        ApiDocs.write(file, definitions, false, false);
        assertThat(file).content().startsWith("# API\n").contains("## Age v1");
        FileTime longAgo = FileTime.fromMillis(1000);
        Files.setLastModifiedTime(file, longAgo);

        ApiDocs.write(file, definitions, false, false);
        ApiDocs.write(file, definitions, true, false);

        assertThat(Files.getLastModifiedTime(file)).isEqualTo(longAgo);
    }

    @Test
    void checkWhenThePageIsOldFailsAndWritesNothing() {
        Path file = folder.resolve("api.md");

        assertThatThrownBy(() -> ApiDocs.write(file, definitions, true, false))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContaining(file + " is not up to date");
        assertThat(file).doesNotExist();
    }

    @Test
    void pageOfPeopleIsOverwrittenWithForceOnly() throws IOException {
        Path file = Files.writeString(folder.resolve("api.md"), "# Our API\n");

        assertThatThrownBy(() -> ApiDocs.write(file, definitions, false, false))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContainingAll("--api-docs", "R4J-730");
        assertThat(file).hasContent("# Our API");

        ApiDocs.write(file, definitions, false, true);
        assertThat(file).content().startsWith("# API\n");
    }
}
