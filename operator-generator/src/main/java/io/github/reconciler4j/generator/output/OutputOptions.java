package io.github.reconciler4j.generator.output;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of the output. Immutable.
 *
 * @since 0.1.0
 */
public final class OutputOptions {

    private static final OutputOptions DEFAULTS = new OutputOptions(new Draft());

    private final String image;
    private final String version;
    private final String chartVersion;
    private final boolean force;
    private final @Nullable Path examples;

    private OutputOptions(Draft draft) {
        image = draft.image;
        version = draft.version;
        chartVersion = draft.chartVersion;
        force = draft.force;
        examples = draft.examples;
    }

    /** Return the defaults: the image {@code operator}, no versions, edited files are not overwritten. */
    public static OutputOptions defaults() {
        return DEFAULTS;
    }

    /** Return the repository of the operator's image, without a tag. */
    public String image() {
        return image;
    }

    /** Return the version of the operator, which is the default tag of the image; {@code ""} to leave it as it is. */
    public String version() {
        return version;
    }

    /** Return the version of the chart; {@code ""} to leave it as it is. */
    public String chartVersion() {
        return chartVersion;
    }

    /** Return whether generated files that people have edited are overwritten. */
    public boolean force() {
        return force;
    }

    /**
     * Return the folder with examples of the operator's kinds as YAML files, which a bundle shows. Default none: they follow
     * from the definitions.
     */
    public Optional<Path> examples() {
        return Optional.ofNullable(examples);
    }

    /** Return a copy of these options with the given repository of the image. */
    public OutputOptions withImage(String image) {
        return change(draft -> draft.image = image);
    }

    /** Return a copy of these options with the given version of the operator. */
    public OutputOptions withVersion(String version) {
        return change(draft -> draft.version = version);
    }

    /** Return a copy of these options with the given version of the chart. */
    public OutputOptions withChartVersion(String chartVersion) {
        return change(draft -> draft.chartVersion = chartVersion);
    }

    /** Return a copy of these options that overwrites edited files or does not. */
    public OutputOptions withForce(boolean force) {
        return change(draft -> draft.force = force);
    }

    /** Return a copy of these options with the given folder of examples. */
    public OutputOptions withExamples(Path folder) {
        return change(draft -> draft.examples = folder);
    }

    private OutputOptions change(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.image = image;
        draft.version = version;
        draft.chartVersion = chartVersion;
        draft.force = force;
        draft.examples = examples;
        change.accept(draft);
        return new OutputOptions(draft);
    }

    @Override
    public String toString() {
        return "OutputOptions[image=" + image + ", version=" + version + ", chartVersion=" + chartVersion + ", force="
                + force + ", examples=" + examples + "]";
    }

    private static final class Draft {
        private String image = "operator";
        private String version = "";
        private String chartVersion = "";
        private boolean force;
        private @Nullable Path examples;
    }
}
