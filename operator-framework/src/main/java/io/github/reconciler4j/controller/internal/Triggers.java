package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.reconcile.Trigger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The triggers of each waiting request, until a reconciliation takes them. Kept beside the queue, which coalesces equal
 * requests and knows no triggers. A trigger is recorded before its request is enqueued, so either the reconciliation that
 * the request leads to takes it, or an earlier one has. Thread-safe.
 *
 * @param <R> the type of requests
 * @since 0.1.0
 */
public final class Triggers<R> {

    /** The number of objects that are listed for one reconciliation. */
    static final int MAX_ORIGINS = 16;

    /** Most requests have one trigger, which is kept without a list. */
    private final Map<R, Object> waiting = new ConcurrentHashMap<>();

    /** Add a trigger for the next reconciliation of a request. */
    public void record(R request, Trigger trigger) {
        if (waiting.putIfAbsent(request, trigger) != null) {
            waiting.merge(request, trigger, (before, added) -> coalesced(list(before), (Trigger) added));
        }
    }

    /** Take the triggers for a reconciliation that starts now, oldest first. */
    public List<Trigger> take(R request) {
        Object taken = waiting.remove(request);
        return taken == null ? List.of() : List.copyOf(list(taken));
    }

    /** Put back the triggers of a reconciliation that failed, before those that were added meanwhile. */
    public void putBack(R request, List<Trigger> triggers) {
        if (triggers.isEmpty()) {
            return;
        }
        waiting.merge(request, triggers, (meanwhile, earlier) -> {
            List<Trigger> all = list(earlier);
            for (Trigger later : list(meanwhile)) {
                all = coalesced(all, later);
            }
            return all;
        });
    }

    @SuppressWarnings("unchecked")
    private static List<Trigger> list(Object triggers) {
        return triggers instanceof Trigger single ? List.of(single) : (List<Trigger>) triggers;
    }

    private static List<Trigger> coalesced(List<Trigger> triggers, Trigger added) {
        List<Trigger> result = new ArrayList<>(triggers);
        for (int i = 0; i < result.size(); i++) {
            if (result.get(i).sameOrigin(added)) {
                result.set(i, result.get(i).coalescedWith(added));
                return result;
            }
        }
        if (result.size() < MAX_ORIGINS) {
            result.add(added);
            return result;
        }
        Trigger last = result.get(MAX_ORIGINS - 1);
        result.set(MAX_ORIGINS - 1, Trigger.others(added.source(), last.times() + added.times()));
        return result;
    }
}
