package io.github.reconciler4j.manager.internal.cluster;

import io.github.reconciler4j.manager.ComponentNotReadyException;

/** The API server that a component needs has not responded yet. The attempts of its cluster are logged, so those of the component are not. */
public final class ClusterAwayException extends ComponentNotReadyException {

    private static final long serialVersionUID = 1L;

    public ClusterAwayException(String message) {
        super(message);
    }
}
