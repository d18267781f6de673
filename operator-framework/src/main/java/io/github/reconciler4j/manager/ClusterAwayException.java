package io.github.reconciler4j.manager;

/** The API server that a component needs has not responded yet. The attempts of its cluster are logged, so those of the component are not. */
final class ClusterAwayException extends ComponentNotReadyException {

    private static final long serialVersionUID = 1L;

    ClusterAwayException(String message) {
        super(message);
    }
}
