package io.github.reconciler4j.client;

import io.github.reconciler4j.client.error.ConflictException;

/**
 * Settings of one server-side apply. Immutable.
 *
 * @param force whether to take over fields that another manager owns with another value (default true, as controllers
 *     should); without it such a field is a {@link ConflictException}
 * @param optimisticLock whether the object's resourceVersion is sent, so that applying to anything newer is a
 *     {@link ConflictException} (default false: it is left out)
 * @param write the settings of every write
 * @since 0.1.0
 */
public record ApplyOptions(boolean force, boolean optimisticLock, WriteOptions write) {

    private static final ApplyOptions DEFAULTS = new ApplyOptions(true, false, WriteOptions.defaults());

    /** The default settings. */
    public static ApplyOptions defaults() {
        return DEFAULTS;
    }

    /** The same, but leaving other managers' fields to them. */
    public ApplyOptions withoutForce() {
        return new ApplyOptions(false, optimisticLock, write);
    }

    /** The same, but only if the object has not changed since it was read. */
    public ApplyOptions withOptimisticLock() {
        return new ApplyOptions(force, true, write);
    }

    /** The same with other settings of every write. */
    public ApplyOptions withWrite(WriteOptions newWrite) {
        return new ApplyOptions(force, optimisticLock, newWrite);
    }

    /** The same as a dry run. */
    public ApplyOptions asDryRun() {
        return withWrite(write.asDryRun());
    }

    /** The same in the name of another field manager. */
    public ApplyOptions withFieldManager(String fieldManager) {
        return withWrite(write.withFieldManager(fieldManager));
    }
}
