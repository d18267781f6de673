package io.github.reconciler4j.spring.observation;

import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.spring.observation.OperatorObservation.ReconcileDetails;
import io.github.reconciler4j.spring.observation.OperatorObservation.ReconcileKeys;
import io.micrometer.common.KeyValues;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The default {@link ReconcileObservationConvention}: the observation is named {@code reconciler4j.reconcile}, and its span
 * {@code reconcile} and the name of the controller. Thread-safe.
 *
 * @since 0.1.0
 */
public class DefaultReconcileObservationConvention implements ReconcileObservationConvention {

    private static final String NONE = "none";

    /** Create the convention. */
    public DefaultReconcileObservationConvention() {}

    @Override
    public String getName() {
        return "reconciler4j.reconcile";
    }

    @Override
    public String getContextualName(ReconcileObservationContext context) {
        return "reconcile " + context.run().controller();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(ReconcileObservationContext context) {
        ReconcileObserver.Run run = context.run();
        return KeyValues.of(
                ReconcileKeys.CONTROLLER.withValue(run.controller()),
                ReconcileKeys.KIND.withValue(run.kind().map(Object::toString).orElse(NONE)),
                ReconcileKeys.OUTCOME.withValue(
                        context.outcome().map(ReconcileObserver.Outcome::label).orElse(NONE)),
                ReconcileKeys.TRIGGER.withValue(trigger(run.context())));
    }

    private static String trigger(ReconcileContext context) {
        if (context.attempt() > 1) {
            return "retry";
        }
        List<Trigger> triggers = context.triggers();
        return triggers.isEmpty() ? NONE : triggers.get(0).change().name().toLowerCase(Locale.ROOT);
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(ReconcileObservationContext context) {
        ReconcileObserver.Run run = context.run();
        ReconcileContext call = run.context();
        return KeyValues.of(
                ReconcileDetails.NAMESPACE.withValue(call.request().namespace()),
                ReconcileDetails.NAME.withValue(call.request().name()),
                ReconcileDetails.RECONCILE_ID.withValue(call.reconcileId()),
                ReconcileDetails.ATTEMPT.withValue(Integer.toString(call.attempt())),
                ReconcileDetails.TRIGGERS.withValue(
                        call.triggers().stream().map(Trigger::toString).collect(Collectors.joining(", "))),
                ReconcileDetails.QUEUE_WAIT.withValue(Long.toString(run.waited().toMillis())));
    }
}
