package io.github.reconciler4j.spring.observation;

import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The context of the observation of one reconciliation. The outcome is for the thread of the worker; like all contexts, it takes key
 * values from any thread.
 *
 * @since 0.1.0
 */
public final class ReconcileObservationContext extends Observation.Context {

    private final ReconcileObserver.Run run;
    private ReconcileObserver.@Nullable Outcome outcome;

    /** What the default convention has found out, because Micrometer asks for it at the start and at the end. */
    private @Nullable KeyValues details;

    private final ContextKeyValues low = new ContextKeyValues();
    private final ContextKeyValues high = new ContextKeyValues();

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

    @Override
    public Observation.Context addLowCardinalityKeyValues(KeyValues keyValues) {
        low.add(keyValues);
        return this;
    }

    @Override
    public Observation.Context addLowCardinalityKeyValue(KeyValue keyValue) {
        low.add(keyValue);
        return this;
    }

    @Override
    public Observation.Context removeLowCardinalityKeyValue(String key) {
        low.remove(key);
        return this;
    }

    @Override
    public Observation.Context removeLowCardinalityKeyValues(String... keys) {
        low.remove(keys);
        return this;
    }

    @Override
    public KeyValues getLowCardinalityKeyValues() {
        return low.all();
    }

    @Override
    public @Nullable KeyValue getLowCardinalityKeyValue(String key) {
        return low.get(key);
    }

    @Override
    public Observation.Context addHighCardinalityKeyValues(KeyValues keyValues) {
        high.add(keyValues);
        return this;
    }

    @Override
    public Observation.Context addHighCardinalityKeyValue(KeyValue keyValue) {
        high.add(keyValue);
        return this;
    }

    @Override
    public Observation.Context removeHighCardinalityKeyValue(String key) {
        high.remove(key);
        return this;
    }

    @Override
    public Observation.Context removeHighCardinalityKeyValues(String... keys) {
        high.remove(keys);
        return this;
    }

    @Override
    public KeyValues getHighCardinalityKeyValues() {
        return high.all();
    }

    @Override
    public @Nullable KeyValue getHighCardinalityKeyValue(String key) {
        return high.get(key);
    }
}
