package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.KindMismatchException;
import io.github.reconciler4j.client.error.KindNotServedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the server serves a kind as its class names it; asked once, and again when the kind was gone. One thread. */
final class ServedKind {

    private static final Logger LOG = LoggerFactory.getLogger(ServedKind.class);

    private final Scope scope;
    private final Discovery discovery;
    private boolean checked;

    ServedKind(Scope scope, Discovery discovery) {
        this.scope = scope;
        this.discovery = discovery;
    }

    /** Fails unless it is served. A server that cannot be asked what it serves says so in answer to the list. */
    void check() {
        if (checked) {
            return;
        }
        try {
            discovery.check(scope.info());
            checked = true;
        } catch (KindNotServedException | KindMismatchException e) {
            throw e;
        } catch (ApiException e) {
            LOG.debug("Cannot tell whether the server serves {}: {}", scope, e.getMessage());
        }
    }

    /** What the server said before does not hold any more. */
    void forget() {
        if (checked) {
            checked = false;
            discovery.forget();
        }
    }
}
