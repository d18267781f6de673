package io.github.reconciler4j.client;

import io.github.reconciler4j.client.error.ConflictException;
import java.util.function.Consumer;

/**
 * Options of one server-side apply. Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class ApplyOptions {

    private static final ApplyOptions DEFAULTS = new ApplyOptions(new Draft());

    private final boolean force;
    private final boolean optimisticLock;
    private final WriteOptions write;

    private ApplyOptions(Draft draft) {
        this.force = draft.force;
        this.optimisticLock = draft.optimisticLock;
        this.write = draft.write;
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
        return force;
    }

    /**
     * Return whether the resourceVersion of the object is sent, so that applying to a newer version causes a
     * {@link ConflictException}; {@code false} by default.
     */
    public boolean optimisticLock() {
        return optimisticLock;
    }

    /** Return the options that all writes share. */
    public WriteOptions write() {
        return write;
    }

    /** Return a copy of these options that leaves the fields of other field managers to them. */
    public ApplyOptions withoutForce() {
        return change(draft -> draft.force = false);
    }

    /** Return a copy of these options that applies only if the object has not changed since it was read. */
    public ApplyOptions withOptimisticLock() {
        return change(draft -> draft.optimisticLock = true);
    }

    /** Return a copy of these options with the given options of the write. */
    public ApplyOptions withWrite(WriteOptions write) {
        return change(draft -> draft.write = write);
    }

    /** Return a copy of these options for a dry run. */
    public ApplyOptions asDryRun() {
        return withWrite(write.asDryRun());
    }

    /** Return a copy of these options with the given field manager. */
    public ApplyOptions withFieldManager(String fieldManager) {
        return withWrite(write.withFieldManager(fieldManager));
    }

    private ApplyOptions change(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.force = force;
        draft.optimisticLock = optimisticLock;
        draft.write = write;
        change.accept(draft);
        return new ApplyOptions(draft);
    }

    @Override
    public String toString() {
        return "ApplyOptions[force=" + force + ", optimisticLock=" + optimisticLock + ", write=" + write + "]";
    }

    private static final class Draft {
        private boolean force = true;
        private boolean optimisticLock;
        private WriteOptions write = WriteOptions.defaults();
    }
}
