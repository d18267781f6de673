package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.support.internal.OptionValues;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Options of one deletion. Immutable and thread-safe.
 *
 * <!-- snippet: WriteUse -->
 * <pre>{@code
 * client.delete(
 *         read,
 *         DeletionOptions.exactly(read)
 *                 .withPropagation(Propagation.FOREGROUND)
 *                 .withGracePeriod(Duration.ofSeconds(5)));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class DeletionOptions {

    private static final DeletionOptions DEFAULTS = new DeletionOptions(new Values());

    private final Values values;

    private DeletionOptions(Values values) {
        this.values = values;
    }

    /** Return the default options. */
    public static DeletionOptions defaults() {
        return DEFAULTS;
    }

    /** Return options that delete the given object only as it was read, with the same uid and resourceVersion. */
    public static DeletionOptions exactly(HasMetadata object) {
        ObjectMeta metadata = object.getMetadata();
        return DEFAULTS.withUid(Objects.requireNonNullElse(metadata.getUid(), ""))
                .withResourceVersion(Objects.requireNonNullElse(metadata.getResourceVersion(), ""));
    }

    /** Return whether the server validates and answers the deletion without carrying it out; {@code false} by default. */
    public boolean dryRun() {
        return values.dryRun;
    }

    /** Return the uid that the object must have, {@code ""} (the default) for any. */
    public String uid() {
        return values.uid;
    }

    /** Return the resourceVersion that the object must have, {@code ""} (the default) for any. */
    public String resourceVersion() {
        return values.resourceVersion;
    }

    /** Return what happens to owned objects; empty (the default) for the server's default, for most kinds background. */
    public Optional<Propagation> propagation() {
        return values.propagation;
    }

    /** Return the grace period in whole seconds; empty (the default) for the default of the kind. */
    public Optional<Duration> gracePeriod() {
        return values.gracePeriod;
    }

    /** Return a copy of these options for a dry run. */
    public DeletionOptions asDryRun() {
        return change(copy -> copy.dryRun = true);
    }

    /**
     * Return a copy of these options that deletes only the object with the given uid; if the object has a different uid,
     * the deletion throws {@link ConflictException}.
     */
    public DeletionOptions withUid(String uid) {
        return change(copy -> copy.uid = uid);
    }

    /**
     * Return a copy of these options that deletes only the given version; if the object has changed, the deletion throws
     * {@link ConflictException}.
     */
    public DeletionOptions withResourceVersion(String resourceVersion) {
        return change(copy -> copy.resourceVersion = resourceVersion);
    }

    /** Return a copy of these options with the given treatment of owned objects. */
    public DeletionOptions withPropagation(Propagation propagation) {
        return change(copy -> copy.propagation = Optional.of(propagation));
    }

    /**
     * Return a copy of these options with the given grace period, which is sent in whole seconds.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public DeletionOptions withGracePeriod(Duration gracePeriod) {
        if (gracePeriod.isNegative()) {
            throw new IllegalArgumentException("'gracePeriod' must not be negative, was " + gracePeriod);
        }
        return change(copy -> copy.gracePeriod = Optional.of(gracePeriod));
    }

    private DeletionOptions change(Consumer<Values> change) {
        return new DeletionOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "DeletionOptions[dryRun=" + values.dryRun + ", uid=" + values.uid + ", resourceVersion="
                + values.resourceVersion + ", propagation=" + values.propagation + ", gracePeriod=" + values.gracePeriod
                + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private boolean dryRun;
        private String uid = "";
        private String resourceVersion = "";
        private Optional<Propagation> propagation = Optional.empty();
        private Optional<Duration> gracePeriod = Optional.empty();
    }
}
