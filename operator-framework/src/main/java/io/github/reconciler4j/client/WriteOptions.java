package io.github.reconciler4j.client;

import io.github.reconciler4j.support.internal.OptionValues;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Options of one create, update or patch. Immutable and thread-safe.
 *
 * <!-- snippet: WriteUse -->
 * <pre>{@code
 * client.create(
 *         wanted,
 *         WriteOptions.defaults()
 *                 .asDryRun()
 *                 .withFieldValidation(FieldValidation.STRICT)
 *                 .withOnWarning(log));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class WriteOptions {

    private static final WriteOptions DEFAULTS = new WriteOptions(new Values());

    private final Values values;

    private WriteOptions(Values values) {
        this.values = values;
    }

    /** Return the default options. */
    public static WriteOptions defaults() {
        return DEFAULTS;
    }

    /** Return whether the server validates and answers the write without storing it; {@code false} by default. */
    public boolean dryRun() {
        return values.dryRun;
    }

    /** Return the field manager; empty (the default) for the field manager of the client. */
    public Optional<String> fieldManager() {
        return values.fieldManager;
    }

    /** Return how the server treats unknown fields; empty (the default) for the setting of the client. */
    public Optional<FieldValidation> fieldValidation() {
        return values.fieldValidation;
    }

    /** Return the consumer of warnings; does nothing by default. */
    public Consumer<String> onWarning() {
        return values.onWarning;
    }

    /** Return a copy of these options for a dry run. */
    public WriteOptions asDryRun() {
        return change(copy -> copy.dryRun = true);
    }

    /**
     * Return a copy of these options with the given field manager, which owns the fields that are written.
     *
     * @throws IllegalArgumentException if the name is blank or longer than 128 characters
     */
    public WriteOptions withFieldManager(String fieldManager) {
        return change(copy -> copy.fieldManager = Optional.of(ClientOptions.checkFieldManager(fieldManager)));
    }

    /** Return a copy of these options with the given treatment of unknown fields. */
    public WriteOptions withFieldValidation(FieldValidation validation) {
        return change(copy -> copy.fieldValidation = Optional.of(validation));
    }

    /**
     * Return a copy of these options that passes each warning of the server to the given consumer before the call returns.
     * Warnings are also logged, each once. A consumer that fails does not fail the call, because the write has happened.
     */
    public WriteOptions withOnWarning(Consumer<String> onWarning) {
        return change(copy -> copy.onWarning = onWarning);
    }

    private WriteOptions change(Consumer<Values> change) {
        return new WriteOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "WriteOptions[dryRun=" + values.dryRun + ", fieldManager=" + values.fieldManager + ", fieldValidation="
                + values.fieldValidation + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private boolean dryRun;
        private Optional<String> fieldManager = Optional.empty();
        private Optional<FieldValidation> fieldValidation = Optional.empty();
        private Consumer<String> onWarning = warning -> {};
    }
}
