package io.github.reconciler4j.client;

/**
 * Reads from a cache over which the program's own writes are laid. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface ReadYourWritesReader extends Reader {

    /** The same cache without own writes: what its watches have brought. */
    Reader watched();
}
