package io.github.reconciler4j.client;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * Settings of one create, update or patch. Immutable.
 *
 * @param dryRun whether the server only says what would happen (default false; a dry-run client always does)
 * @param fieldManager who owns the fields written, {@code ""} (the default) for the client's field manager
 * @param fieldValidation what happens to unknown fields (default: as the client is set)
 * @param onWarning is told each warning of the server, before the call returns (default nobody; all are logged anyhow)
 * @since 0.1.0
 */
public record WriteOptions(
        boolean dryRun, String fieldManager, Optional<FieldValidation> fieldValidation, Consumer<String> onWarning) {

    private static final WriteOptions DEFAULTS = new WriteOptions(false, "", Optional.empty(), warning -> {});

    /** The default settings. */
    public static WriteOptions defaults() {
        return DEFAULTS;
    }

    /** The same as a dry run. */
    public WriteOptions asDryRun() {
        return new WriteOptions(true, fieldManager, fieldValidation, onWarning);
    }

    /** The same in the name of another field manager. */
    public WriteOptions withFieldManager(String newFieldManager) {
        return new WriteOptions(dryRun, newFieldManager, fieldValidation, onWarning);
    }

    /** The same with this field validation. */
    public WriteOptions withFieldValidation(FieldValidation newFieldValidation) {
        return new WriteOptions(dryRun, fieldManager, Optional.of(newFieldValidation), onWarning);
    }

    /** The same with somebody who is told warnings. */
    public WriteOptions withOnWarning(Consumer<String> newOnWarning) {
        return new WriteOptions(dryRun, fieldManager, fieldValidation, newOnWarning);
    }
}
