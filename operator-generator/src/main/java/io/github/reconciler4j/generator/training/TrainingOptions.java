package io.github.reconciler4j.generator.training;

import io.github.reconciler4j.support.internal.OptionValues;
import java.nio.file.Path;
import java.time.Duration;
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

    private static final TrainingOptions DEFAULTS = new TrainingOptions(new Values());

    private final Values values;

    private TrainingOptions(Values values) {
        this.values = values;
    }

    /** Return the defaults: this JVM's program, the flags of the generated chart, objects from definitions, two minutes. */
    public static TrainingOptions defaults() {
        return DEFAULTS;
    }

    /** Return the program {@code java} that the cache is for. Default that of this JVM. */
    public Path java() {
        return values.java;
    }

    /**
     * Return the options of the application's JVM. They should be those of later starts. Default
     * {@code -XX:+UseSerialGC -XX:TieredStopAtLevel=1}, which the generated chart sets.
     */
    public List<String> jvmArguments() {
        return values.jvmArguments;
    }

    /** Return the properties of the application in the training run, for instance a profile. Default none. */
    public Map<String, String> properties() {
        return values.properties;
    }

    /**
     * Return the folder with the objects that the application reconciles in the training run, as YAML files. Default none.
     * Kinds without an object there get one that follows from their definition.
     */
    public Optional<Path> examples() {
        return Optional.ofNullable(values.examples);
    }

    /** Return the time limit of each of the steps: extract, reconcile, stop and write the cache. Default two minutes. */
    public Duration timeout() {
        return values.timeout;
    }

    /** Return a copy of these options with the given program {@code java}. */
    public TrainingOptions withJava(Path java) {
        return change(copy -> copy.java = java);
    }

    /** Return a copy of these options with the given options of the application's JVM. */
    public TrainingOptions withJvmArguments(List<String> jvmArguments) {
        return change(copy -> copy.jvmArguments = List.copyOf(jvmArguments));
    }

    /** Return a copy of these options with the given properties of the application. */
    public TrainingOptions withProperties(Map<String, String> properties) {
        return change(copy -> copy.properties = Map.copyOf(properties));
    }

    /** Return a copy of these options with the given folder of objects. */
    public TrainingOptions withExamples(Path examples) {
        return change(copy -> copy.examples = examples);
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
        return change(copy -> copy.timeout = timeout);
    }

    private TrainingOptions change(Consumer<Values> change) {
        return new TrainingOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "TrainingOptions[java=" + values.java + ", jvmArguments=" + values.jvmArguments + ", examples="
                + values.examples + ", timeout=" + values.timeout + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        private List<String> jvmArguments = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
        private Map<String, String> properties = Map.of();
        private @Nullable Path examples;
        private Duration timeout = Duration.ofMinutes(2);
    }
}
