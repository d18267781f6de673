package io.github.reconciler4j.archetype;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The dry run of a release passes: two builds with the same bytes, the rules of Maven Central, and a project of a user that is built
 * from the release alone. Takes minutes, and needs Git, Python and GnuPG: with {@code -Pnightly} or {@code -Drelease=true}.
 */
@EnabledIfSystemProperty(named = "release", matches = "true")
class ReleaseIntegrationTests {

    @Test
    void releaseWhenDryPassesAllSteps() throws Exception {
        Path log = Files.createDirectories(Path.of("target")).resolve("release.log");
        Process release = new ProcessBuilder("dev/release", "--dry-run")
                .directory(GeneratedProject.ROOT.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(release.waitFor(60, TimeUnit.MINUTES)).as("the dry run ends").isTrue();
        String output = Files.readString(log);
        System.err.println(output);

        assertThat(release.exitValue()).as(output).isZero();
        assertThat(output)
                .containsPattern("[1-9][0-9] files, 0 differ")
                .containsPattern("[1-9][0-9]? components, 0 rules broken")
                .containsPattern("[1-9][0-9]+ advisories up to [0-9-]+, 0 problems")
                .contains("all from the file repository", "Tests run: 1, Failures: 0")
                .contains("Dry run of ");
    }
}
