package io.github.reconciler4j.spring.observation;

import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The context of the observation of one reconciliation. For the thread of the worker.
 *
 * @since 0.1.0
 */
public final class ReconcileObservationContext extends Observation.Context {

    private final ReconcileObserver.Run run;
    private ReconcileObserver.@Nullable Outcome outcome;

    /** What the default convention has found out, because Micrometer asks for it at the start and at the end. */
    private @Nullable KeyValues details;

    /** Create the context of a reconciliation that starts. */
    public ReconcileObservationContext(ReconcileObserver.Run run) {
        this.run = run;
    }

    /** Return the reconciliation. */
    public ReconcileObserver.Run run() {
        return run;
    }

    /** Return the outcome, empty until the end. */
    public Optional<ReconcileObserver.Outcome> outcome() {
        return Optional.ofNullable(outcome);
    }

    /** Return the key values of high cardinality, which do not change, and compute them the first time. */
    KeyValues details(Function<ReconcileObserver.Run, KeyValues> compute) {
        KeyValues known = details;
        if (known == null) {
            known = compute.apply(run);
            details = known;
        }
        return known;
    }

    /** Set the outcome. */
    public void setOutcome(ReconcileObserver.Outcome outcome) {
        this.outcome = outcome;
    }
}
