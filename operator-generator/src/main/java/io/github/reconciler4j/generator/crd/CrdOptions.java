package io.github.reconciler4j.generator.crd;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Options of a {@link CrdGenerator}. Immutable.
 *
 * @since 0.1.0
 */
public final class CrdOptions {

    private static final CrdOptions DEFAULTS = new CrdOptions(new Draft());

    private final List<Path> sources;
    private final int maxDescriptionLength;
    private final boolean verify;

    private CrdOptions(Draft draft) {
        sources = List.copyOf(draft.sources);
        maxDescriptionLength = draft.maxDescriptionLength;
        verify = draft.verify;
    }

    /** Return the defaults: no sources, descriptions of any length, with verification. */
    public static CrdOptions defaults() {
        return DEFAULTS;
    }

    /** Return the folders and jars of sources whose Javadoc becomes descriptions. */
    public List<Path> sources() {
        return sources;
    }

    /** Return the maximum length of descriptions in characters. */
    public int maxDescriptionLength() {
        return maxDescriptionLength;
    }

    /** Return whether an API server inside this JVM checks each definition. */
    public boolean verify() {
        return verify;
    }

    /** Return a copy of these options with the given folders and jars of sources. */
    public CrdOptions withSources(List<Path> sources) {
        return change(draft -> draft.sources = sources);
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
        return change(draft -> draft.maxDescriptionLength = maxDescriptionLength);
    }

    /** Return a copy of these options that verifies definitions or does not. */
    public CrdOptions withVerify(boolean verify) {
        return change(draft -> draft.verify = verify);
    }

    private CrdOptions change(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.sources = sources;
        draft.maxDescriptionLength = maxDescriptionLength;
        draft.verify = verify;
        change.accept(draft);
        return new CrdOptions(draft);
    }

    @Override
    public String toString() {
        return "CrdOptions[sources=" + sources + ", maxDescriptionLength=" + maxDescriptionLength + ", verify=" + verify
                + "]";
    }

    private static final class Draft {
        private List<Path> sources = List.of();
        private int maxDescriptionLength = Integer.MAX_VALUE;
        private boolean verify = true;
    }
}
