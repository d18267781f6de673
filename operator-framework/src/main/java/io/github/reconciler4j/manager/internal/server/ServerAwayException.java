package io.github.reconciler4j.manager.internal.server;

import io.github.reconciler4j.manager.ComponentNotReadyException;

/** The API server that a component needs has not responded yet. The attempts of its cluster are logged, so those of the component are not. */
public final class ServerAwayException extends ComponentNotReadyException {

    private static final long serialVersionUID = 1L;

    public ServerAwayException(String message) {
        super(message);
    }
}
