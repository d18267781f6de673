package io.github.reconciler4j.spring.observation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import java.util.Iterator;
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

    // Micrometer adds the key values of a convention one by one, at the start and again at the end, and sorts them
    // each time that a handler reads them. Here they stay together until something else is added or removed.

    private final ReconcileObserver.Run run;
    private ReconcileObserver.@Nullable Outcome outcome;

    /** What the default convention has found out, because Micrometer asks for it at the start and at the end. */
    private @Nullable KeyValues details;

    /** The key values of low cardinality if they were all added at once. */
    @GuardedBy("this")
    private @Nullable KeyValues low;

    /** The key values of high cardinality that were added last, and that nothing has read yet. */
    @GuardedBy("this")
    private @Nullable KeyValues lastHigh;

    /** Whether key values of low cardinality are in the map of the superclass. */
    @GuardedBy("this")
    private boolean lowIsMixed;

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
    public synchronized Observation.Context addLowCardinalityKeyValues(KeyValues keyValues) {
        KeyValues before = low;
        if (lowIsMixed || before != null && !haveEqualKeys(before, keyValues)) {
            mixLow();
            return super.addLowCardinalityKeyValues(keyValues);
        }
        low = keyValues;
        return this;
    }

    private static boolean haveEqualKeys(KeyValues some, KeyValues others) {
        Iterator<KeyValue> other = others.iterator();
        for (KeyValue each : some) {
            if (!other.hasNext() || !other.next().getKey().equals(each.getKey())) {
                return false;
            }
        }
        return !other.hasNext();
    }

    @GuardedBy("this")
    private void mixLow() {
        KeyValues together = low;
        low = null;
        lowIsMixed = true;
        if (together != null) {
            super.addLowCardinalityKeyValues(together);
        }
    }

    @Override
    public synchronized Observation.Context addLowCardinalityKeyValue(KeyValue keyValue) {
        mixLow();
        return super.addLowCardinalityKeyValue(keyValue);
    }

    @Override
    public synchronized Observation.Context removeLowCardinalityKeyValue(String key) {
        mixLow();
        return super.removeLowCardinalityKeyValue(key);
    }

    @Override
    public synchronized Observation.Context removeLowCardinalityKeyValues(String... keys) {
        mixLow();
        return super.removeLowCardinalityKeyValues(keys);
    }

    @Override
    public synchronized KeyValues getLowCardinalityKeyValues() {
        KeyValues together = low;
        return together == null ? super.getLowCardinalityKeyValues() : together;
    }

    @Override
    public synchronized @Nullable KeyValue getLowCardinalityKeyValue(String key) {
        mixLow();
        return super.getLowCardinalityKeyValue(key);
    }

    @Override
    public synchronized Observation.Context addHighCardinalityKeyValues(KeyValues keyValues) {
        if (keyValues != lastHigh) {
            addLastHigh();
            lastHigh = keyValues;
        }
        return this;
    }

    @GuardedBy("this")
    private void addLastHigh() {
        KeyValues last = lastHigh;
        if (last != null) {
            lastHigh = null;
            super.addHighCardinalityKeyValues(last);
        }
    }

    @Override
    public synchronized Observation.Context addHighCardinalityKeyValue(KeyValue keyValue) {
        addLastHigh();
        return super.addHighCardinalityKeyValue(keyValue);
    }

    @Override
    public synchronized Observation.Context removeHighCardinalityKeyValue(String key) {
        addLastHigh();
        return super.removeHighCardinalityKeyValue(key);
    }

    @Override
    public synchronized Observation.Context removeHighCardinalityKeyValues(String... keys) {
        addLastHigh();
        return super.removeHighCardinalityKeyValues(keys);
    }

    @Override
    public synchronized KeyValues getHighCardinalityKeyValues() {
        addLastHigh();
        return super.getHighCardinalityKeyValues();
    }

    @Override
    public synchronized @Nullable KeyValue getHighCardinalityKeyValue(String key) {
        addLastHigh();
        return super.getHighCardinalityKeyValue(key);
    }
}
