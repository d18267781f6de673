package io.github.reconciler4j.generator;

import io.github.reconciler4j.generator.training.Training;
import io.github.reconciler4j.generator.training.TrainingOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Trains an operator, so that later starts need less time. */
final class AotCacheCommand implements Main.Command {

    @Override
    public String usage() {
        return """
                  Run the application against an API server in this JVM, and keep what its JVM has loaded for later starts.
                  --application JAR             the jar that Spring Boot has written, or the one extracted from it (required)
                  --out DIR                     extract the jar to this folder; by default 'application' beside it
                  --java FILE                   the program java that later starts use; by default that of this command
                  --examples DIR                objects to reconcile; by default from the definitions
                  --jvm-argument ARGUMENT       an option of the JVM as in later starts; may be repeated;
                                                by default -XX:+UseSerialGC and -XX:TieredStopAtLevel=1
                  --property KEY=VALUE          a property of the application; may be repeated
                  --timeout SECONDS             the time limit of each step; 120 by default
                """;
    }

    @Override
    public void run(Arguments arguments) {
        Path application = Path.of(arguments.required("application"));
        Path folder = arguments
                .one("out")
                .map(Path::of)
                .orElseGet(() -> application.toAbsolutePath().resolveSibling("application"));
        TrainingOptions options = TrainingOptions.defaults().withProperties(arguments.pairs("property"));
        int seconds = arguments.number("timeout", (int) options.timeout().toSeconds());
        if (seconds < 1) {
            throw new Arguments.UsageException("--timeout must be at least 1, was " + seconds);
        }
        options = options.withTimeout(Duration.ofSeconds(seconds));
        List<String> jvmArguments = arguments.all("jvm-argument");
        options = jvmArguments.isEmpty() ? options : options.withJvmArguments(jvmArguments);
        options = arguments.one("java").map(Path::of).map(options::withJava).orElse(options);
        options = arguments
                .one("examples")
                .map(Path::of)
                .map(options::withExamples)
                .orElse(options);
        arguments.checkAllUsed();
        Training.Result result = new Training(options, System.err::println).run(application, folder);
        System.out.println(
                "Start the application with: java " + String.join(" ", result.options()) + " -jar " + result.jar());
    }
}
