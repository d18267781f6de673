package io.github.reconciler4j.cache.internal;

/** How far the watch of a scope has come. Written by its reflector, read by everybody. */
final class Progress {

    private volatile String position = "";

    /** Everything up to this version is in the store; empty before the first list. */
    String position() {
        return position;
    }

    void position(String version) {
        position = version;
    }
}
