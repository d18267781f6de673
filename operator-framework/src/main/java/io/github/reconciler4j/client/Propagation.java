package io.github.reconciler4j.client;

/**
 * How a deletion affects the objects that the deleted object owns.
 *
 * @since 0.1.0
 */
public enum Propagation {
    /** The objects stay, without the owner reference. */
    ORPHAN("Orphan"),
    /** The objects are deleted after the owner. */
    BACKGROUND("Background"),
    /** The objects are deleted before the owner. */
    FOREGROUND("Foreground");

    private final String parameter;

    Propagation(String parameter) {
        this.parameter = parameter;
    }

    /** Return the value in a request. */
    public String parameter() {
        return parameter;
    }
}
