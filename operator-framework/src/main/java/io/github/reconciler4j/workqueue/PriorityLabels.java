package io.github.reconciler4j.workqueue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Keeps the number of distinct values of the metrics label {@code priority} within bounds. Not thread-safe. */
final class PriorityLabels {

    private static final int MAX = 25;

    private final Set<Integer> known = new HashSet<>();
    private boolean exceeded;
    private @Nullable List<String> fresh;

    /** A priority is used. */
    void see(int priority) {
        if (known.contains(priority)) {
            return;
        }
        if (known.size() < MAX) {
            known.add(priority);
            announce(Integer.toString(priority));
        } else if (!exceeded) {
            exceeded = true;
            announce(WorkQueueMetrics.OTHER_PRIORITIES);
        }
    }

    String labelOf(int priority) {
        return known.contains(priority) ? Integer.toString(priority) : WorkQueueMetrics.OTHER_PRIORITIES;
    }

    /** The labels that are new since the last call; null if there are none. */
    @Nullable
    List<String> takeFresh() {
        List<String> taken = fresh;
        fresh = null;
        return taken;
    }

    private void announce(String label) {
        List<String> announced = fresh == null ? new ArrayList<>(2) : fresh;
        announced.add(label);
        fresh = announced;
    }
}
