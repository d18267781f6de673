package io.github.reconciler4j.client;

import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.support.internal.OptionValues;
import java.util.function.Consumer;

/**
 * Options of one server-side apply. Immutable and thread-safe.
 *
 * <!-- snippet: WriteUse -->
 * <pre>{@code
 * client.apply(
 *         wanted,
 *         ApplyOptions.defaults().withFieldManager("shop-defaults").withoutForce());
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ApplyOptions {

    private static final ApplyOptions DEFAULTS = new ApplyOptions(new Values());

    private final Values values;

    private ApplyOptions(Values values) {
        this.values = values;
    }

    /** Return the default options. */
    public static ApplyOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Return whether to take over fields that another field manager owns with a different value; {@code true} by default,
     * as recommended for controllers. Otherwise such a field causes a {@link ConflictException}.
     */
    public boolean force() {
        return values.force;
    }

    /**
     * Return whether the resourceVersion of the object is sent, so that applying to a newer version causes a
     * {@link ConflictException}; {@code false} by default.
     */
    public boolean optimisticLock() {
        return values.optimisticLock;
    }

    /** Return the options that all writes share. */
    public WriteOptions write() {
        return values.write;
    }

    /** Return a copy of these options that leaves the fields of other field managers to them. */
    public ApplyOptions withoutForce() {
        return change(copy -> copy.force = false);
    }

    /** Return a copy of these options that applies only if the object has not changed since it was read. */
    public ApplyOptions withOptimisticLock() {
        return change(copy -> copy.optimisticLock = true);
    }

    /** Return a copy of these options with the given options of the write. */
    public ApplyOptions withWrite(WriteOptions write) {
        return change(copy -> copy.write = write);
    }

    /** Return a copy of these options for a dry run. */
    public ApplyOptions asDryRun() {
        return withWrite(values.write.asDryRun());
    }

    /** Return a copy of these options with the given field manager. */
    public ApplyOptions withFieldManager(String fieldManager) {
        return withWrite(values.write.withFieldManager(fieldManager));
    }

    private ApplyOptions change(Consumer<Values> change) {
        return new ApplyOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "ApplyOptions[force=" + values.force + ", optimisticLock=" + values.optimisticLock + ", write="
                + values.write + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private boolean force = true;
        private boolean optimisticLock;
        private WriteOptions write = WriteOptions.defaults();
    }
}
