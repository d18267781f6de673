package io.github.reconciler4j.installer;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Options of a {@link CrdInstaller}. Immutable.
 *
 * @since 0.1.0
 */
public final class CrdInstallerOptions {

    private static final CrdInstallerOptions DEFAULTS = new CrdInstallerOptions(new Draft());

    private final Duration timeout;
    private final boolean migrateStorage;

    private CrdInstallerOptions(Draft draft) {
        timeout = Objects.requireNonNull(draft.timeout, "'timeout' must not be null");
        migrateStorage = draft.migrateStorage;
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("'timeout' must be positive, was " + timeout);
        }
    }

    /** Return the defaults. */
    public static CrdInstallerOptions defaults() {
        return DEFAULTS;
    }

    /** Return how long the start waits until the definitions are established and served. The default is a minute. */
    public Duration timeout() {
        return timeout;
    }

    /** Return whether objects in former storage versions are migrated. The default is true. */
    public boolean migrateStorage() {
        return migrateStorage;
    }

    /** Return a copy of these options with the given timeout. */
    public CrdInstallerOptions withTimeout(Duration timeout) {
        return change(draft -> draft.timeout = timeout);
    }

    /** Return a copy of these options that migrates objects or does not. */
    public CrdInstallerOptions withMigrateStorage(boolean migrateStorage) {
        return change(draft -> draft.migrateStorage = migrateStorage);
    }

    private CrdInstallerOptions change(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.timeout = timeout;
        draft.migrateStorage = migrateStorage;
        change.accept(draft);
        return new CrdInstallerOptions(draft);
    }

    @Override
    public String toString() {
        return "CrdInstallerOptions[timeout=" + timeout + ", migrateStorage=" + migrateStorage + "]";
    }

    private static final class Draft {
        private Duration timeout = Duration.ofMinutes(1);
        private boolean migrateStorage = true;
    }
}
