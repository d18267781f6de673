package io.github.reconciler4j.generator.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.Main;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Trains an operator from plain jars with the Java that runs the tests: 17 and, in a second run, 25. */
@Execution(ExecutionMode.SAME_THREAD)
class TrainingTests {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final List<String> UNUSED = List.of("spring-", "tomcat-", "linux-", "logback-");

    /** The trainer, whose libraries are those of the application, too. */
    @TempDir
    private static Path trainer;

    @TempDir
    private static Path definitions;

    @TempDir
    private Path folder;

    private final List<String> progress = new ArrayList<>();

    @BeforeAll
    static void writeLibraries() {
        List<String> arguments = new ArrayList<>(List.of("aot-trainer", "--out", trainer.toString()));
        UNUSED.forEach(name -> arguments.addAll(List.of("--exclude", name)));
        assertThat(Main.run(arguments.toArray(String[]::new))).isZero();
        assertThat(Main.run(
                        "crds",
                        "--kind",
                        TrainedOperator.Note.class.getName(),
                        "--sources",
                        "src/test/java",
                        "--out",
                        definitions.toString()))
                .isZero();
    }

    @Test
    void operatorWhenTrainedStartsWithTheCacheAndWithoutOneThatDoesNotFit() throws Exception {
        Path application = application(TrainedOperator.class.getName());
        Path examples = Files.createDirectories(folder.resolve("examples"));
        Files.writeString(examples.resolve("note.yaml"), """
                        apiVersion: example.com/v1
                        kind: Note
                        metadata: {name: old, namespace: elsewhere}
                        spec: {text: hello}
                        ---
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: settings}
                        """);

        Training.Result result =
                training(TrainingOptions.defaults().withExamples(examples)).run(application, folder);

        assertThat(result.jar()).isEqualTo(application);
        assertThat(result.cache()).isRegularFile().hasParent(application.getParent());
        assertThat(progress.get(progress.size() - 1))
                .matches("Trained with 1 definition; the application wrote [2-9] objects");
        assertThat(progress).noneMatch(line -> line.startsWith("Warning"));
        assertThat(result.options()).hasSize(1);
        assertThat(greet(application, result.options().get(0))).containsExactly("Hello");

        Files.setLastModifiedTime(application, FileTime.fromMillis(0));
        assertThat(greet(application, result.options().get(0)))
                .endsWith("Hello")
                .first(InstanceOfAssertFactories.STRING)
                .containsPattern("\\[(warning|error) *]\\[(cds|aot)");
        Files.write(result.cache(), new byte[100]);
        assertThat(greet(application, result.options().get(0))).endsWith("Hello");
        Files.delete(result.cache());
        assertThat(greet(application, result.options().get(0))).endsWith("Hello");
    }

    @Test
    void applicationWhenProcessedAheadOfTimeIsTrainedAsLaterStartsAre() throws Exception {
        String main = TrainedOperator.class.getName();
        Path application = application(main, main.replace('.', '/') + "__ApplicationContextInitializer.class");

        Training.Result result = training(TrainingOptions.defaults().withProperties(Map.of("requireProcessed", "true")))
                .run(application, folder);

        assertThat(result.options()).hasSize(2).last().isEqualTo("-Dspring.aot.enabled=true");
    }

    @Test
    void applicationWhenItPollsForeverIsTrained() throws Exception {
        TrainingOptions options = TrainingOptions.defaults().withProperties(Map.of("behavior", "poll"));

        Training.Result result = training(options).run(application(TrainedOperator.class.getName()), folder);

        assertThat(result.cache()).isRegularFile();
    }

    @Test
    void exampleWhenRefusedIsReportedAndTheRestIsTrained() throws Exception {
        Path application = application(TrainedOperator.class.getName());
        Path examples = Files.createDirectories(folder.resolve("examples"));
        Files.writeString(examples.resolve("secret.yaml"), """
                        apiVersion: v1
                        kind: Secret
                        metadata: {name: Not-A-Name}
                        stringData: {password: verysecret}
                        """);

        training(TrainingOptions.defaults().withExamples(examples)).run(application, folder);

        assertThat(progress)
                .anyMatch(line -> line.startsWith("Warning: An API server refuses the example of Secret"))
                .noneMatch(line -> line.contains("verysecret"));
    }

    @Test
    void applicationWhenMissingOrNotExecutableIsRefused() throws Exception {
        assertFails(folder.resolve("none.jar"), "There is no ", "none.jar: package the application first");
        assertFails(application(null), "is not executable: its manifest has no Main-Class");
        Path text = Files.writeString(folder.resolve("text.jar"), "text");
        assertFails(text, "text.jar is not a jar: ");
    }

    @Test
    void javaWhenTooOldOrNoneIsRefused() throws Exception {
        Path application = application(TrainedOperator.class.getName());
        Path old = script("echo '    java.specification.version = 11'");
        assertFails(
                TrainingOptions.defaults().withJava(old),
                application,
                " has version 11. A cache for later starts needs Java 17");
        Path other = script("echo 'Hello'");
        assertFails(TrainingOptions.defaults().withJava(other), application, " is not a Java that prints its version");
        assertFails(
                TrainingOptions.defaults().withJava(folder.resolve("no-java")), application, "Cannot run ", "no-java");
    }

    @Test
    void applicationWhenItEndsIsReportedWithItsLastLines() throws Exception {
        assertFails(
                TrainingOptions.defaults().withProperties(Map.of("behavior", "fail")),
                application(TrainedOperator.class.getName()),
                "  The port is taken\n",
                "ended with exit code 3 before the application has reconciled");
    }

    @Test
    void applicationWhenItNeverWatchesIsReportedAfterTheTimeout() throws Exception {
        assertFails(
                TrainingOptions.defaults()
                        .withProperties(Map.of("behavior", "idle"))
                        .withTimeout(Duration.ofSeconds(15)),
                application(TrainedOperator.class.getName()),
                "  Waiting for nothing\n",
                "Waited 15 s until the application has reconciled. Raise the timeout");
        assertThat(progress)
                .anyMatch(line -> line.matches("Waiting until the application has reconciled \\(1\\d s of 15 s\\)"));
    }

    private void assertFails(Path application, String... parts) {
        assertFails(TrainingOptions.defaults(), application, parts);
    }

    private void assertFails(TrainingOptions options, Path application, String... parts) {
        assertThatThrownBy(() -> new Training(options, progress::add).run(application, folder.resolve("out")))
                .isInstanceOf(GeneratorException.class)
                .message()
                .contains(parts);
    }

    private Training training(TrainingOptions options) {
        return new Training(options.withTimeout(LONG), progress::add);
    }

    private Path script(String line) throws IOException {
        Path script = Files.writeString(Files.createTempFile(folder, "java", ""), "#!/bin/sh\n" + line + "\n");
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Returns what the application prints that starts with the option. */
    private List<String> greet(Path application, String option) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(TrainingOptions.defaults().java().toString(), option));
        command.addAll(TrainingOptions.defaults().jvmArguments());
        command.addAll(List.of("-Dbehavior=greet", "-jar", application.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> lines = process.inputReader().lines().toList();
        assertThat(process.waitFor()).isZero();
        return lines;
    }

    /** Returns a jar with the definition of Note, and with the libraries of the trainer beside it. */
    private Path application(String mainClass, String... others) throws IOException {
        Path jar = trainer.resolve("application-" + System.nanoTime() + ".jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (mainClass != null) {
            manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, mainClass);
        }
        try (Stream<Path> libraries = Files.list(trainer.resolve("lib"))) {
            manifest.getMainAttributes()
                    .put(
                            Attributes.Name.CLASS_PATH,
                            String.join(
                                    " ",
                                    libraries
                                            .map(library -> "lib/" + library.getFileName())
                                            .sorted()
                                            .toList()));
        }
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream output = new JarOutputStream(file, manifest)) {
            for (Map.Entry<String, byte[]> entry : definitionFiles().entrySet()) {
                output.putNextEntry(new JarEntry("META-INF/crds/" + entry.getKey()));
                output.write(entry.getValue());
            }
            for (String other : others) {
                output.putNextEntry(new JarEntry(other));
            }
        }
        return jar.toAbsolutePath();
    }

    private static Map<String, byte[]> definitionFiles() throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> found = Files.list(definitions)) {
            for (Path file : found.toList()) {
                files.put(file.getFileName().toString(), Files.readAllBytes(file));
            }
        }
        return files;
    }
}
