package io.github.reconciler4j.archetype;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code mvnw}, with a download that is a program which prints its arguments. */
class MavenWrapperTests {

    private static final String MAVEN = "org/apache/maven/apache-maven/3.9.1/apache-maven-3.9.1-bin.zip";

    @TempDir
    private Path folder;

    private Path project;
    private Path download;

    @BeforeEach
    void writeProject() throws Exception {
        project = Files.createDirectories(folder.resolve("a project"));
        Files.copy(GeneratedProject.ROOT.resolve("mvnw"), executable(project.resolve("mvnw")));
        project.resolve("mvnw").toFile().setExecutable(true);
        download = folder.resolve("repository").resolve(MAVEN);
        Files.createDirectories(download.getParent());
        write("apache-maven-3.9.1/bin/mvn", "echo \"downloaded: $*\"");
        pin(download);
    }

    private static Path executable(Path path) throws IOException {
        Files.createDirectories(path.getParent());
        return path;
    }

    private void write(String entry, String script) throws IOException {
        try (OutputStream file = Files.newOutputStream(download);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write(("#!/bin/sh\n" + script + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private void pin(Path file) throws Exception {
        byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
        Files.writeString(
                executable(project.resolve(".mvn/wrapper/maven-wrapper.properties")),
                "distributionUrl=file:" + folder.resolve("repository") + "/" + MAVEN + "\ndistributionSha256Sum="
                        + HexFormat.of().formatHex(sum) + "\noldestInstalled=3.8.7\n");
    }

    /** Installs a Maven that says this version and prints its arguments. */
    private Path installed(String version) throws IOException {
        Path mvn = executable(folder.resolve("installed/bin/mvn"));
        Files.writeString(
                mvn,
                "#!/bin/sh\nif [ \"$*\" = -v ]; then printf '\\033[1mApache Maven " + version
                        + " (abc)\\033[m\\nMaven home: /x\\n'; else echo \"installed: $*\"; fi\n");
        mvn.toFile().setExecutable(true);
        return mvn.getParent().getParent();
    }

    private record Outcome(int code, String output) {}

    private Outcome run(Map<String, String> environment, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(project.resolve("mvnw").toString()));
        command.addAll(List.of(arguments));
        Path log = folder.resolve("log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().keySet().removeAll(List.of("MVNW_REPOURL", "MAVEN_OPTS"));
        builder.environment()
                .putAll(Map.of(
                        "MAVEN_USER_HOME", folder.resolve("user home").toString(),
                        "JAVA_HOME", System.getProperty("java.home"),
                        "MAVEN_HOME", folder.resolve("none").toString()));
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("mvnw ends").isTrue();
        return new Outcome(process.exitValue(), Files.readString(log));
    }

    private List<String> kept() throws IOException {
        try (Stream<Path> entries = Files.list(folder.resolve("user home/wrapper/dists/apache-maven-3.9.1"))) {
            return entries.map(entry -> entry.getFileName().toString()).toList();
        }
    }

    @Test
    void wrapperWhenMavenIsNotThereDownloadsItOnceAndPassesArguments() throws Exception {
        Outcome first = run(Map.of(), "verify", "-Dx=a b");
        Files.delete(download);
        Outcome second = run(Map.of(), "test");

        assertThat(first)
                .isEqualTo(new Outcome(0, "mvnw: downloading apache-maven-3.9.1\ndownloaded: verify -Dx=a b\n"));
        assertThat(second).isEqualTo(new Outcome(0, "downloaded: test\n"));
        assertThat(kept()).hasSize(1);
    }

    @Test
    void wrapperWhenFileHasAnotherSumNeverUsesItNorAnInstalledMaven() throws Exception {
        write("apache-maven-3.9.1/bin/mvn", "echo stolen");
        Outcome outcome = run(Map.of("MAVEN_HOME", installed("3.9.9").toString()), "verify");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.output())
                .contains("has the SHA-256 sum", "it is not used")
                .doesNotContain("stolen", "installed:");
        assertThat(kept()).isEmpty();
    }

    @Test
    void wrapperWhenFileLeavesItsFolderWritesNothingOutside() throws Exception {
        write("../../outside/mvn", "echo stolen");
        pin(download);
        assertThat(run(Map.of()).code()).isEqualTo(1);
        assertThat(kept()).isEmpty();
        assertThat(folder.resolve("user home/wrapper/dists/outside")).doesNotExist();
    }

    @Test
    void wrapperWhenDownloadFailsRunsANewEnoughMavenAndSaysSo() throws Exception {
        Files.delete(download);
        for (String version : List.of("3.8.7", "3.8.10", "3.9.0", "4.0.0-rc-4")) {
            Outcome outcome = run(Map.of("MAVEN_HOME", installed(version).toString()), "verify");
            assertThat(outcome.code()).as(version).isZero();
            assertThat(outcome.output())
                    .contains("Using the installed Maven " + version.replace("-rc-4", "") + "\ninstalled: verify\n");
        }
        assertThat(kept()).isEmpty();
    }

    @Test
    void wrapperWhenDownloadFailsAndMavenIsOldOrMissingSaysWhatToDo() throws Exception {
        Files.delete(download);
        for (String version : List.of("3.8.6", "3.6.3", "2.9.9")) {
            Outcome outcome = run(Map.of("MAVEN_HOME", installed(version).toString()), "verify");
            assertThat(outcome.code()).as(version).isEqualTo(1);
            assertThat(outcome.output())
                    .contains("the installed Maven " + version + " is too old", "install Maven 3.8.7 or newer");
        }
        Outcome missing = run(Map.of(), "verify");
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.output()).contains("Maven is not installed", "install Maven 3.8.7 or newer");
    }

    @Test
    void wrapperWhenAnotherRepositoryIsNamedDownloadsFromThere() throws Exception {
        Path other = folder.resolve("mirror").resolve(MAVEN);
        Files.createDirectories(other.getParent());
        Files.move(download, other);
        assertThat(run(Map.of("MVNW_REPOURL", "file:" + folder.resolve("mirror") + "/"), "verify"))
                .isEqualTo(new Outcome(0, "mvnw: downloading apache-maven-3.9.1\ndownloaded: verify\n"));
    }

    @Test
    void wrapperWhenThereIsNoJavaSaysSo() throws Exception {
        assertThat(run(Map.of("JAVA_HOME", "/nowhere"), "verify"))
                .isEqualTo(
                        new Outcome(
                                1,
                                "mvnw: there is no Java at '/nowhere/bin/java'. Install JDK 17 or newer, or set JAVA_HOME to its folder\n"));
    }
}
