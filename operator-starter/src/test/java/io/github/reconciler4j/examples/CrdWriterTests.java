package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The definition that the tests of the example install is the one that is generated as the guide says. */
class CrdWriterTests {

    private static final String FILE = "webpages.examples.reconciler4j.io-v1.yml";

    @Test
    void definitionWhenGeneratedIsTheOneThatIsInstalled(@TempDir Path folder) throws IOException {
        CrdWriter.main(folder.toString());

        assertThat(Files.readString(folder.resolve(FILE)))
                .isEqualTo(Files.readString(Path.of("src/test/resources/META-INF/fabric8", FILE)));
    }
}
