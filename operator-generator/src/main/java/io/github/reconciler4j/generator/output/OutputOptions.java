package io.github.reconciler4j.generator.output;

import io.github.reconciler4j.support.internal.OptionValues;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of the output. Immutable.
 *
 * @since 0.1.0
 */
public final class OutputOptions {

    private static final OutputOptions DEFAULTS = new OutputOptions(new Values());

    private final Values values;

    private OutputOptions(Values values) {
        this.values = values;
    }

    /** Return the defaults: the image {@code operator}, no versions, edited files are not overwritten. */
    public static OutputOptions defaults() {
        return DEFAULTS;
    }

    /** Return the repository of the operator's image, without a tag. */
    public String image() {
        return values.image;
    }

    /** Return the version of the operator, which is the default tag of the image; {@code ""} to leave it as it is. */
    public String version() {
        return values.version;
    }

    /** Return the version of the chart; {@code ""} to leave it as it is. */
    public String chartVersion() {
        return values.chartVersion;
    }

    /** Return whether generated files that people have edited are overwritten. */
    public boolean force() {
        return values.force;
    }

    /**
     * Return the folder with examples of the operator's kinds as YAML files, which a bundle shows. Default none: they follow
     * from the definitions.
     */
    public Optional<Path> examples() {
        return Optional.ofNullable(values.examples);
    }

    /**
     * Return parts of a ClusterServiceVersion that are merged into the generated one, for example with the name and the icon that
     * consoles show. A later part overrides the former ones. Default none.
     */
    public List<Map<String, Object>> bundleBases() {
        return values.bundleBases;
    }

    /** Return the channels of the package in a bundle and its catalog, the default one first. Default {@code stable}. */
    public List<String> channels() {
        return values.channels;
    }

    /** Return whether an admission policy lets the operator write its own objects only. Default false. */
    public boolean ownOnly() {
        return values.ownOnly;
    }

    /** Return a copy of these options with the given repository of the image. */
    public OutputOptions withImage(String image) {
        return change(copy -> copy.image = image);
    }

    /** Return a copy of these options with the given version of the operator. */
    public OutputOptions withVersion(String version) {
        return change(copy -> copy.version = version);
    }

    /** Return a copy of these options with the given version of the chart. */
    public OutputOptions withChartVersion(String chartVersion) {
        return change(copy -> copy.chartVersion = chartVersion);
    }

    /** Return a copy of these options that overwrites edited files or does not. */
    public OutputOptions withForce(boolean force) {
        return change(copy -> copy.force = force);
    }

    /** Return a copy of these options with the given folder of examples. */
    public OutputOptions withExamples(Path folder) {
        return change(copy -> copy.examples = folder);
    }

    /** Return a copy of these options with the given parts of a ClusterServiceVersion. */
    public OutputOptions withBundleBases(List<Map<String, Object>> bases) {
        return change(copy -> copy.bundleBases = List.copyOf(bases));
    }

    /**
     * Return a copy of these options with the given channels.
     *
     * @throws IllegalArgumentException if the list is empty
     */
    public OutputOptions withChannels(List<String> channels) {
        if (channels.isEmpty()) {
            throw new IllegalArgumentException("'channels' must have at least one");
        }
        return change(copy -> copy.channels = List.copyOf(channels));
    }

    /** Return a copy of these options with or without a policy that lets the operator write its own objects only. */
    public OutputOptions withOwnOnly(boolean ownOnly) {
        return change(copy -> copy.ownOnly = ownOnly);
    }

    private OutputOptions change(Consumer<Values> change) {
        return new OutputOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "OutputOptions[image=" + values.image + ", version=" + values.version + ", chartVersion="
                + values.chartVersion + ", force=" + values.force + ", examples=" + values.examples + ", channels="
                + values.channels + ", ownOnly=" + values.ownOnly + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private String image = "operator";
        private String version = "";
        private String chartVersion = "";
        private boolean force;
        private @Nullable Path examples;
        private List<Map<String, Object>> bundleBases = List.of();
        private List<String> channels = List.of("stable");
        private boolean ownOnly;
    }
}
