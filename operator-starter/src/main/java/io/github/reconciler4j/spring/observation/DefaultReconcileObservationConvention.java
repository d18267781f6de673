package io.github.reconciler4j.spring.observation;

import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.spring.observation.OperatorObservation.ReconcileDetails;
import io.github.reconciler4j.spring.observation.OperatorObservation.ReconcileKeys;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The default {@link ReconcileObservationConvention}: the observation is named {@code reconciler4j.reconcile}, and its span
 * {@code reconcile} and the name of the controller. Thread-safe.
 *
 * <!-- snippet: ObservationKeys -->
 * <pre>{@code
 * ReconcileObservationConvention reconciliations() {
 *     return new DefaultReconcileObservationConvention() {
 *         @Override
 *         public KeyValues getLowCardinalityKeyValues(ReconcileObservationContext context) {
 *             return super.getLowCardinalityKeyValues(context).and("team", "shop");
 *         }
 *     };
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public class DefaultReconcileObservationConvention implements ReconcileObservationConvention {

    private static final String NONE = "none";

    /** No other cluster can have this name. */
    private static final String HOME = "home";

    private static final String RETRY = "retry";
    private static final int MULTIPLIER = 31;

    /** Clusters come and go. */
    private static final int MAX_REMEMBERED = 1000;

    private static final Map<Trigger.Change, String> CHANGES = changes();

    /** The key values of low cardinality that have been used, because there are few and each reconciliation needs two of them. */
    private final Map<LowCardinalityKey, KeyValues> low = new ConcurrentHashMap<>();

    /** Create the convention. */
    public DefaultReconcileObservationConvention() {}

    private record LowCardinalityKey(
            String controller,
            String cluster,
            Optional<KindName> kind,
            Optional<ReconcileObserver.Outcome> outcome,
            String trigger) {

        // Written out, because those that the compiler makes are slow without the second compiler of the JVM.

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof LowCardinalityKey known
                    && controller.equals(known.controller)
                    && cluster.equals(known.cluster)
                    && outcome.equals(known.outcome)
                    && trigger.equals(known.trigger)
                    && kind.equals(known.kind);
        }

        @Override
        public int hashCode() {
            int where = controller.hashCode() * MULTIPLIER + cluster.hashCode();
            return (where * MULTIPLIER + outcome.hashCode()) * MULTIPLIER + trigger.hashCode();
        }

        KeyValues keyValues() {
            return KeyValues.of(
                    ReconcileKeys.CONTROLLER.withValue(controller),
                    ReconcileKeys.CLUSTER.withValue(cluster.isEmpty() ? HOME : cluster),
                    ReconcileKeys.KIND.withValue(kind.map(Object::toString).orElse(NONE)),
                    ReconcileKeys.OUTCOME.withValue(
                            outcome.map(ReconcileObserver.Outcome::label).orElse(NONE)),
                    ReconcileKeys.TRIGGER.withValue(trigger));
        }
    }

    private static Map<Trigger.Change, String> changes() {
        Map<Trigger.Change, String> changes = new EnumMap<>(Trigger.Change.class);
        for (Trigger.Change change : Trigger.Change.values()) {
            changes.put(change, change.name().toLowerCase(Locale.ROOT));
        }
        return changes;
    }

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
        if (low.size() >= MAX_REMEMBERED) {
            low.clear();
        }
        return low.computeIfAbsent(
                new LowCardinalityKey(
                        run.controller(),
                        run.context().request().cluster(),
                        run.kind(),
                        context.outcome(),
                        trigger(run.context())),
                LowCardinalityKey::keyValues);
    }

    private static String trigger(ReconcileContext context) {
        if (context.attempt() > 1) {
            return RETRY;
        }
        List<Trigger> triggers = context.triggers();
        return triggers.isEmpty() ? NONE : CHANGES.getOrDefault(triggers.get(0).change(), NONE);
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(ReconcileObservationContext context) {
        return context.details(DefaultReconcileObservationConvention::details);
    }

    private static KeyValues details(ReconcileObserver.Run run) {
        ReconcileContext call = run.context();
        return KeyValues.of( // in the order of their names, or Micrometer sorts them
                ReconcileDetails.ATTEMPT.withValue(Integer.toString(call.attempt())),
                ReconcileDetails.NAME.withValue(call.request().name()),
                ReconcileDetails.NAMESPACE.withValue(call.request().namespace()),
                ReconcileDetails.QUEUE_WAIT.withValue(Long.toString(run.waited().toMillis())),
                ReconcileDetails.RECONCILE_ID.withValue(call.reconcileId()),
                new Triggers(call.triggers()));
    }

    /** The text of the triggers, which only handlers of spans read. */
    private record Triggers(List<Trigger> triggers) implements KeyValue {

        @Override
        public String getKey() {
            return ReconcileDetails.TRIGGERS.asString();
        }

        @Override
        public String getValue() {
            return triggers.stream().map(Trigger::toString).collect(Collectors.joining(", "));
        }
    }
}
