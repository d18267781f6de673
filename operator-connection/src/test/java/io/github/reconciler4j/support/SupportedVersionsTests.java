package io.github.reconciler4j.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SupportedVersionsTests {

    private static final int CASES = Integer.getInteger("versions.cases", 300);

    @TempDir
    private Path folder;

    @Test
    void checkWhenLibrariesAreThoseOfThisBuildPasses() {
        assertThatCode(SupportedVersions::check).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"4.0.0", "4.1", "4.1.1", "4.1.2-SNAPSHOT", "4.0.0.RELEASE", "unspecified", "4", "", "4.x"})
    void checkWhenVersionIsOfALineOrNoneAtAllPasses(String version) throws IOException {
        write("4.0 4.1", version);

        check();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.5.7", "4.2.0", "4.10.1", "4.11", "14.1.0", "5.0.0-M1", "0.4.1", "40.1"})
    void checkWhenVersionIsOfAnotherLineSaysWhatToChange(String version) throws IOException {
        write("4.0 4.1", version);

        assertThatThrownBy(this::check)
                .isInstanceOf(UnsupportedVersionException.class)
                .hasMessage("com.example:library has the version " + version
                        + ", but Reconciler4j works with 4.0 and 4.1 (R4J-050). Write it");
    }

    @Test
    void checkWhenManyLinesWorkNamesTheFirstAndTheLast() throws IOException {
        write("7.4 7.5 7.6", "8.0.0");

        assertThatThrownBy(this::check).hasMessageContaining("works with 7.4 to 7.6 (R4J-050). ");
    }

    @Test
    void checkWhenOneLineWorksNamesIt() throws IOException {
        write("7.4", "8.0.0");

        assertThatThrownBy(this::check).hasMessageContaining("works with 7.4 (R4J-050). ");
    }

    @Test
    void checkWhenTheJarHasNoVersionPasses() throws IOException {
        write("4.0", null);

        check();
    }

    @Test
    void checkWhenAnyVersionIsDrawnRefusesExactlyThoseOfOtherLines() throws IOException {
        long seed = Long.getLong("versions.seed", 1);
        Random random = new Random(seed);
        for (int i = 0; i < CASES; i++) {
            int major = random.nextInt(12);
            int first = random.nextInt(12);
            int last = first + random.nextInt(4);
            StringBuilder lines = new StringBuilder();
            for (int minor = first; minor <= last; minor++) {
                lines.append(minor == first ? "" : " ")
                        .append(major)
                        .append('.')
                        .append(minor);
            }
            int foundMajor = random.nextBoolean() ? major : random.nextInt(120);
            int foundMinor = random.nextInt(120) % (random.nextBoolean() ? 16 : 120);
            String found =
                    foundMajor + "." + foundMinor + new String[] {"", ".7", "-RC1", ".1.Final"}[random.nextInt(4)];
            write(lines.toString(), found);

            assertThat(refused())
                    .as("seed %s, case %s: %s with the lines %s", seed, i, found, lines)
                    .isEqualTo(foundMajor != major || foundMinor < first || foundMinor > last);
        }
    }

    @Test
    void filesOfThisBuildNameTheVersionsThatItIsCompiledWith() throws IOException {
        String pom = Files.readString(Path.of("../pom.xml"));
        for (String[] each : new String[][] {
            {"../operator-connection", "fabric8", "fabric8.version"},
            {"../operator-starter", "boot", "spring-boot.version"}
        }) {
            Properties file = new Properties();
            file.load(Files.newBufferedReader(Path.of(each[0], "src/main/resources", SupportedVersions.FILE)));
            String version = pom.split("<" + each[2] + ">", 2)[1].split("<", 2)[0];
            assertThat(file.getProperty(each[1] + ".fix")).contains("<version>" + version + "</version>");
            assertThat(file.getProperty(each[1] + ".lines").split(" "))
                    .contains(version.substring(0, version.lastIndexOf('.')));
        }
    }

    private boolean refused() {
        try {
            check();
            return false;
        } catch (UnsupportedVersionException e) {
            return true;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void check() throws IOException {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, null)) {
            SupportedVersions.check(loader);
        }
    }

    private void write(String lines, String version) throws IOException {
        Path file = folder.resolve(SupportedVersions.FILE);
        Files.createDirectories(file.getParent());
        Files.writeString(
                file,
                "library = com.example:library\nlibrary.class = com.example.None\nlibrary.fix = Write it\nlibrary.lines = "
                        + lines);
        Path found = folder.resolve("META-INF/maven/com.example/library/pom.properties");
        Files.createDirectories(found.getParent());
        Files.writeString(
                found, Optional.ofNullable(version).map(its -> "version=" + its).orElse(""));
    }
}
