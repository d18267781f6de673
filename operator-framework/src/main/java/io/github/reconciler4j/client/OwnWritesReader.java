package io.github.reconciler4j.client;

/** Reads from a cache over which the program's own writes are laid. Safe for use by many threads. */
public interface OwnWritesReader extends Reader {

    /** The same cache without own writes: what its watches have brought. */
    Reader watched();
}
