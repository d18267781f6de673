package io.github.reconciler4j.client;

/** Whether a client's writes take effect. */
public enum WriteMode {
    /** They do. */
    NORMAL,
    /** They are sent as dry runs: checked and answered by the server, but not stored. */
    DRY_RUN
}
