package io.github.reconciler4j.generator.crd;

import io.github.reconciler4j.support.internal.OptionValues;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Options of a {@link CrdGenerator}. Immutable.
 *
 * @since 0.1.0
 */
public final class CrdOptions {

    private static final CrdOptions DEFAULTS = new CrdOptions(new Values());

    private final Values values;

    private CrdOptions(Values values) {
        this.values = values;
    }

    /** Return the defaults: no sources, descriptions of any length, with verification. */
    public static CrdOptions defaults() {
        return DEFAULTS;
    }

    /** Return the folders and jars of sources whose Javadoc or KDoc becomes descriptions. */
    public List<Path> sources() {
        return values.sources;
    }

    /** Return the maximum length of descriptions in characters. */
    public int maxDescriptionLength() {
        return values.maxDescriptionLength;
    }

    /** Return whether an API server inside this JVM checks each definition. */
    public boolean verify() {
        return values.verify;
    }

    /** Return a copy of these options with the given folders and jars of sources. */
    public CrdOptions withSources(List<Path> sources) {
        return change(copy -> copy.sources = List.copyOf(sources));
    }

    /**
     * Return a copy of these options with the given maximum length of descriptions. Longer ones end after the last
     * sentence that fits; 0 leaves all of them out. Definitions above 1 MB do not fit into etcd, and above 256 KB
     * {@code kubectl apply} works with {@code --server-side} only.
     *
     * @throws IllegalArgumentException if the length is negative
     */
    public CrdOptions withMaxDescriptionLength(int maxDescriptionLength) {
        if (maxDescriptionLength < 0) {
            throw new IllegalArgumentException(
                    "'maxDescriptionLength' must not be negative, was " + maxDescriptionLength);
        }
        return change(copy -> copy.maxDescriptionLength = maxDescriptionLength);
    }

    /** Return a copy of these options that verifies definitions or does not. */
    public CrdOptions withVerify(boolean verify) {
        return change(copy -> copy.verify = verify);
    }

    private CrdOptions change(Consumer<Values> change) {
        return new CrdOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "CrdOptions[sources=" + values.sources + ", maxDescriptionLength=" + values.maxDescriptionLength
                + ", verify=" + values.verify + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private List<Path> sources = List.of();
        private int maxDescriptionLength = Integer.MAX_VALUE;
        private boolean verify = true;
    }
}
