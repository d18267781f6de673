package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The packaged jar after the training run of an image.
 *
 * @param java the program that was trained
 * @param options the options of the JVM that the training run has printed
 * @param jar the extracted jar
 * @param printed what the training run has printed
 */
record TrainedJar(Path java, List<String> options, Path jar, String printed) {

    private static final Pattern START = Pattern.compile("Start the application with: java (.+) -jar (.+)");

    /** Runs the program that the Dockerfile runs. */
    static TrainedJar train(Path java, Path folder) throws Exception {
        Path log = folder.resolve("training.log");
        Process training = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-jar",
                        "target/aot-trainer/trainer.jar",
                        "aot-cache",
                        "--application",
                        OperatorProcess.jar().toString(),
                        "--out",
                        folder.resolve("application").toString(),
                        "--java",
                        java.toString(),
                        "--examples",
                        "target/aot-trainer/examples",
                        "--timeout",
                        "300")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(training.waitFor(15, TimeUnit.MINUTES)).isTrue();
        String printed = Files.readString(log);
        assertThat(training.exitValue()).as(printed).isZero();
        Matcher start = START.matcher(printed);
        assertThat(start.find()).as(printed).isTrue();
        return new TrainedJar(java, List.of(start.group(1).split(" ")), Path.of(start.group(2)), printed);
    }

    /** The command line of Java without the jar. */
    List<String> command() {
        List<String> command = new ArrayList<>(List.of(java.toString()));
        command.addAll(options);
        return command;
    }
}
