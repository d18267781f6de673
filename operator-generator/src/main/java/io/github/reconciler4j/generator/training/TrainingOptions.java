package io.github.reconciler4j.generator.training;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of a training run. Immutable.
 *
 * @since 0.1.0
 */
public final class TrainingOptions {

    private static final TrainingOptions DEFAULTS = new TrainingOptions(new Draft());

    private final Path java;
    private final List<String> jvmArguments;
    private final Map<String, String> properties;
    private final @Nullable Path examples;
    private final Duration timeout;

    private TrainingOptions(Draft draft) {
        java = draft.java;
        jvmArguments = List.copyOf(draft.jvmArguments);
        properties = Map.copyOf(draft.properties);
        examples = draft.examples;
        timeout = draft.timeout;
    }

    /** Return the defaults: this JVM's program, the flags of the generated chart, objects from definitions, two minutes. */
    public static TrainingOptions defaults() {
        return DEFAULTS;
    }

    /** Return the program {@code java} that the cache is for. Default that of this JVM. */
    public Path java() {
        return java;
    }

    /**
     * Return the options of the application's JVM. They should be those of later starts. Default
     * {@code -XX:+UseSerialGC -XX:TieredStopAtLevel=1}, which the generated chart sets.
     */
    public List<String> jvmArguments() {
        return jvmArguments;
    }

    /** Return the properties of the application in the training run, for instance a profile. Default none. */
    public Map<String, String> properties() {
        return properties;
    }

    /**
     * Return the folder with the objects that the application reconciles in the training run, as YAML files. Default none.
     * Kinds without an object there get one that follows from their definition.
     */
    public Optional<Path> examples() {
        return Optional.ofNullable(examples);
    }

    /** Return the time limit of each of the steps: extract, reconcile, stop and write the cache. Default two minutes. */
    public Duration timeout() {
        return timeout;
    }

    /** Return a copy of these options with the given program {@code java}. */
    public TrainingOptions withJava(Path java) {
        return change(draft -> draft.java = java);
    }

    /** Return a copy of these options with the given options of the application's JVM. */
    public TrainingOptions withJvmArguments(List<String> jvmArguments) {
        return change(draft -> draft.jvmArguments = jvmArguments);
    }

    /** Return a copy of these options with the given properties of the application. */
    public TrainingOptions withProperties(Map<String, String> properties) {
        return change(draft -> draft.properties = new LinkedHashMap<>(properties));
    }

    /** Return a copy of these options with the given folder of objects. */
    public TrainingOptions withExamples(Path examples) {
        return change(draft -> draft.examples = examples);
    }

    /**
     * Return a copy of these options with the given time limit of each step.
     *
     * @throws IllegalArgumentException if the limit is not positive
     */
    public TrainingOptions withTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout must be positive, was " + timeout);
        }
        return change(draft -> draft.timeout = timeout);
    }

    private TrainingOptions change(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.java = java;
        draft.jvmArguments = jvmArguments;
        draft.properties = properties;
        draft.examples = examples;
        draft.timeout = timeout;
        change.accept(draft);
        return new TrainingOptions(draft);
    }

    @Override
    public String toString() {
        return "TrainingOptions[java=" + java + ", jvmArguments=" + jvmArguments + ", examples=" + examples
                + ", timeout=" + timeout + "]";
    }

    private static final class Draft {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> jvmArguments = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
        Map<String, String> properties = Map.of();

        @Nullable
        Path examples;

        Duration timeout = Duration.ofMinutes(2);
    }
}
