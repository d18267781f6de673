package io.github.reconciler4j.spring.observation;

import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.KindName;
import java.time.Duration;
import java.util.Optional;

/** A reconciliation by a controller without a kind, of an object of a cluster. */
public record TestRun(String controller, String cluster) implements ReconcileObserver.Run {

    @Override
    public Optional<KindName> kind() {
        return Optional.empty();
    }

    @Override
    public ReconcileContext context() {
        return ReconcileContext.of(new Request("default", "one").in(cluster));
    }

    @Override
    public Duration waited() {
        return Duration.ofMillis(3);
    }
}
