package io.github.reconciler4j.support;

/**
 * A library on the class path has a version that Reconciler4j does not work with. The message is for people: artifact, version
 * found, versions that work, and what to change.
 *
 * @since 0.1.0
 */
public final class UnsupportedVersionException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String problem;
    private final String fix;

    UnsupportedVersionException(String problem, String fix) {
        super(problem + ". " + fix);
        this.problem = problem;
        this.fix = fix;
    }

    /** Return which library has which version, and which versions work. */
    public String problem() {
        return problem;
    }

    /** Return what to change in the build of the application. */
    public String fix() {
        return fix;
    }
}
