package io.github.reconciler4j.client.connection;

/**
 * A kubeconfig cannot be used. The message says where it is and what is wrong with it, and nothing of its content. The exception
 * has neither a cause nor a stack trace, which would add nothing.
 *
 * @since 0.1.0
 */
public final class InvalidKubeconfigException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String problem;

    /**
     * Create an exception.
     *
     * @param subject the kubeconfig, for example {@code The kubeconfig '/home/me/.kube/config'}
     * @param problem the rest of the sentence, for example {@code has no context 'prod'}
     */
    public InvalidKubeconfigException(String subject, String problem) {
        super(subject + " " + problem + " (R4J-031)");
        this.problem = problem;
    }

    /** Return what is wrong, as a phrase that continues a sentence about the kubeconfig. */
    public String problem() {
        return problem;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
