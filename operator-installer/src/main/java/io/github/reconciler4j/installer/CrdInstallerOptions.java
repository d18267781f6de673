package io.github.reconciler4j.installer;

import io.github.reconciler4j.support.internal.OptionValues;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Options of a {@link CrdInstaller}. Immutable.
 *
 * <!-- snippet: InstallerUse -->
 * <pre>{@code
 * return CrdInstallerOptions.defaults()
 *         .withInstall(false) // a chart installs the definitions
 *         .withTimeout(Duration.ofMinutes(5));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class CrdInstallerOptions {

    private static final CrdInstallerOptions DEFAULTS = new CrdInstallerOptions(new Values());

    private final Values values;

    private CrdInstallerOptions(Values values) {
        Objects.requireNonNull(values.timeout, "'timeout' must not be null");
        if (values.timeout.isNegative() || values.timeout.isZero()) {
            throw new IllegalArgumentException("'timeout' must be positive, was " + values.timeout);
        }
        this.values = values;
    }

    /** Return the defaults. */
    public static CrdInstallerOptions defaults() {
        return DEFAULTS;
    }

    /** Return how long the start waits until the definitions are established and served. The default is a minute. */
    public Duration timeout() {
        return values.timeout;
    }

    /**
     * Return whether the operator installs the definitions. The default is true. Otherwise others install them, such as a chart,
     * and the operator only migrates objects.
     */
    public boolean install() {
        return values.install;
    }

    /** Return whether objects in former storage versions are migrated. The default is true. */
    public boolean migrateStorage() {
        return values.migrateStorage;
    }

    /** Return a copy of these options with the given timeout. */
    public CrdInstallerOptions withTimeout(Duration timeout) {
        return change(copy -> copy.timeout = timeout);
    }

    /** Return a copy of these options that installs definitions or does not. */
    public CrdInstallerOptions withInstall(boolean install) {
        return change(copy -> copy.install = install);
    }

    /** Return a copy of these options that migrates objects or does not. */
    public CrdInstallerOptions withMigrateStorage(boolean migrateStorage) {
        return change(copy -> copy.migrateStorage = migrateStorage);
    }

    private CrdInstallerOptions change(Consumer<Values> change) {
        return new CrdInstallerOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "CrdInstallerOptions[timeout=" + values.timeout + ", install=" + values.install + ", migrateStorage="
                + values.migrateStorage + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private Duration timeout = Duration.ofMinutes(1);
        private boolean install = true;
        private boolean migrateStorage = true;
    }
}
