package io.github.reconciler4j.manager.permission;

/**
 * Whether a manager checks the required permissions of its components with the API server when it starts.
 *
 * @since 0.1.0
 */
public enum Preflight {
    /** Do not check. */
    OFF,
    /** Check, and log missing permissions as a table and as YAML. This is the default. */
    REPORT,
    /** Check, and do not start if a permission is missing. */
    FAIL
}
