package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.internal.metrics.KindMetrics;
import io.github.reconciler4j.cache.internal.metrics.KindMetrics.Restart;
import io.github.reconciler4j.support.internal.FlightEvents;
import org.jspecify.annotations.Nullable;

/** Counts the watches of a reflector, and records the time between two of them. Confined to the thread of its reflector. */
final class WatchGaps {

    private final Scope scope;
    private final KindMetrics metrics;

    /** The time without a watch, while it lasts and is recorded. */
    private FlightEvents.@Nullable WatchGap gap;

    WatchGaps(Scope scope, KindMetrics metrics) {
        this.scope = scope;
        this.metrics = metrics;
    }

    /** Record that a watch, or an attempt to open one, has ended. */
    void restarted(Restart reason) {
        metrics.restarted(reason);
        FlightEvents.WatchGap started = gap == null ? FlightEvents.watchGap() : gap;
        if (started != null) {
            started.kind = scope.toString();
            started.reason = reason.name();
        }
        gap = started;
    }

    /** Record that a watch was opened. */
    void opened() {
        metrics.watchOpened();
        if (gap != null) {
            gap.commit();
            gap = null;
        }
    }
}
