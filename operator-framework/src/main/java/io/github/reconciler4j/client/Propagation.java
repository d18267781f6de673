package io.github.reconciler4j.client;

/**
 * What becomes of the objects that a deleted object owns.
 *
 * @since 0.1.0
 */
public enum Propagation {
    /** They stay, without the owner reference. */
    ORPHAN("Orphan"),
    /** They are deleted afterwards. */
    BACKGROUND("Background"),
    /** They are deleted first, the owner after them. */
    FOREGROUND("Foreground");

    private final String parameter;

    Propagation(String parameter) {
        this.parameter = parameter;
    }

    /** The value in a request. */
    public String parameter() {
        return parameter;
    }
}
