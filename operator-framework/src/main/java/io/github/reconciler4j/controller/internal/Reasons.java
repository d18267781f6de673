package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.reconcile.Reason;
import io.github.reconciler4j.reconcile.Reason.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The reasons collected for each waiting request until a run takes them. Kept beside the queue, since the queue merges
 * equal requests and knows nothing of reasons. A reason is recorded before its request is queued, so the run that the
 * request leads to always finds it, or an earlier run has. Safe for use by many threads.
 *
 * @param <R> what a request is
 */
public final class Reasons<R> {

    /** The most objects told apart for one run. */
    static final int MOST_ORIGINS = 16;

    /** Most requests have one reason, so it is kept without a list. */
    private final Map<R, Object> waiting = new ConcurrentHashMap<>();

    /** Adds a reason for the next run of a request. */
    public void record(R request, Reason reason) {
        if (waiting.putIfAbsent(request, reason) != null) {
            waiting.merge(request, reason, (before, added) -> merged(list(before), (Reason) added));
        }
    }

    /** Takes the reasons for a run that begins now, oldest first. */
    public List<Reason> take(R request) {
        Object taken = waiting.remove(request);
        return taken == null ? List.of() : List.copyOf(list(taken));
    }

    /** Puts back the reasons of a run that failed, before those that came meanwhile. */
    public void putBack(R request, List<Reason> reasons) {
        if (reasons.isEmpty()) {
            return;
        }
        waiting.merge(request, reasons, (meanwhile, earlier) -> {
            List<Reason> all = list(earlier);
            for (Reason later : list(meanwhile)) {
                all = merged(all, later);
            }
            return all;
        });
    }

    @SuppressWarnings("unchecked")
    private static List<Reason> list(Object reasons) {
        return reasons instanceof Reason single ? List.of(single) : (List<Reason>) reasons;
    }

    private static List<Reason> merged(List<Reason> reasons, Reason added) {
        List<Reason> result = new ArrayList<>(reasons);
        for (int i = 0; i < result.size(); i++) {
            if (result.get(i).sameOrigin(added)) {
                result.set(i, result.get(i).mergedWith(added));
                return result;
            }
        }
        if (result.size() < MOST_ORIGINS) {
            result.add(added);
            return result;
        }
        Reason last = result.get(MOST_ORIGINS - 1);
        result.set(
                MOST_ORIGINS - 1,
                new Reason(added.source(), Optional.empty(), Change.UPDATED, last.times() + added.times()));
        return result;
    }
}
