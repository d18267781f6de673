package io.github.reconciler4j.archetype;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code dev/vulnerabilities} finds a vulnerable library in a list, whatever form the advisories have. Needs Python. */
@Tag("whole")
@Timeout(120)
class VulnerabilitiesIntegrationTests {

    private static final String TABLE = """
            CVE-2021-44228,2021-12-10T00:40:56Z,"Remote code injection, in Log4j",org.apache.logging.log4j:log4j-core,2.13.0,2.15.0,,CRITICAL,CWE-20
            CVE-2021-44228,2021-12-10T00:40:56Z,"Remote code injection, in Log4j",org.apache.logging.log4j:log4j-core,0,,2.0-beta8,CRITICAL,CWE-20
            """;
    private static final String OSV = """
            {"id": "GHSA-jfh8-c2jp-5v3q", "aliases": ["CVE-2021-44228"], "modified": "2021-12-10T00:40:56Z", "summary": "Code injection",
             "affected": [
              {"package": {"ecosystem": "npm", "name": "org.apache.logging.log4j:log4j-core"}, "versions": ["2.25.0"]},
              {"package": {"ecosystem": "Maven", "name": "org.apache.logging.log4j:log4j-core"},
               "ranges": [{"type": "ECOSYSTEM", "events": [
                {"introduced": "0"}, {"last_affected": "2.0-beta8"}, {"introduced": "2.13.0"}, {"fixed": "2.15.0"}]}]}]}
            """;

    @TempDir
    Path folder;

    private record Run(int code, String output) {}

    private Run run(String version, String advisories, String content) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("bom.json"), """
                {"components": [
                 {"group": "org.apache.logging.log4j", "name": "log4j-core", "version": "%s"},
                 {"group": "org.apache.logging.log4j", "name": "log4j-api", "version": "2.14.1"}]}
                """.formatted(version));
        Path file = Files.writeString(folder.resolve(advisories), content);
        Process process = new ProcessBuilder("dev/vulnerabilities", "--libraries", folder.toString(), file.toString())
                .directory(GeneratedProject.ROOT.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(output).isTrue();
        return new Run(process.exitValue(), output);
    }

    @ParameterizedTest
    @CsvSource({
        "2.14.1, true",
        "2.15.0-rc1, true",
        "2.13, true",
        "2.0-beta8, true",
        "1.2, true",
        "2.0-beta9, false",
        "2.12.4, false",
        "2.15.0, false",
        "2.15, false",
        "2.25.0, false"
    })
    void libraryWhenInAnAffectedRangeIsReported(String version, boolean affected) throws Exception {
        for (Run run : new Run[] {run(version, "advisories-maven.csv", TABLE), run(version, "entry.json", OSV)}) {
            assertThat(run.code()).as(run.output()).isEqualTo(affected ? 1 : 0);
            assertThat(run.output()).contains("2 libraries in 1 lists", affected ? "1 problems" : "0 problems");
            if (affected) {
                assertThat(run.output())
                        .contains("VULNERABLE org.apache.logging.log4j:log4j-core:" + version + " has CVE-2021-44228");
            }
        }
    }

    @Test
    void checkWhenThereIsNoAdvisoryFails() throws Exception {
        Run run = run("2.14.1", "advisories-maven.csv", "");
        assertThat(run.code()).as(run.output()).isEqualTo(1);
        assertThat(run.output()).contains("0 advisories");
    }
}
