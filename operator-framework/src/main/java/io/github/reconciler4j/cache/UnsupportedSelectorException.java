package io.github.reconciler4j.cache;

/**
 * A cache cannot select by a field: it is neither {@code metadata.name} nor {@code metadata.namespace} nor the name of an
 * index, or it is an index and compared otherwise than by {@code =}. The message says which part of the selector it is.
 *
 * @since 0.1.0
 */
public class UnsupportedSelectorException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** Creates it with the whole message. */
    public UnsupportedSelectorException(String message) {
        super(message);
    }
}
