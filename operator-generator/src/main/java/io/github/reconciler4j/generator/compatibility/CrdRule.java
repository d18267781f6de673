package io.github.reconciler4j.generator.compatibility;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Rules about changes of a definition. A rule is an error if objects or manifests that were accepted no longer are, if
 * stored data is lost, or if the same manifest means something else. It is a warning if readers may meet something they do
 * not know.
 *
 * @since 0.1.0
 */
public enum CrdRule {

    /** The scope is another: objects of the old scope cannot be read. */
    SCOPE_CHANGED(Severity.ERROR),
    /** Group, kind or plural is another. */
    NAMES_CHANGED(Severity.ERROR),
    /** A short name or category is gone. */
    SHORT_NAME_REMOVED(Severity.WARNING),
    /** A version is not served any more. */
    VERSION_REMOVED(Severity.ERROR),
    /** A version that objects may be stored in is gone. */
    STORED_VERSION_REMOVED(Severity.ERROR),
    /** The definition is gone. */
    DEFINITION_REMOVED(Severity.ERROR),
    /** Conversion by webhook is gone although there are several versions. */
    CONVERSION_REMOVED(Severity.WARNING),
    /** A subresource is new or gone, so that writers have to use another address. */
    SUBRESOURCE_CHANGED(Severity.ERROR),
    /** A field can no longer be selected. */
    SELECTABLE_FIELD_REMOVED(Severity.ERROR),
    /** {@code kubectl get} no longer shows a column. */
    PRINTER_COLUMN_REMOVED(Severity.WARNING),

    /** A field is gone: what is stored in it is lost. */
    FIELD_REMOVED(Severity.ERROR),
    /** A field has another type. */
    TYPE_CHANGED(Severity.ERROR),
    /** A field has become required. */
    REQUIRED_ADDED(Severity.ERROR),
    /** A field has a default that it had not. */
    DEFAULT_ADDED(Severity.ERROR),
    /** A field has another default. */
    DEFAULT_CHANGED(Severity.ERROR),
    /** A field has no default any more. */
    DEFAULT_REMOVED(Severity.ERROR),
    /** A field is limited to a list of values that it was not limited to. */
    ENUM_ADDED(Severity.ERROR),
    /** A value is not allowed any more. */
    ENUM_VALUE_REMOVED(Severity.ERROR),
    /** A value is allowed that readers may not know. */
    ENUM_VALUE_ADDED(Severity.WARNING),
    /** An upper or lower limit is new. */
    LIMIT_ADDED(Severity.ERROR),
    /** An upper limit is lower, or a lower limit higher, than it was. */
    LIMIT_TIGHTENED(Severity.ERROR),
    /** A pattern is new. */
    PATTERN_ADDED(Severity.ERROR),
    /** A pattern is another; whether it accepts less cannot be seen. */
    PATTERN_CHANGED(Severity.ERROR),
    /** A pattern is gone, so that readers may meet texts they do not expect. */
    PATTERN_REMOVED(Severity.WARNING),
    /** A format is new or another. */
    FORMAT_CHANGED(Severity.ERROR),
    /** A format is gone. */
    FORMAT_REMOVED(Severity.WARNING),
    /** Readers may meet null. */
    NULLABLE_ADDED(Severity.WARNING),
    /** Null is not allowed any more. */
    NULLABLE_REMOVED(Severity.ERROR),
    /** A validation rule (CEL) is new or another. */
    VALIDATION_RULE_ADDED(Severity.ERROR),
    /** A list merges in another way, or by other keys. */
    LIST_TYPE_CHANGED(Severity.ERROR),
    /** A map or an object merges in another way. */
    MAP_TYPE_CHANGED(Severity.ERROR),
    /** Keys that are not named in the schema are not allowed any more. */
    ADDITIONAL_PROPERTIES_REMOVED(Severity.ERROR),
    /** A condition of {@code allOf}, {@code anyOf}, {@code oneOf} or {@code not} is new or another. */
    COMBINATION_CHANGED(Severity.ERROR),
    /** Unknown fields, which were kept, are dropped. */
    PRUNING_ADDED(Severity.ERROR),
    /** Unknown fields, which were dropped, are kept. */
    PRUNING_REMOVED(Severity.WARNING),
    /** A field must be, or need not be any more, a whole Kubernetes object. */
    EMBEDDED_RESOURCE_CHANGED(Severity.ERROR),
    /** The description differs, which breaks no client. */
    DESCRIPTION_CHANGED(Severity.IGNORE),
    /** Something else in the schema is another. */
    UNKNOWN_CHANGE(Severity.ERROR);

    private final Severity severity;

    CrdRule(Severity severity) {
        this.severity = severity;
    }

    /** Return the default severity. */
    public Severity severity() {
        return severity;
    }

    /** Return the name as it stands in configuration and reports, for instance {@code field-removed}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Find a rule by its {@link #id}. */
    public static Optional<CrdRule> find(String id) {
        return Arrays.stream(values()).filter(rule -> rule.id().equals(id)).findFirst();
    }
}
