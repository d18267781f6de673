package io.github.reconciler4j.manager;

/**
 * Whether a manager asks the API server at start for the rights its components need.
 *
 * @since 0.1.0
 */
public enum Preflight {
    /** It does not ask. */
    OFF,
    /** It asks, and reports what is missing as a table and as YAML; the default. */
    REPORT,
    /** It asks, and does not start if something is missing. */
    FAIL
}
