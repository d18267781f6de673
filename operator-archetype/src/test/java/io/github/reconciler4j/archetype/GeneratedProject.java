package io.github.reconciler4j.archetype;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * A project that the archetype generates in an empty folder. Dependencies come from a local repository that links to that of
 * the user and adds the modules of this build.
 */
final class GeneratedProject {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String VERSION = "0.1.0-SNAPSHOT";
    private static final Map<String, String> MODULES = Map.of(
            "operator-bom", "reconciler4j-bom",
            "operator-framework", "reconciler4j-core",
            "operator-starter", "reconciler4j-spring-boot-starter",
            "operator-test", "reconciler4j-test",
            "operator-test-server", "reconciler4j-test-server",
            "operator-generator", "reconciler4j-generator",
            "operator-maven-plugin", "reconciler4j-maven-plugin",
            "operator-archetype", "reconciler4j-archetype");

    private final Path folder;
    private final Path repository;

    private GeneratedProject(Path folder) throws IOException {
        this.folder = folder;
        repository = Files.createDirectories(folder.resolve("repository"));
        link();
        install(ROOT.resolve("pom.xml"), "reconciler4j", ROOT.resolve("none"));
        for (Map.Entry<String, String> module : MODULES.entrySet()) {
            Path source = ROOT.resolve(module.getKey());
            install(source.resolve("pom.xml"), module.getValue(), source.resolve("target/classes"));
        }
    }

    /** Generates a project with the kind Greeting. */
    static GeneratedProject generate(Path folder) throws Exception {
        GeneratedProject project = new GeneratedProject(folder);
        project.maven(
                folder,
                "org.apache.maven.plugins:maven-archetype-plugin:3.4.0:generate",
                "-DinteractiveMode=false",
                "-DarchetypeCatalog=local",
                "-DarchetypeGroupId=io.github.reconciler4j",
                "-DarchetypeArtifactId=reconciler4j-archetype",
                "-DarchetypeVersion=" + VERSION,
                "-DgroupId=com.example",
                "-DartifactId=greetings",
                "-Dgroup=greetings.example.com",
                "-Dkind=Greeting");
        return project;
    }

    /** Returns the folder of the project. */
    Path path() {
        return folder.resolve("greetings");
    }

    /** Runs Maven in the project and returns what it printed. */
    String maven(String... arguments) throws Exception {
        return maven(path(), arguments);
    }

    /** Links everything but the artifacts of this build, so that downloads are shared with other builds. */
    private void link() throws IOException {
        Path users = Path.of(System.getProperty("user.home"), ".m2", "repository");
        Path originals = Path.of(System.getProperty("localRepository", users.toString()));
        Path links = repository;
        for (String next : List.of("io", "github", "reconciler4j")) {
            try (Stream<Path> entries = Files.list(Files.createDirectories(originals))) {
                for (Path entry : entries.toList()) {
                    String name = entry.getFileName().toString();
                    if (!name.equals(next)) {
                        Files.createSymbolicLink(links.resolve(name), entry);
                    }
                }
            }
            links = Files.createDirectories(links.resolve(next));
            originals = originals.resolve(next);
        }
    }

    private void install(Path pom, String artifact, Path classes) throws IOException {
        Path target = Files.createDirectories(
                repository.resolve("io/github/reconciler4j").resolve(artifact).resolve(VERSION));
        Files.copy(pom, target.resolve(artifact + "-" + VERSION + ".pom"));
        if (!Files.isDirectory(classes)) {
            return;
        }
        try (OutputStream file = Files.newOutputStream(target.resolve(artifact + "-" + VERSION + ".jar"));
                JarOutputStream jar = new JarOutputStream(file);
                Stream<Path> entries = Files.walk(classes)) {
            for (Path entry : entries.filter(Files::isRegularFile).toList()) {
                jar.putNextEntry(
                        new ZipEntry(classes.relativize(entry).toString().replace('\\', '/')));
                Files.copy(entry, jar);
            }
        }
    }

    /** Returns a command line of Maven. */
    List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of("mvn", "-B", "-ntp", "-Dmaven.repo.local=" + repository));
        command.addAll(List.of(arguments));
        return command;
    }

    private String maven(Path directory, String... arguments) throws Exception {
        Path log = Files.createTempFile(folder, "maven", ".log");
        Process build = new ProcessBuilder(command(arguments))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(build.waitFor(15, TimeUnit.MINUTES)).as("the build ends").isTrue();
        String text = Files.readString(log);
        assertThat(build.exitValue()).as(text).isZero();
        return text;
    }
}
