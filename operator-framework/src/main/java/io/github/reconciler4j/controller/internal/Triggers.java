package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.reconcile.Trigger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The triggers collected for each waiting request until a run takes them. Kept beside the queue, since the queue merges
 * equal requests and knows nothing of triggers. A trigger is recorded before its request is queued, so the run that the
 * request leads to always finds it, or an earlier run has. Safe for use by many threads.
 *
 * @param <R> what a request is
 * @since 0.1.0
 */
public final class Triggers<R> {

    /** The most objects told apart for one run. */
    static final int MOST_ORIGINS = 16;

    /** Most requests have one trigger, so it is kept without a list. */
    private final Map<R, Object> waiting = new ConcurrentHashMap<>();

    /** Adds a trigger for the next run of a request. */
    public void record(R request, Trigger trigger) {
        if (waiting.putIfAbsent(request, trigger) != null) {
            waiting.merge(request, trigger, (before, added) -> merged(list(before), (Trigger) added));
        }
    }

    /** Takes the triggers for a run that begins now, oldest first. */
    public List<Trigger> take(R request) {
        Object taken = waiting.remove(request);
        return taken == null ? List.of() : List.copyOf(list(taken));
    }

    /** Puts back the triggers of a run that failed, before those that came meanwhile. */
    public void putBack(R request, List<Trigger> triggers) {
        if (triggers.isEmpty()) {
            return;
        }
        waiting.merge(request, triggers, (meanwhile, earlier) -> {
            List<Trigger> all = list(earlier);
            for (Trigger later : list(meanwhile)) {
                all = merged(all, later);
            }
            return all;
        });
    }

    @SuppressWarnings("unchecked")
    private static List<Trigger> list(Object triggers) {
        return triggers instanceof Trigger single ? List.of(single) : (List<Trigger>) triggers;
    }

    private static List<Trigger> merged(List<Trigger> triggers, Trigger added) {
        List<Trigger> result = new ArrayList<>(triggers);
        for (int i = 0; i < result.size(); i++) {
            if (result.get(i).sameOrigin(added)) {
                result.set(i, result.get(i).coalescedWith(added));
                return result;
            }
        }
        if (result.size() < MOST_ORIGINS) {
            result.add(added);
            return result;
        }
        Trigger last = result.get(MOST_ORIGINS - 1);
        result.set(MOST_ORIGINS - 1, Trigger.others(added.source(), last.times() + added.times()));
        return result;
    }
}
