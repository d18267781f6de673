package io.github.reconciler4j.spring.autoconfigure.observation;

import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.spring.observation.DefaultReconcileObservationConvention;
import io.github.reconciler4j.spring.observation.OperatorObservation;
import io.github.reconciler4j.spring.observation.ReconcileObservationContext;
import io.github.reconciler4j.spring.observation.ReconcileObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.function.Supplier;
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
        Observed observed = new Observed(new ReconcileObservationContext(run));
        Observation observation = OperatorObservation.RECONCILE.start(convention, DEFAULT, observed, registry);
        return observation.isNoop() ? Scope.NONE : observed.opened(observation);
    }

    /** One reconciliation: first what supplies its context, then its scope. One object, because there is one for each. */
    private static final class Observed implements Supplier<ReconcileObservationContext>, Scope {

        private final ReconcileObservationContext context;
        private Observation observation = Observation.NOOP;
        private Observation.Scope scope = Observation.Scope.NOOP;

        Observed(ReconcileObservationContext context) {
            this.context = context;
        }

        @Override
        public ReconcileObservationContext get() {
            return context;
        }

        Scope opened(Observation started) {
            observation = started;
            scope = started.openScope();
            return this;
        }

        @Override
        public void ended(ReconcileObserver.Outcome outcome, @Nullable Throwable failure) {
            context.setOutcome(outcome);
            if (failure != null) {
                observation.error(failure);
            }
            scope.close();
            observation.stop();
        }
    }
}
