package io.github.reconciler4j.archetype;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The check of Maven Central's rules accepts a small component and notices what is wrong with it, and a release stops at
 * placeholders. Needs Git, Python and GnuPG.
 */
@Tag("whole")
@Timeout(120)
class CentralRulesIntegrationTests {

    private static final String BASE = "reconciler4j-core-1.0.0";
    private static final String POM = """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <groupId>io.github.reconciler4j</groupId><artifactId>reconciler4j-core</artifactId><version>1.0.0</version>
              <name>n</name><description>d</description><url>https://u.invalid</url>
              <licenses><license><name>Apache-2.0</name><url>https://l.invalid</url></license></licenses>
              <developers><developer><name>n</name><email>e</email></developer></developers>
              <scm><connection>c</connection><developerConnection>d</developerConnection><url>u</url></scm>
              <dependencies><dependency><artifactId>a</artifactId><version>1</version></dependency></dependencies>
            </project>
            """;
    private static final String BOM = """
            <project xmlns="http://maven.apache.org/POM/4.0.0"><artifactId>reconciler4j-core</artifactId></project>
            """;

    @TempDir
    private Path folder;

    private Path keys;
    private Path component;

    @BeforeEach
    void createComponent() throws Exception {
        keys = Files.createTempDirectory("keys"); // a short path, for the socket of the agent
        run(
                "gpg",
                "--batch",
                "--passphrase",
                "",
                "--quick-generate-key",
                "Test <t@t.invalid>",
                "ed25519",
                "sign",
                "never");
        component =
                Files.createDirectories(folder.resolve("repository/io/github/reconciler4j/reconciler4j-core/1.0.0"));
        add(BASE + ".pom", POM.getBytes());
        add(BASE + "-cyclonedx.json", "{}".getBytes());
        for (String classifier : List.of("", "-sources", "-javadoc")) {
            Path jar = folder.resolve("jar");
            try (OutputStream out = Files.newOutputStream(jar);
                    JarOutputStream entries = new JarOutputStream(out)) {
                entries.putNextEntry(new ZipEntry("a"));
            }
            add(BASE + classifier + ".jar", Files.readAllBytes(jar));
        }
        Files.writeString(folder.resolve("bom.xml"), BOM);
    }

    @AfterEach
    void stopAgent() throws Exception {
        run("gpgconf", "--kill", "gpg-agent");
    }

    /** Adds a file with its signature and its sums. */
    private void add(String name, byte[] content) throws Exception {
        Path file = Files.write(component.resolve(name), content);
        Files.deleteIfExists(component.resolve(name + ".asc"));
        run("gpg", "--batch", "--armor", "--detach-sign", file.toString());
        for (Map.Entry<String, String> sum :
                Map.of("md5", "MD5", "sha1", "SHA-1").entrySet()) {
            byte[] digest = MessageDigest.getInstance(sum.getValue()).digest(content);
            String text = String.format("%0" + 2 * digest.length + "x", new BigInteger(1, digest));
            Files.writeString(component.resolve(name + "." + sum.getKey()), text);
        }
    }

    @Test
    void componentWhenCompleteBreaksNoRule() throws Exception {
        assertThat(check()).contains(BASE + ": 5 files, 0 rules broken").endsWith("1 components, 0 rules broken\n");
    }

    @ParameterizedTest
    @CsvSource({
        ".pom.asc, .pom.asc is missing",
        ".jar.md5, .jar.md5 is missing",
        "-sources.jar, -sources.jar is missing",
        "-javadoc.jar, -javadoc.jar is missing",
        "-cyclonedx.json, the list of libraries (SBOM) is missing"
    })
    void componentWhenAFileIsMissingIsRefused(String deleted, String problem) throws Exception {
        Files.delete(component.resolve(BASE + deleted));

        assertThat(check()).contains(problem).doesNotContain(", 0 rules broken");
    }

    @Test
    void componentWhenAFileChangedAfterItsSignatureIsRefused() throws Exception {
        Files.writeString(component.resolve(BASE + "-cyclonedx.json"), "{ }");

        assertThat(check())
                .contains(
                        "cyclonedx.json.asc is not a valid signature",
                        "cyclonedx.json.sha1 is not the sum of the file");
    }

    @ParameterizedTest
    @CsvSource({
        "<email>e</email>, '', the POM has no developers/developer/email",
        "<name>n</name>, '', the POM has no name",
        "https://u.invalid, ${release.url}, 'the POM contains ${release.url}, which nothing resolves'",
        "https://u.invalid, CHANGE-ME, the POM contains a placeholder",
        "<version>1</version>, <version>1-SNAPSHOT</version>, a has the version '1-SNAPSHOT'",
        "<version>1.0.0</version>, <version>1.0.1</version>, the version is '1.0.1'"
    })
    void componentWhenThePomIsIncompleteIsRefused(String from, String to, String problem) throws Exception {
        add(BASE + ".pom", POM.replace(from, to).getBytes());

        assertThat(check()).contains(problem.replace("''", "'")).doesNotContain(", 0 rules broken");
    }

    @Test
    void releaseWhenValuesArePlaceholdersStopsAtTheFirstStep() throws Exception {
        String output = run("dev/release");

        assertThat(output)
                .contains("release.properties has placeholders", "release.key", "the step 'Set the values' failed");
        assertThat(output).doesNotContain("== Check the tree");
    }

    private String check() throws Exception {
        return run(
                "python3",
                "dev/lib/release/central_rules.py",
                folder.resolve("repository").toString(),
                "1.0.0",
                folder.resolve("bom.xml").toString());
    }

    /** Runs a program in the root folder and returns what it printed. */
    private String run(String... command) throws IOException, InterruptedException {
        Path log = folder.resolve("log");
        ProcessBuilder builder = new ProcessBuilder(Stream.of(command).toList())
                .directory(GeneratedProject.ROOT.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("GNUPGHOME", keys.toString());
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(command[0]).isTrue();
        return Files.readString(log);
    }
}
