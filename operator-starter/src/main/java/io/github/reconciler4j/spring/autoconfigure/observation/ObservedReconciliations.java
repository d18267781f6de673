package io.github.reconciler4j.spring.autoconfigure.observation;

import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.spring.observation.DefaultReconcileObservationConvention;
import io.github.reconciler4j.spring.observation.OperatorObservation;
import io.github.reconciler4j.spring.observation.ReconcileObservationContext;
import io.github.reconciler4j.spring.observation.ReconcileObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/** Observes each reconciliation with Micrometer. Thread-safe. */
final class ObservedReconciliations implements ReconcileObserver {

    static final int ORDER = Integer.MIN_VALUE + 100;

    private static final ReconcileObservationConvention DEFAULT = new DefaultReconcileObservationConvention();

    private final ObservationRegistry registry;
    private final @Nullable ReconcileObservationConvention convention;

    ObservedReconciliations(ObservationRegistry registry, @Nullable ReconcileObservationConvention convention) {
        this.registry = registry;
        this.convention = convention;
    }

    @Override
    public Scope started(Run run) {
        if (registry.isNoop()) {
            return Scope.NONE;
        }
        ReconcileObservationContext context = new ReconcileObservationContext(run);
        Observation observation = OperatorObservation.RECONCILE.start(convention, DEFAULT, () -> context, registry);
        if (observation.isNoop()) {
            return Scope.NONE;
        }
        Observation.Scope scope = observation.openScope();
        return (outcome, failure) -> {
            context.setOutcome(outcome);
            if (failure != null) {
                observation.error(failure);
            }
            scope.close();
            observation.stop();
        };
    }
}
