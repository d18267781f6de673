package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.support.TimeSource;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports how far a list has been read, and logs it if it takes long. Confined to the thread of its reflector. */
final class ListProgress {

    private static final Logger LOG = LoggerFactory.getLogger(ListProgress.class);
    private static final long LOG_INTERVAL = TimeUnit.SECONDS.toNanos(10);
    private static final int STEP = 256;

    private final Scope scope;
    private final ListSnapshot list;
    private final SyncState state;
    private final TimeSource time;
    private final long startedAt;
    private long loggedAt;
    private int steps;

    ListProgress(Scope scope, ListSnapshot list, SyncState state, TimeSource time) {
        this.scope = scope;
        this.list = list;
        this.state = state;
        this.time = time;
        this.startedAt = time.nanoTime();
        this.loggedAt = startedAt;
        state.listing(scope, 0);
    }

    /** Record that one more object was read. */
    void step() {
        if (++steps % STEP != 0) {
            return;
        }
        state.listing(scope, list.size());
        long now = time.nanoTime();
        if (now - loggedAt >= LOG_INTERVAL) {
            loggedAt = now;
            long seconds = Math.max(1, TimeUnit.NANOSECONDS.toSeconds(now - startedAt));
            LOG.info("Listing {}: {} objects in {} s ({}/s)", scope, list.size(), seconds, list.size() / seconds);
        }
    }

    /** Record that the list is complete. */
    void done(String version) {
        state.listing(scope, 0);
        long nanos = time.nanoTime() - startedAt;
        if (nanos >= LOG_INTERVAL) {
            LOG.info("Listed {}: {} objects in {} s", scope, list.size(), TimeUnit.NANOSECONDS.toSeconds(nanos));
        } else {
            LOG.debug("Listed {}: {} objects at version {}", scope, list.size(), version);
        }
    }
}
