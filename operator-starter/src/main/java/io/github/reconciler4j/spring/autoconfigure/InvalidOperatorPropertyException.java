package io.github.reconciler4j.spring.autoconfigure;

/**
 * A property of the operator has a value that cannot be used.
 *
 * @since 0.1.0
 */
public class InvalidOperatorPropertyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String property;

    /**
     * Creates it.
     *
     * @param property the name of the property
     * @param problem what is wrong with its value, to be read after the name
     */
    public InvalidOperatorPropertyException(String property, String problem) {
        super("The property " + property + " " + problem);
        this.property = property;
    }

    /**
     * Creates it.
     *
     * @param property the name of the property
     * @param problem what is wrong with its value, to be read after the name
     * @param cause who refused the value
     */
    public InvalidOperatorPropertyException(String property, String problem, Throwable cause) {
        super("The property " + property + " " + problem, cause);
        this.property = property;
    }

    /** The name of the property. */
    public String property() {
        return property;
    }
}
