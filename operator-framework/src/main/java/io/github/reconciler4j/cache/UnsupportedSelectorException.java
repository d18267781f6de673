package io.github.reconciler4j.cache;

/**
 * Thrown when a cache does not support a field selector: the field is neither {@code metadata.name} nor
 * {@code metadata.namespace} nor the name of an index, or the operator for an index is not {@code =}. The message quotes
 * the part of the selector.
 *
 * @since 0.1.0
 */
public class UnsupportedSelectorException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the complete message. */
    public UnsupportedSelectorException(String message) {
        super(message);
    }
}
