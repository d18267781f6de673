package io.github.reconciler4j.examples;

import io.github.reconciler4j.reconcile.RequeueException;
import java.time.Duration;

final class Primaries {

    private Primaries() {}

    static void requirePrimary(boolean ready) {
        if (!ready) {
            throw new RequeueException("the primary is not ready", Duration.ofSeconds(10));
        }
    }
}
