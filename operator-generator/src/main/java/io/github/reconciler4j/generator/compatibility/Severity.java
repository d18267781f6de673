package io.github.reconciler4j.generator.compatibility;

/**
 * What a finding does to the build.
 *
 * @since 0.1.0
 */
public enum Severity {

    /** The build fails. */
    ERROR,

    /** The finding is printed. */
    WARNING,

    /** The finding is dropped. */
    IGNORE
}
