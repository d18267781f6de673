package io.github.reconciler4j.client;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * Options of one create, update or patch. Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class WriteOptions {

    private static final WriteOptions DEFAULTS = new WriteOptions(new Draft());

    private final boolean dryRun;
    private final Optional<String> fieldManager;
    private final Optional<FieldValidation> fieldValidation;
    private final Consumer<String> onWarning;

    private WriteOptions(Draft draft) {
        this.dryRun = draft.dryRun;
        this.fieldManager = draft.fieldManager;
        this.fieldValidation = draft.fieldValidation;
        this.onWarning = draft.onWarning;
    }

    /** Return the default options. */
    public static WriteOptions defaults() {
        return DEFAULTS;
    }

    /** Return whether the server validates and answers the write without storing it; {@code false} by default. */
    public boolean dryRun() {
        return dryRun;
    }

    /** Return the field manager; empty (the default) for the field manager of the client. */
    public Optional<String> fieldManager() {
        return fieldManager;
    }

    /** Return how the server treats unknown fields; empty (the default) for the setting of the client. */
    public Optional<FieldValidation> fieldValidation() {
        return fieldValidation;
    }

    /** Return the consumer of warnings; does nothing by default. */
    public Consumer<String> onWarning() {
        return onWarning;
    }

    /** Return a copy of these options for a dry run. */
    public WriteOptions asDryRun() {
        return change(draft -> draft.dryRun = true);
    }

    /**
     * Return a copy of these options with the given field manager, which owns the fields that are written.
     *
     * @throws IllegalArgumentException if the name is blank or longer than 128 characters
     */
    public WriteOptions withFieldManager(String fieldManager) {
        return change(draft -> draft.fieldManager = Optional.of(ClientOptions.checkFieldManager(fieldManager)));
    }

    /** Return a copy of these options with the given treatment of unknown fields. */
    public WriteOptions withFieldValidation(FieldValidation validation) {
        return change(draft -> draft.fieldValidation = Optional.of(validation));
    }

    /**
     * Return a copy of these options that passes each warning of the server to the given consumer before the call returns.
     * Warnings are also logged, each once. A consumer that fails does not fail the call, because the write has happened.
     */
    public WriteOptions withOnWarning(Consumer<String> onWarning) {
        return change(draft -> draft.onWarning = onWarning);
    }

    private WriteOptions change(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.dryRun = dryRun;
        draft.fieldManager = fieldManager;
        draft.fieldValidation = fieldValidation;
        draft.onWarning = onWarning;
        change.accept(draft);
        return new WriteOptions(draft);
    }

    @Override
    public String toString() {
        return "WriteOptions[dryRun=" + dryRun + ", fieldManager=" + fieldManager + ", fieldValidation="
                + fieldValidation + "]";
    }

    private static final class Draft {
        private boolean dryRun;
        private Optional<String> fieldManager = Optional.empty();
        private Optional<FieldValidation> fieldValidation = Optional.empty();
        private Consumer<String> onWarning = warning -> {};
    }
}
